import { describe, expect, it } from 'vitest';
import { concluded, judged } from './judge-printed.ts';
import { type Printed } from './printed-cluster.ts';

const told = (...clusters: Printed[]): string[] =>
  concluded(judged(clusters)).map(({ severity, kind, summary }) => `${severity} ${kind}: ${summary}`);
const everything = ['nodes', 'jobs', 'sdiag', 'partitions', 'reservations', 'config'];
const all = (answer: { err?: string; exit?: number } | 'timeout'): NonNullable<Printed['answers']> =>
  Object.fromEntries(everything.map((one) => [`slurm.${one}`, answer]));
/** Where something was not read: what is said of it, and never that slurmctld is down. */
const unread: readonly (readonly [string, Printed, RegExp])[] = [
  [
    'JSON that is cut',
    {
      answers: {
        'slurm.nodes': {
          out: '{"meta":{"command":["show","nodes"]},"errors":[],"nodes":[{"name":"n1","state":["IDLE"],"par',
        },
      },
    },
    /^warning not-readable: .*broken JSON/,
  ],
  [
    'an error beside one node',
    {
      answers: {
        'slurm.nodes': {
          out: '{"errors":[{"error":"Zero Bytes were transmitted or received","error_number":1007}],"nodes":[{"name":"n1","state":["IDLE"],"partitions":["batch"]}]}',
        },
      },
    },
    /^warning not-readable: slurmctld on ctl1 answers/,
  ],
  [
    'a list without nodes and without an error',
    { answers: { 'slurm.nodes': { out: '{"errors":[],"warnings":[],"nodes":[]}' } } },
    /^warning not-readable: slurmctld on ctl1 answers/,
  ],
  [
    'only the nodes time out',
    { answers: { 'slurm.nodes': 'timeout' } },
    /^warning not-readable: slurmctld on ctl1 answers/,
  ],
  [
    'no configuration',
    { answers: all({ err: 'scontrol: fatal: Could not establish a configuration source', exit: 1 }) },
    /^warning not-readable: .*scontrol/,
  ],
  [
    'no such command',
    { answers: all({ err: 'sh: 1: scontrol: not found', exit: 127 }) },
    /^warning not-readable: .*not found/,
  ],
  [
    'sudo asks for a password',
    { answers: all({ err: 'sudo: a password is required', exit: 1 }) },
    /^warning not-readable: /,
  ],
  [
    'a client of another release',
    {
      answers: all({
        err: 'slurm_load_node error: Incompatible versions of client and server code',
        exit: 1,
      }),
    },
    /^warning not-readable: /,
  ],
];

describe('what was not read', () => {
  it.each(unread)('%s: not read, and no verdict on slurmctld', (_name, cluster, first) => {
    const lines = told(cluster);
    expect(lines[0]).toMatch(first);
    expect(lines.join('\n')).not.toMatch(/is down|hangs/);
  });

  it('a slurmctld that hangs and one that is gone are told apart', () => {
    const ping = (ms: number) => ({ out: 'Slurmctld(primary) at ctl1 is DOWN\n', exit: 1, ms });
    const hung = { answers: { ...all('timeout'), 'slurm.ping': ping(10_000) } };
    expect(told(hung)[0]).toMatch(/^critical controller-hung/);
    const gone = all({
      err: 'slurm_load_node error: Unable to contact slurm controller (connect failure)',
      exit: 1,
    });
    expect(told({ answers: { ...gone, 'slurm.ping': ping(20) } })[0]).toMatch(/^critical controller-down/);
  });
});
