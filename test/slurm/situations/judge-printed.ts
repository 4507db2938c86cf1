import { CommandFailed } from '../../../src/model/errors.ts';
import { explain } from '../../../src/collect/explain.ts';
import type { Finding, FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { slurmProbes } from '../../../probes/slurm/ask/probes.ts';
import { causes } from '../../../probes/slurm/causes.ts';
import { findings } from '../../../probes/slurm/judge/findings.ts';
import { answerOf } from '../../helpers/answer.ts';
import { judgementOf, siteOf, Sources, start } from '../../helpers/judging.ts';
import { nodesOf, type Printed, printed } from './printed-cluster.ts';

const seconds = 1000;

/** Lets the probes read what the commands of a host print, at this time. */
const readAll = (readings: Sources, host: string, cluster: Printed, at: number): void => {
  const outputs = printed(cluster);
  for (const { id, read } of slurmProbes) {
    const told = cluster.answers?.[id];
    if (told === 'timeout') {
      readings.fail(id, host, { kind: 'timeout', message: `${host}: timed out after 12 s` }, at);
      continue;
    }
    const stdout = told ? (told.out ?? '') : outputs[id];
    if (stdout === undefined) continue;
    const answer = answerOf(stdout, {
      stderr: told?.err ?? '',
      exitCode: told?.exit ?? 0,
      durationMs: told?.ms ?? 20,
    });
    try {
      const { value } = read(answer, { name: host } as never, {} as never);
      readings.good(id, host, value, at, answer.durationMs, 20);
    } catch (error) {
      const failed = error instanceof CommandFailed;
      const message = error instanceof Error ? error.message : String(error);
      readings.fail(
        id,
        host,
        failed ? { kind: 'command', code: error.code, message } : { kind: 'parse', message },
        at,
      );
    }
  }
};

/** What is judged after these readings in turn, a minute apart, the last one now. */
export const judged = (
  clusters: readonly Printed[] | Readonly<Record<string, Printed>>,
  slurm: unknown = {},
): Judgement => {
  const readings = new Sources();
  const series = Array.isArray(clusters)
    ? { ctl1: clusters as readonly Printed[] }
    : Object.fromEntries(
        Object.entries(clusters as Record<string, Printed>).map(([host, one]) => [host, [one]]),
      );
  const names = new Set<string>();
  for (const [host, list] of Object.entries(series))
    for (const [index, cluster] of list.entries()) {
      readAll(readings, host, cluster, start - (list.length - 1 - index) * 60 * seconds);
      for (const name of nodesOf(cluster).keys()) names.add(name);
    }
  const site = siteOf(
    [
      ...Object.keys(series).map((name) => ({ name, roles: ['slurm-controller'] })),
      ...[...names].map((name) => ({ name, roles: ['compute'] })),
    ],
    { settings: { slurm } },
  );
  return judgementOf({ site, readings });
};

/** The findings that a reader of `status` sees first, in the order of their severity; those that another one explains are left out. */
export const concluded = (judgement: Judgement): FindingDraft[] => {
  const list = findings(judgement);
  const folded = explain(list as unknown as Finding[], [{ system: 'slurm', causes }]);
  const order = ['critical', 'warning', 'notice'];
  return list
    .filter(({ id }) => !folded.has(id))
    .sort((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity));
};
