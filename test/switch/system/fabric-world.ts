import { shutAction } from '../../../probes/switch/act/shut.ts';
import { readFabricLinks } from '../../../probes/switch/platforms/infiniband/fabric.ts';
import type { PlanTarget, Step } from '../../../src/model/action.ts';
import type { Fact } from '../../../src/model/fact.ts';
import { answerOf } from '../../helpers/answer.ts';
import { factsOf, historyOf, judgementOf, siteOf, Sources, start } from '../../helpers/judging.ts';

export const leaf = '0x506b4b0300000001';
export const spine = '0x248a070300000002';
const names: Readonly<Record<string, string>> = {
  [leaf]: 'MF0;leaf-07:MQM8700/U1',
  [spine]: 'MF0;spine-02:MQM8700/U1',
};

const sw = (lid: number, number: number, guid: string): string => `SW ${lid} ${number} ${guid}`;
export const between = (down: boolean, number: number): string =>
  down
    ? `SW    33 ${number} ${leaf} 4x ???                                    '${names[leaf]}'`
    : `${sw(33, number, leaf)} 4x HDR - ${sw(12, number + 20, spine)} ( '${names[leaf]}' - '${names[spine]}' )`;
const host = (number: number, lid: number, name: string): string =>
  `${sw(33, number, leaf)} 4x HDR - CA    ${lid}  1 0x7cfe900300000${lid} ( '${names[leaf]}' - '${name} HCA-1' )`;

/** Two links between the switches, a compute node, the fabric host itself and the subnet manager's host. */
export const fabric = (down: readonly number[] = []): string =>
  [
    between(down.includes(29), 29),
    between(down.includes(30), 30),
    host(17, 45, 'node12'),
    host(18, 46, 'fab1'),
    host(19, 47, 'sm1'),
    "CA    45  1 0x7cfe90030000045 4x HDR - SW    33 17 0x506b4b0300000001 ( 'node12 HCA-1' - 'MF0;leaf-07:MQM8700/U1' )",
    '--- ibstat',
    "CA 'mlx5_0'",
    '\tPort 1:',
    '\t\tBase lid: 46',
    '\t\tLMC: 0',
    '\t\tSM lid: 47',
    '',
  ].join('\n');

/** As iblinkinfo 44 prints the states of these ports, in front of the rest; `words`: what a port's state is instead of Active. */
export const withStates = (text: string, words: Readonly<Record<number, string>> = {}): string =>
  [
    ...[29, 30, 31, 17, 18, 19].map((number) => {
      const states = `${(words[number] ?? 'Active/  LinkUp').padStart(15)}`;
      return `${leaf} "${'leaf-07'.padStart(30)}"     33 ${String(number).padStart(4)}[  ] ==( 4X         53.125 Gbps ${states})==>  ${spine}     12   49[  ] "x" ( )`;
    }),
    '--- ibnetdiscover',
    text,
  ].join('\n');

export const site = siteOf([
  { name: 'fab1', roles: ['switch', 'switch-helper'], platform: 'infiniband' },
  { name: 'node12', roles: ['compute'] },
]);
const found = site.host('fab1');
if (!found) throw new Error('no host');
export const asker = found;

interface Night {
  text?: string;
  /** The states of ports that are not Active. */
  states?: Readonly<Record<number, string>>;
  facts?: readonly Fact[];
  /** Slurm answers. */
  slurm?: boolean;
  shut?: readonly { at: number; port: string; by: string }[];
  /** Where the cables of ports led. */
  history?: ReturnType<typeof historyOf>;
}

export const judgement = ({
  text = fabric(),
  states = {},
  facts = [],
  slurm = true,
  shut = [],
  history = historyOf(),
}: Night = {}) => {
  const readings = new Sources();
  readings.good(
    'switch.fabric',
    'fab1',
    readFabricLinks(answerOf(withStates(text, states)), asker, site).value,
    start,
  );
  readings.good('switch.timers', 'fab1', { timers: [] }, start);
  readings.good('switch.journal', 'admin1', { repairs: [], baselines: [], shut, moved: [] }, start);
  if (slurm) readings.good('slurm.nodes', 'ctl1', {}, start);
  const told = factsOf(facts, [{ probe: 'slurm.nodes', host: 'ctl1' }]);
  return judgementOf({ readings, site, facts: told, history });
};

export const planned = (id: string, night: Night = {}): PlanTarget => {
  const context = { judgement: judgement(night), operator: 'alice' };
  const plan = shutAction.plan([{ kind: 'port', id }], {}, context);
  if ('refused' in plan) throw new Error(`${plan.guard}: ${plan.reason}`);
  const [target] = plan.targets;
  if (!target) throw new Error('no target');
  return target;
};

export const failing = (id: string, night: Night = {}): readonly string[] => {
  const live = judgement(night);
  return planned(id, night).guards.flatMap((guard) => {
    const result = guard.check(live);
    return result.ok ? [] : [`${guard.id}: ${result.text}`];
  });
};

export const argvs = (steps: readonly Step[] = []): readonly string[] =>
  steps.flatMap((step) => ('argv' in step ? [`${step.host}: ${step.argv.join(' ')}`] : []));
