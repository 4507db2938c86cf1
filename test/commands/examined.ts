import type {
  ConnectFailureKind,
  ConnectionBadge,
  RawAnswer,
  RunRequest,
  Transport,
  Transports,
} from '../../src/model/answer.ts';
import type { Clock } from '../../src/model/ports.ts';
import { examineAll } from '../../src/commands/doctor.ts';
import type { Check } from '../../src/commands/doctor/report.ts';
import { parseSite } from '../../src/site/parse.ts';
import { viewOf } from '../../src/site/view.ts';
import { answerOf as answer, broken, systemOf } from '../collect/helpers/fake-site.ts';

export const NOW = Date.UTC(2026, 10, 20, 3);

export const system = systemOf('slurm', [], {
  roles: ['slurm-controller', 'compute', 'admin'],
  tools: {
    'slurm-controller': { commands: ['sinfo', 'scontrol'], version: ['scontrol', '--version'] },
    admin: { commands: ['lctl'], root: true },
  },
});

export const site = (hosts: string, more = ''): ReturnType<typeof viewOf> =>
  viewOf(
    parseSite(`site: x\nhosts:\n${hosts}\n${more}`, '/etc/site.yaml', {
      systems: [system, systemOf('switch', [], { roles: ['switch'] })],
    }).site,
  );

export const unreached = (kind: ConnectFailureKind, message: string): RawAnswer =>
  broken({ notConnected: { kind, message } });

/** What a host says to each section of the script; unlisted ones succeed without a word. */
export type Host = Readonly<Record<string, { text: string; exitCode?: number }>>;

/** A host that goes through the script line by line as sh would. */
const obey = (script: string, host: Host): string => {
  const lines = script.split('\n');
  return lines
    .flatMap((line, at) => {
      const key = /^echo "faultline-doctor (\S+) \$\?"$/.exec(line)?.[1];
      if (key === undefined) return [];
      const said = host[lines[at - 1] ?? ''] ?? { text: '' };
      return [...(said.text === '' ? [] : [said.text]), `faultline-doctor ${key} ${said.exitCode ?? 0}`];
    })
    .join('\n');
};

export const fine: Host = {
  'date +%s 2>&1': { text: String(NOW / 1000) },
  'id -un 2>&1': { text: 'hpcops' },
  'uname -sr 2>&1': { text: 'Linux 5.14.0' },
  'scontrol --version 2>&1': { text: 'slurm 24.05.3' },
};

export const clock: Clock = {
  now: () => NOW,
  mono: () => 0,
  sleep: (_ms, signal) => new Promise((resolve) => signal?.addEventListener('abort', () => resolve())),
};

/** Transports whose hosts answer as the function says. */
export const transports = (
  reply: (host: string, request: RunRequest) => Promise<RawAnswer> | RawAnswer,
  badges: readonly ConnectionBadge[] = [],
): Transports => ({
  transportTo: (host): Transport => ({
    kind: 'ssh2',
    run: async (request) => reply(host, request),
    connection: () => ({ host, kind: 'ssh2', state: 'up', since: NOW, badges }),
    close: async () => {},
  }),
  connections: () => new Map(),
  close: async () => {},
});

export const obedient = (host: Host): ((name: string, request: RunRequest) => RawAnswer) => {
  return (_name, { script }) => (script === 'true' ? answer('') : answer(obey(script, host)));
};

export const ctl1 = site('  - {names: ctl1, roles: [slurm-controller]}');

/** All that doctor says about the first host of a site. */
export const checks = async (
  host: Host,
  where = ctl1,
  badges: readonly ConnectionBadge[] = [],
): Promise<readonly Check[]> => {
  const [report] = await examineAll(where, [system], transports(obedient(host), badges), clock);
  return report?.checks ?? [];
};

export const failed = (all: readonly Check[]): readonly Check[] =>
  all.filter(({ state }) => state === 'fail');
