import type { Answer } from '../../../src/model/answer.ts';
import { CommandFailed, ParseError } from '../../../src/model/errors.ts';
import type { HostView } from '../../../src/model/site.ts';
import type { AskContext, Probe } from '../../../src/model/system.ts';
import { withEnv } from '../../../src/text/shell.ts';
import { nodesOnHost } from '../judge/cluster.ts';
import { clustersOf, readingsOf, siteOfCluster } from '../judge/clusters.ts';
import { ownerOf } from '../judge/ownership.ts';
import { type AliveReading, aliveSchema, type CheckReading, checkSchema } from '../readings.ts';
import { settingsOf } from '../settings.ts';
import { troubleOf } from '../judge/trouble.ts';

/** The health check of each cluster that has a node on this host, and whether it took that out. */
const checksOn = ({ name }: HostView, { site, readings }: AskContext) =>
  clustersOf(readings).flatMap((cluster) => {
    const nodes = nodesOnHost(readingsOf(readings, cluster), site, name);
    const settings = settingsOf(siteOfCluster(site, cluster, readings));
    const { check } = settings;
    const tookOut =
      check.command !== undefined &&
      nodes.some((node) => troubleOf(node) !== undefined && ownerOf(node, settings).kind === 'health');
    return nodes.length === 0 ? [] : [{ check, tookOut }];
  });

/** Nodes that the health check took out: only those are asked again and again whether they pass now. */
const isDrainedByCheck = (host: HostView, context: AskContext): boolean => {
  const { check, clusters } = settingsOf(context.site);
  if (check.command === undefined && clusters.length === 0) return false;
  return checksOn(host, context).some(({ tookOut }) => tookOut);
};

/** NHC's own preamble says nothing that the screen does not say already. */
const preamble = /^(?:ERROR:\s+)?(?:\S*nhc\S*:\s+)?Health check failed:\s*/i;

const readCheck = (answer: Answer): { value: CheckReading } => {
  const { exitCode, stdout, stderr } = answer;
  if (exitCode === undefined) throw new CommandFailed('other', 'the check ended without an exit code');
  if (exitCode === 126 || exitCode === 127) {
    throw new CommandFailed('noCommand', `the check can't be run: ${lastLine(stderr) || `exit ${exitCode}`}`);
  }
  const text = (lastLine(stderr) || lastLine(stdout)).replace(preamble, '');
  return {
    value: { pass: exitCode === 0, exitCode, text: exitCode === 0 ? text : text || `exit ${exitCode}` },
  };
};

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1)?.trim().slice(0, 300) ?? '';

/** The site's own side-effect-free check, on the node itself. It may hang with the mount it looks at. */
export const checkProbe: Probe<CheckReading> = {
  id: 'slurm.check',
  role: 'compute',
  everyMs: 60_000,
  touches: 'nothing',
  mayHang: true,
  parallel: 8,
  when: isDrainedByCheck,
  ask: (host, context) => {
    const all = checksOn(host, context);
    // A host may have nodes of two clusters, of which only one has a check, or is known.
    const one =
      all.find(({ tookOut }) => tookOut) ??
      all.find(({ check }) => check.command !== undefined) ??
      all[0] ??
      settingsOf(context.site);
    const { command = ['false'], env, timeoutMs } = one.check;
    return { script: withEnv(env, command), deadlineMs: timeoutMs };
  },
  read: readCheck,
  schema: checkSchema,
};

const readAlive = ({ stdout }: Answer): { value: AliveReading } => {
  const uptime = /^(\d+(?:\.\d+)?) /.exec(stdout)?.[1];
  if (uptime === undefined) throw new ParseError('no uptime', 'line 1', stdout);
  return { value: { uptimeS: Number(uptime) } };
};

/** Keeps a connection to every node: the moments at which they drop say what failed together. */
export const aliveProbe: Probe<AliveReading> = {
  id: 'slurm.alive',
  role: 'compute',
  everyMs: 60_000,
  touches: 'nothing',
  background: true,
  parallel: 32,
  when: (_host, { site }) => site.hostsWithRole('compute').length <= settingsOf(site).watchNodes,
  ask: () => ({ script: 'cat /proc/uptime' }),
  read: readAlive,
  schema: aliveSchema,
};
