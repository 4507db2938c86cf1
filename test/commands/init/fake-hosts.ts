import type { ConnectFailureKind, RawAnswer, Transport } from '../../../src/model/answer.ts';
import type { Candidate } from '../../../src/commands/init/candidates.ts';
import { draftSite } from '../../../src/commands/init/draft.ts';
import type { Draft } from '../../../src/site/draft.ts';
import { findSite, type Found, type Outside } from '../../../src/commands/init/rounds.ts';
import { discoveries } from '../../../src/registries/discoveries.ts';
import { systems } from '../../../src/registries/systems.ts';
import nodeNames from '../../../probes/slurm/ask/node-names.sh';
import { answerOf, broken } from '../../collect/helpers/fake-site.ts';

/** What a machine answers to a command, word for word; others are not there. A text: it ended well. */
export type Says = Readonly<Record<string, string | { text: string; code: number }>>;

/** A machine with these answers, one that refuses, or a device that answers lines. */
export type Machine =
  { says: Says } | { refuses: ConnectFailureKind } | { types: Readonly<Record<string, string>> };

/** What a machine with scontrol says of a cluster. */
export const slurmSays = (controllers: readonly string[], nodes: readonly string[], more = ''): Says => ({
  'scontrol show config': [
    'ClusterName             = alpha',
    'SlurmdTimeout           = 300 sec',
    'SlurmUser               = slurm(64030)',
    ...controllers.map((name, at) => `SlurmctldHost[${at}]        = ${name}`),
    more,
  ].join('\n'),
  [nodeNames]: nodes.map((name) => `NodeName=${name}\n`).join(''),
});

const unquote = (word: string): string =>
  word.startsWith("'") ? word.slice(1, -1).replaceAll(`'\\''`, "'") : word;

/** Goes through the script as sh would. */
const obey = (script: string, says: Says): string =>
  [...script.matchAll(/^part (q\d+) timeout -k 1 8 sh -c ((?:'[^']*'|\\')+|\S+)$/gm)]
    .flatMap(([, key, command = '']) => {
      const said = says[unquote(command)] ?? { text: '', code: 127 };
      const { text, code } = typeof said === 'string' ? { text: said, code: 0 } : said;
      return [`@@faultline ${key}`, text, `@@faultline ${key}-exit ${code}`];
    })
    .join('\n');

const transportOf = (host: string, machine: Machine, asked: string[]): Transport => ({
  kind: 'ssh2',
  run: async ({ script }): Promise<RawAnswer> => {
    asked.push(host);
    if ('says' in machine) return answerOf(obey(script, { 'uname -n': host, ...machine.says }));
    if ('types' in machine) return broken({ notConnected: { kind: 'other', message: `${host}: no shell` } });
    return broken({
      notConnected: { kind: machine.refuses, message: `${host}: ${machine.refuses}`, untouched: true },
    });
  },
  type: async ({ lines }): Promise<RawAnswer> =>
    'types' in machine
      ? answerOf(lines.map((line) => machine.types[line] ?? '').join('\n'))
      : broken({ notConnected: { kind: 'other', message: `${host}: no command line` } }),
  connection: () => ({ host, kind: 'ssh2', state: 'up', since: 0, badges: [] }),
  close: async () => {},
});

export interface Tried {
  found: Found;
  draft: Draft;
  /** Hosts that were asked, in the order of asking. */
  asked: readonly string[];
  /** What each question was about. */
  questions: readonly (readonly Candidate[])[];
  told: readonly string[];
}

/** Looks for a site on these machines; any other is unknown to the name service. `here`: this machine. */
export const tryInit = async (
  typed: readonly string[],
  machines: Readonly<Record<string, Machine>>,
  {
    here = { 'uname -n': 'laptop' },
    yes = () => true,
    platformOf = () => undefined,
    signal = new AbortController().signal,
  }: {
    here?: Says;
    yes?: (hosts: readonly Candidate[]) => boolean;
    platformOf?: (host: string) => string | undefined;
    signal?: AbortSignal;
  } = {},
): Promise<Tried> => {
  const asked: string[] = [];
  const questions: (readonly Candidate[])[] = [];
  const told: string[] = [];
  const outside: Outside = {
    discoveries,
    transportTo: (host) => transportOf(host, machines[host] ?? { refuses: 'dns' }, asked),
    local: transportOf('laptop', { says: here }, []),
    confirm: async (hosts) => {
      questions.push(hosts);
      return yes(hosts);
    },
    tell: (line) => told.push(line),
    platformOf,
    signal,
  };
  const found = await findSite(typed, 'named on the command line', outside);
  const draft = draftSite(found, {
    roles: [...new Set(systems.flatMap(({ roles }) => roles))],
    notes: [],
    places: [],
    now: new Date(0),
  });
  return { found, draft, asked, questions, told };
};

/** Name to roles, as the draft has them. */
export const rolesOf = ({ hosts }: Draft): Record<string, readonly string[]> =>
  Object.fromEntries(hosts.map(({ name, roles }) => [name, roles]));
