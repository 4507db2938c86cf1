import { memoPerJudgement } from '../../../src/kit/memo.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { clusterOf, hostOf } from './cluster.ts';
import { sourceOf } from './clusters.ts';
import type { AliveReading, ConfigReading, SlurmNode } from '../readings.ts';
import { carriersOf, coverage, fewest } from './place.ts';
import { plansOf } from './planned.ts';
import { hasFlag, isFuture, troubleOf, whyOff } from './trouble.ts';

/** Nodes that went away at one moment. */
export interface Loss {
  /** `breaker=b7`, or the minute when no label is shared. */
  key: string;
  label?: { name: string; value: string; hosts: number };
  /** These are all nodes of the cluster that were in service. */
  whole?: true;
  nodes: readonly SlurmNode[];
  /** UTC ms of the first and the last sign. */
  from: number;
  to: number;
  /** Nodes of which Slurm has noticed. */
  noticed: number;
  /** UTC ms at which our own connections dropped, oldest first. */
  dropped: readonly number[];
}

interface Sign {
  node: SlurmNode;
  host: string | undefined;
  at: number;
  noticed: boolean;
  droppedAt?: number;
}

/** Without a shared label it takes more of them to believe in one. */
const fewestWithoutLabel = 8;

/** slurm.conf(5): SlurmdTimeout's default, s. */
const defaultTimeoutS = 300;

const goneKinds = new Set(['connect', 'lost', 'timeout']);

/**
 * UTC ms since when a host that we did reach does not answer us any more: the first failure in a row, or the moment our
 * connection dropped when that was earlier. Undefined while it answers, and for hosts never reached, which prove nothing.
 */
const silentSince = (host: string, { readings, connections }: Judgement): number | undefined => {
  const source = readings.source<AliveReading>('slurm.alive', host);
  if (!source?.good) return undefined;
  const failing =
    source.failure !== undefined && goneKinds.has(source.failure.kind) ? source.failingSince : undefined;
  const connection = connections.get(host);
  const down =
    connection?.state === 'down' && connection.since > source.good.at ? connection.since : undefined;
  if (failing === undefined) return down;
  return down === undefined ? failing : Math.min(failing, down);
};

/**
 * Nodes that share a location label and went one within a SlurmdTimeout of the other, or many within one. Signs are Slurm's own
 * mark and the moment our own connection dropped, which comes first.
 */
export const findLostTogether = memoPerJudgement((judgement): readonly Loss[] => {
  const timeoutS = sourceOf<ConfigReading>(judgement.readings, 'slurm.config')?.good?.value.slurmdTimeoutS;
  const windowMs = Math.max(60, timeoutS ?? defaultTimeoutS) * 1000;
  return chains(signsOf(judgement), windowMs).flatMap((signs) => explainChain(signs, windowMs, judgement));
});

const signsOf = (judgement: Judgement): Sign[] => {
  const { readings, site } = judgement;
  const cluster = clusterOf(readings);
  if (!cluster) return [];
  const plans = plansOf(judgement);
  const signs: Sign[] = [];
  const ours: Sign[] = [];
  for (const node of cluster.index.nodes) {
    if (plans.has(node.name)) continue;
    const trouble = node.flags.length === 0 && node.state !== 'DOWN' ? undefined : troubleOf(node);
    // It went because a reboot was ordered; slurmctld writes so behind the reason, or alone where there is none (node_mgr.c).
    if (/(?:^|: )reboot (?:issued|timed out)/i.test(node.reason ?? '')) continue;
    const gone =
      trouble === 'notResponding' ||
      (trouble === 'drain' && node.state === 'DOWN' && hasFlag(node, 'NOT_RESPONDING'));
    const host = hostOf(site, node.name);
    const droppedAt = host === undefined ? undefined : silentSince(host, judgement);
    const at = gone && trouble === 'notResponding' ? (node.reasonAt ?? droppedAt) : droppedAt;
    if (at === undefined || (trouble !== undefined && !gone)) continue;
    const sign = { node, host, at, noticed: gone, ...(droppedAt !== undefined && { droppedAt }) };
    if (gone) signs.push(sign);
    else ours.push(sign);
  }
  // When nearly everything is silent to us but not to Slurm, it is our own way there that broke.
  const believable = cluster.source.state === 'fresh' && ours.length < cluster.index.total / 2;
  return [...signs, ...(believable ? ours : [])].sort((a, b) => a.at - b.at);
};

/** Each within a window of the one before: of a large rack slurmctld hears node by node that it is gone. */
const chains = (signs: readonly Sign[], windowMs: number): Sign[][] => {
  const found: Sign[][] = [];
  for (const sign of signs) {
    const current = found.at(-1);
    if (sign.at - (current?.at(-1)?.at ?? -Infinity) <= windowMs) current?.push(sign);
    else found.push([sign]);
  }
  return found.filter((chain) => chain.length >= fewest);
};

/** All within one window: without a label only the moment says that they belong together. */
const sweeps = (signs: readonly Sign[], windowMs: number): Sign[][] => {
  const found: Sign[][] = [];
  for (const sign of signs) {
    const current = found.at(-1);
    if (current && sign.at - (current[0]?.at ?? 0) <= windowMs) current.push(sign);
    else found.push([sign]);
  }
  return found.filter((sweep) => sweep.length >= fewest);
};

const explainChain = (signs: readonly Sign[], windowMs: number, judgement: Judgement): Loss[] => {
  const { site } = judgement;
  const whole = wholeCluster(signs, windowMs, judgement);
  if (whole) return [whole];
  const losses: Loss[] = [];
  let left = [...signs];
  for (let label = bestLabel(left, judgement); label !== undefined; label = bestLabel(left, judgement)) {
    const { name, value, hosts } = label;
    const mine = left.filter(({ host }) => host !== undefined && site.host(host)?.location[name] === value);
    losses.push(lossOf(`${name}=${value}`, mine, { name, value, hosts }));
    left = left.filter((sign) => !mine.includes(sign));
  }
  const unlabelled = sweeps(
    left.filter((sign) => sign.noticed),
    windowMs,
  ).filter(({ length }) => length >= fewestWithoutLabel);
  return [...losses, ...unlabelled.map((sweep) => lossOf(momentKey(sweep), sweep))];
};

const momentKey = (sweep: readonly Sign[]): string =>
  `at ${new Date(Math.min(...sweep.map((sign) => sign.at))).toISOString().slice(0, 16)}Z`;

/** All of the cluster at one moment, where no label carries all of it: each rack by itself would hide what they share. */
const wholeCluster = (signs: readonly Sign[], windowMs: number, judgement: Judgement): Loss | undefined => {
  const [from = 0, to = 0] = [signs[0]?.at, signs.at(-1)?.at];
  const isMoment = to - from <= windowMs && signs.every(({ noticed }) => noticed);
  return signs.length >= fewestWithoutLabel &&
    isMoment &&
    isWholeCluster(signs, judgement) &&
    bestLabel(signs, judgement)?.lost !== signs.length
    ? { ...lossOf(momentKey(signs), signs), whole: true }
    : undefined;
};

/** Whether these are all nodes of the cluster that were in service: the others are out for reasons of their own, powered off, or none yet. */
const isWholeCluster = (signs: readonly Sign[], { readings }: Judgement): boolean => {
  const names = new Set(signs.map(({ node }) => node.name));
  const all = clusterOf(readings)?.index.nodes ?? [];
  return all.every(
    (node) =>
      names.has(node.name) ||
      isFuture(node) ||
      whyOff(node) === 'power saving' ||
      troubleOf(node) !== undefined,
  );
};

/** The label that most of them carry and that carries little else; of equals the narrower one. */
const bestLabel = (
  signs: readonly Sign[],
  judgement: Judgement,
): { name: string; value: string; lost: number; hosts: number } | undefined => {
  const { site } = judgement;
  const counts = new Map<string, { name: string; value: string; lost: number }>();
  for (const { host } of signs) {
    for (const [name, value] of Object.entries(
      (host === undefined ? undefined : site.host(host)?.location) ?? {},
    )) {
      const one = counts.get(`${name}=${value}`) ?? { name, value, lost: 0 };
      one.lost += 1;
      counts.set(`${name}=${value}`, one);
    }
  }
  return [...counts.values()]
    .filter(({ lost }) => lost >= fewest)
    .map((one) => ({
      ...one,
      hosts: carriersOf(one, judgement),
    }))
    .filter(({ lost, hosts }) => lost >= hosts * coverage)
    .sort((a, b) => b.lost - a.lost || a.hosts - b.hosts)[0];
};

const lossOf = (key: string, signs: readonly Sign[], label?: Loss['label']): Loss => ({
  key,
  ...(label && { label }),
  nodes: signs.map((sign) => sign.node),
  from: Math.min(...signs.map((sign) => sign.at)),
  to: Math.max(...signs.map((sign) => sign.at)),
  noticed: signs.filter((sign) => sign.noticed).length,
  dropped: signs.flatMap((sign) => sign.droppedAt ?? []).sort((a, b) => a - b),
});
