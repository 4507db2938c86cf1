import type { FindingDraft } from '../../../src/model/finding.ts';
import { evidenceFrom } from '../../../src/kit/findings.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { age } from '../../../src/text/ages.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { volumeLocksFrom } from './held-lock.ts';
import { isYoung } from './bricks.ts';
import { connectsWithinS } from './find-quorum.ts';
import { findOddPeers, rejectedPeers } from './find-rejected.ts';
import { finding, findPeer, findUnconnected, type Peer, peersOf } from './pool.ts';
import type { LogReading } from '../readings.ts';

/** What is wrong of one host. */
export type Made = Pick<FindingDraft, 'kind' | 'severity' | 'summary' | 'advice'> & {
  host: string;
  evidence?: string;
  probe?: string;
};

const makeFinding = (
  { host, evidence, probe = 'gluster.peer', ...rest }: Made,
  judgement: Judgement,
): FindingDraft =>
  finding({
    ...rest,
    key: host,
    subject: { kind: 'host', id: host },
    evidence: [
      {
        probe,
        host,
        ...evidenceFrom(judgement.readings.source(probe, host), evidence ?? rest.summary),
        ...(keepsWaiting.has(rest.kind) && {
          values: { peers: fold(peersOf(judgement).map((peer) => peer.host)) },
        }),
      },
    ],
    ...(goesSilent.has(rest.kind) && { lacks: [{ what: 'data', of: [{ kind: 'host', id: host }] }] }),
  });

/** Kinds that a host which is out of reach brings about. */
const goesSilent: ReadonlySet<string> = new Set(['peer-disconnected', 'glusterd-down', 'glusterd-silent']);

/** Kinds in which commands on the peers of its pool wait for a glusterd. */
const keepsWaiting: ReadonlySet<string> = new Set(['glusterd-silent', 'glusterd-stopped']);

/** glusterd itself, peer by peer, and what peers think of each other. */
export const peerFindings = (judgement: Judgement): FindingDraft[] =>
  [
    ...peersOf(judgement).flatMap(daemonProblems),
    ...disconnected(judgement),
    ...rejectedPeers(judgement),
    ...oldLocks(judgement),
  ].map((problem) => makeFinding(problem, judgement));

const daemonProblems = (peer: Peer): Made[] => {
  const { host, state, reading } = peer;
  const bricks = reading?.processes.filter(({ kind }) => kind === 'brick').length ?? 0;
  const served = bricks === 0 ? '' : `; its ${bricks === 1 ? 'brick goes' : `${bricks} bricks go`} on`;
  const base = { host, severity: 'critical' as const };
  if (state === 'stopped')
    return [
      {
        ...base,
        kind: 'glusterd-stopped',
        summary: `glusterd of ${host} stopped (SIGSTOP): peers list it as Connected, commands wait${served}`,
        advice: 'Continue that glusterd (SIGCONT): a transaction that waits then still takes effect.',
        evidence: `state T, pid ${reading?.daemon.pid ?? '?'}`,
      },
    ];
  const { hook } = reading ?? {};
  if (state === 'silent' && hook)
    return [
      {
        ...base,
        kind: 'glusterd-hook',
        summary: `glusterd of ${host} silent: waits ${age(hook.ageS * 1000)} for its hook ${hook.file.split('/').at(-1)}${served}`,
        advice: `Look at ${hook.file}: the command that started this hook goes on when the hook ends.`,
        evidence: `${hook.file}, a child of glusterd`,
      },
    ];
  if (state === 'silent')
    return [
      {
        ...base,
        kind: 'glusterd-silent',
        summary: `glusterd of ${host} runs but does not answer: ${reading?.silent ?? ''}`,
        advice: 'Read the log of that glusterd; commands on any peer may wait for an answer.',
      },
    ];
  if (state === 'starting')
    return [
      {
        ...base,
        severity: 'notice',
        kind: 'glusterd-starting',
        summary: `glusterd of ${host} started ${reading?.daemon.ageS ?? '?'} s ago and does not answer yet`,
        advice: 'Wait a minute: a glusterd that starts answers late.',
      },
    ];
  if (state !== 'down') return [];
  return [
    {
      ...base,
      severity: 'warning',
      kind: 'glusterd-down',
      summary: `glusterd of ${host} does not run${served}`,
      advice: `Start that glusterd and read its log; no volume can be changed safely while it is away.`,
    },
  ];
};

/**
 * Peers that are there and are not seen: network, firewall, or one that answers nobody. One that is cut off sees none of the others, who
 * see each other: that is told of it, not of each of them.
 */
const disconnected = (judgement: Judgement): Made[] => {
  const isSettled = (host: string): boolean => !isYoung(host, connectsWithinS, judgement);
  const pairs = findUnconnected(judgement).filter(({ from, to }) => {
    const peer = findPeer(to, judgement);
    return peer !== undefined && peer.state !== 'down' && isSettled(from) && isSettled(to);
  });
  const cutOff = findOddPeers(pairs).flatMap(({ names: [name = ''], by }) =>
    by.length > 0 ? [{ name, by }] : [],
  );
  const isCutOff = (host: string): boolean => cutOff.some(({ name }) => name === host);
  const unseen = Map.groupBy(
    pairs.filter(({ from, to }) => isCutOff(to) || !isCutOff(from)),
    ({ to }) => to,
  );
  return [
    ...[...unseen].map(([host, group]) => {
      const by = group.map(({ from }) => from).join(', ');
      const isUp = findPeer(host, judgement)?.state === 'up';
      return seenProblem(host, {
        summary: `${host} disconnected for ${by}${isUp ? ' though its glusterd runs' : ''}`,
        evidence: `pool list on ${by}: ${host} Disconnected`,
      });
    }),
    ...cutOff
      .filter(({ name }) => !unseen.has(name))
      .map(({ name, by }) =>
        seenProblem(name, {
          summary: `${name} does not see ${by.join(', ')}, who see it`,
          evidence: `pool list on ${name}: ${by.join(', ')} Disconnected`,
        }),
      ),
  ];
};

const seenProblem = (host: string, texts: { summary: string; evidence: string }): Made => ({
  host,
  kind: 'peer-disconnected',
  severity: 'warning',
  advice: 'Look at the network between them (port 24007) and at the clock of either log.',
  ...texts,
});

const oldLocks = (judgement: Judgement): Made[] => {
  const old = peersOf(judgement).find(
    ({ reading }) => (reading?.opVersion ?? volumeLocksFrom) < volumeLocksFrom,
  );
  if (!old) return [];
  return [
    {
      host: old.host,
      kind: 'old-op-version',
      severity: 'notice',
      summary: `gluster op-version ${old.reading?.opVersion}: one lock for all volumes, no lock timer`,
      advice: 'Raise cluster.op-version once all peers and clients allow it.',
    },
  ];
};

/** What can't be read of logs and dumps: without them a lock is found late or not at all. */
export const blindFindings = (judgement: Judgement): FindingDraft[] =>
  peersOf(judgement).flatMap(({ host, lock }) => {
    const skipped = lock?.good?.value.skipped;
    const log = judgement.readings.source<LogReading>('gluster.log', host)?.good?.value;
    const lines = [
      ...(skipped === 'denied' || skipped === 'unreadable' || skipped === 'uncaught' || skipped === 'nodump'
        ? [`${host}: locks not read: ${said[skipped]}`]
        : []),
      ...(log && log.state !== 'read'
        ? [`${host}: glusterd's log ${log.state === 'missing' ? 'missing' : 'not readable'}: ${log.file}`]
        : []),
    ];
    return lines.map((summary, index) =>
      makeFinding(
        {
          host,
          kind: index === 0 && skipped !== undefined ? 'lock-unseen' : 'log-unseen',
          severity: 'notice',
          summary,
          advice: 'Reading needs root or sudo there; the evidence holds what the host said.',
          probe: 'gluster.lock',
        },
        judgement,
      ),
    );
  });

const said = {
  denied: 'glusterd may not be signalled',
  unreadable: 'the folder of dumps may not be read',
  uncaught: 'glusterd does not wait for SIGUSR1',
  nodump: 'no dump came within 4 s',
} as const;
