import type { NodesReading, SlurmJob, SlurmNode } from '../../probes/slurm/readings.ts';
import { judgementOf, siteOf, Sources, start } from '../helpers/judging.ts';

/** A node in service, with what is given. */
export const node = (name: string, more: Partial<SlurmNode> = {}): SlurmNode => ({
  name,
  state: 'IDLE',
  flags: [],
  partitions: ['batch'],
  ...more,
});

const minute = 60_000;

/** Drained by the health check, 43 minutes ago. */
export const sick = (name: string, more: Partial<SlurmNode> = {}): SlurmNode =>
  node(name, {
    flags: ['DRAIN'],
    reason: 'NHC: HDFS mount lost',
    reasonUser: 'root',
    reasonAt: start - 43 * minute,
    ...more,
  });

export const silent = (name: string, at = start - 7 * minute): SlurmNode =>
  node(name, {
    state: 'DOWN',
    flags: ['NOT_RESPONDING'],
    reason: 'Not responding',
    reasonUser: 'slurm',
    reasonAt: at,
  });

export const drainedBy = (
  name: string,
  user: string,
  reason: string,
  more: Partial<SlurmNode> = {},
): SlurmNode =>
  node(name, { flags: ['DRAIN'], reason, reasonUser: user, reasonAt: start - 60 * minute, ...more });

export const withCheck = { check: { command: ['/usr/sbin/nhc'], env: { MARK_OFFLINE: '0' } } };

/** `n1` to `nN` in service with these in their places, a controller `ctl1` that has just answered, and hosts for all. */
export const cluster = (
  special: readonly SlurmNode[],
  options: {
    total?: number;
    slurm?: unknown;
    location?: (name: string) => Record<string, string>;
    jobs?: readonly SlurmJob[];
    messageTimeoutS?: number;
  } = {},
) => {
  const { total = 100, slurm = withCheck, location = () => ({}), jobs = [], messageTimeoutS = 10 } = options;
  const known = new Map(special.map((one) => [one.name, one]));
  const names = [...new Set([...Array.from({ length: total }, (_, at) => `n${at + 1}`), ...known.keys()])];
  const nodes = names.map((name) => known.get(name) ?? node(name));
  const site = siteOf(
    [
      { name: 'ctl1', roles: ['slurm-controller'] },
      ...names.map((name) => ({ name, roles: ['compute'], location: location(name) })),
    ],
    { settings: { slurm } },
  );
  const readings = new Sources();
  const put = (list: readonly SlurmNode[]): void =>
    readings.good('slurm.nodes', 'ctl1', { form: 'text', nodes: [...list] } satisfies NodesReading);
  put(nodes);
  readings.good('slurm.jobs', 'ctl1', { jobs });
  readings.good('slurm.config', 'ctl1', { messageTimeoutS });
  return {
    site,
    readings,
    nodes,
    judgement: () => judgementOf({ site, readings }),
    check: (name: string, text?: string) =>
      readings.good('slurm.check', name, {
        pass: text === undefined,
        exitCode: text === undefined ? 0 : 1,
        text: text ?? '',
      }),
    /** What the next reading of the nodes says. */
    change: (...changed: readonly SlurmNode[]) => {
      const by = new Map(changed.map((one) => [one.name, one]));
      put(nodes.map((one) => by.get(one.name) ?? one));
    },
  };
};
