import type { Judgement } from '../../../src/model/system.ts';
import { hasTimer, type HeldLock, timerMs, whyUnseen, volumeLocksFrom } from './held-lock.ts';
import { eventsOf, hostOfUuid, nameOfUuid, lastTimeWithoutLock, type Peer, peersOf } from './pool.ts';

/** How long a refusal in the log speaks for a lock that no dump can show. */
const refusalSpeaksMs = 10 * 60_000;

/**
 * Refusals on peers whose dump was never read (a wall asks for none): somebody was refused, by whom and for whom. Whether it is
 * still so is not known, and said so.
 */
export const locksFromRefusals = (judgement: Judgement): HeldLock[] => {
  const peers = peersOf(judgement);
  const blind = new Map(peers.flatMap((peer) => (peer.dump ? [] : [[peer.host, peer] as const])));
  const refusals = eventsOf(judgement).filter(
    ({ kind, volume, holder, host, ourAt }) =>
      kind === 'lockRefused' &&
      volume !== undefined &&
      holder !== undefined &&
      blind.has(host) &&
      ourAt >= lastTimeWithoutLock(host, hostOfUuid(holder, judgement), judgement),
  );
  return [...Map.groupBy(refusals, ({ volume, holder }) => `${volume} ${holder}`).values()].flatMap(
    (events) => {
      const first = events[0];
      const last = events.at(-1);
      if (first?.volume === undefined || first.holder === undefined || !last) return [];
      if (judgement.now - last.ourAt > timerMs) return [];
      const ownerHost = hostOfUuid(first.holder, judgement);
      const on = [...new Set(events.map(({ host }) => host))];
      return [
        {
          volume: first.volume,
          type: 'vol',
          owner: first.holder,
          ...(ownerHost !== undefined && { ownerHost }),
          ownerName: nameOfUuid(first.holder, judgement),
          on,
          free: [],
          unseen: on.map((host) => ({ host, why: blindWhy(blind.get(host)) })),
          kind: 'held',
          reasons: ['its log has a refused command; whether it is still held is not read'],
          since: first.ourAt,
          evidence: [{ text: `log: ${last.text}`, host: last.host, probe: 'gluster.log', at: last.ourAt }],
          ...(hasTimer(blind.get(first.host), peers) && { endsAt: first.ourAt + timerMs }),
          rivals: [],
        },
      ];
    },
  );
};

const blindWhy = (peer: Peer | undefined): string => (peer && whyUnseen(peer, 0)) ?? 'no dump yet';

/** Op-version below 3.6: one lock for all volumes, without timer; the log of a refusal is all there is. */
export const locksFromLogs = (judgement: Judgement): HeldLock[] => {
  const peers = peersOf(judgement);
  if (!peers.some(({ reading }) => (reading?.opVersion ?? volumeLocksFrom) < volumeLocksFrom)) return [];
  const recent = eventsOf(judgement).filter(
    (event) =>
      event.kind === 'lockRefused' &&
      event.volume === undefined &&
      judgement.now - event.ourAt < refusalSpeaksMs,
  );
  const last = recent.at(-1);
  if (!last?.holder) return [];
  const owner = last.holder;
  const same = recent.filter((event) => event.holder === owner);
  const on = [...new Set(same.map(({ host }) => host))];
  const bad = peers.find(({ state }) => state === 'stopped' || state === 'silent');
  const ownerHost = hostOfUuid(owner, judgement);
  return [
    {
      type: 'global',
      owner,
      ...(ownerHost !== undefined && { ownerHost }),
      ownerName: nameOfUuid(owner, judgement),
      on,
      free: [],
      unseen: [],
      kind: bad ? 'blocked' : 'held',
      ...(bad && { waitsFor: { host: bad.host, state: bad.state } }),
      reasons: [
        'op-version below 30600: one lock for all volumes, which no timer ends',
        ...(bad ? [`glusterd of ${bad.host} is ${bad.state}`] : []),
      ],
      since: same[0]?.ourAt ?? last.ourAt,
      evidence: [{ text: `log: ${last.text}`, host: last.host, probe: 'gluster.log', at: last.ourAt }],
      rivals: [],
    },
  ];
};
