import type { ArraysReading, ReadArray } from '../../probes/storage/readings.ts';
import type { Plan, PlanTarget, Refusal } from '../../src/model/action.ts';
import type { Judgement } from '../../src/model/system.ts';
import { judgementOf, siteOf, Sources, start } from '../helpers/judging.ts';

/** `gxf`: in sync, missing, being filled; disks are sda, sdb; `xo`: missing, its disk failed out. */
export const array = (pattern: string, more: Partial<ReadArray> = {}): ReadArray => ({
  id: 'md6',
  level: 'raid6',
  layout: { kind: 'parity', tolerance: 2 },
  slots: [...pattern].map((letter, at) => ({
    ...(letter !== 'x' && { disk: `sd${String.fromCharCode(97 + at)}` }),
    state: letter === 'g' ? 'good' : letter === 'f' ? 'filling' : 'missing',
  })),
  usable: true,
  ...more,
});

export const raid1 = (pattern: string): ReadArray =>
  array(pattern, { id: 'md1', level: 'raid1', layout: { kind: 'mirror' } });

export const judge = (
  arrays: readonly ReadArray[] | undefined,
  more: Partial<ArraysReading> = {},
  settings: object = {},
): Judgement => {
  const sources = new Sources();
  const disks = ['sda', 'sdb', 'sdc', 'sdd', 'sde', 'sdf', 'sdz'].map((name) => ({
    name,
    serial: `SN-${name}`,
  }));
  if (arrays)
    sources.good('storage.arrays', 'array2', { arrays: [...arrays], disks, unread: {}, ...more }, start);
  else sources.fail('storage.arrays', 'array2', { kind: 'timeout', message: 'late' });
  const site = siteOf([{ name: 'array2', roles: ['storage'] }], { settings: { storage: settings } });
  return judgementOf({ readings: sources, site });
};

export const subject = { kind: 'host', id: 'array2' } as const;
export const context = (judgement: Judgement) => ({ judgement, operator: 'op' });
export const targetOf = (plan: Plan | Refusal): PlanTarget => {
  const [target] = 'refused' in plan ? [] : plan.targets;
  if (!target) throw new Error('reason' in plan ? plan.reason : 'no target');
  return target;
};
export const argvs = ({ steps }: Pick<PlanTarget, 'steps'>): string[] =>
  steps.map((step) => ('argv' in step ? step.argv.join(' ') : ''));
/** What each guard says of a live reading: nothing where it is met. */
export const refusals = ({ guards }: PlanTarget, live: Judgement): string[] =>
  guards.flatMap(({ check }) => {
    const said = check(live);
    return said.ok ? [] : [said.text];
  });
