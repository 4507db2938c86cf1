import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { count, groupThousands } from '../../../src/text/units.ts';
import { type IoWindow, ioWindows } from './io-times.ts';
import { hurtClients } from './hurt-clients.ts';
import { lustreOf } from './join.ts';
import {
  shortTarget,
  finding,
  foldTargets,
  fsOf,
  ostSubject,
  proof,
  subjectsOf,
  suspectsOf,
  summary,
} from './names.ts';

/** Half of what a slow OST does takes longer than half of this, ms: no disk does so for long while others are quick. */
const slowMs = 1024;
/** So many times as long as the others. */
const timesSlower = 8;
/** Fewer others that do something are nothing to compare with. */
const fewPeers = 3;
/** Where more than one in three is slow it is the load, or they are of another kind. */
const mostSlow = 3;
/** So many times as much as the others: an OST that has more to do is busy, not slow. */
const timesBusier = 2;
/** Two looks 2 s apart (`status`) prove it only by many; a minute's do. */
const longS = 30;
const manyIos = 50;

interface Slow {
  own: IoWindow;
  /** Half of what the others did took so long at most, ms. */
  peersMs: number;
  peers: number;
}

/** OSTs whose disks take far longer than those of the others of their file system, which have as much to do. */
export const slowFindings = (judgement: Judgement): FindingDraft[] => {
  const slow = slowOnes(ioWindows(judgement));
  const byServer = Map.groupBy(slow, ({ own }) => `${fsOf(own.ost)} ${own.oss}`);
  return [...byServer.values()].flatMap((list) => slowFinding(list, judgement));
};

const slowOnes = (windows: readonly IoWindow[]): Slow[] =>
  [...Map.groupBy(windows, ({ ost, direction }) => `${fsOf(ost)} ${direction}`).values()].flatMap((all) => {
    const slow = all.flatMap((own) => slowBeside(own, all) ?? []);
    return slow.length * mostSlow <= all.length ? slow : [];
  });

const slowBeside = (own: IoWindow, all: readonly IoWindow[]): Slow | undefined => {
  if (own.halfMs < slowMs || all.length <= fewPeers) return undefined;
  const peers = all.filter((one) => one !== own);
  const peersMs = median(peers.map(({ halfMs }) => halfMs));
  const rate = median(peers.map(rateOf));
  const isSlow = own.halfMs >= peersMs * timesSlower && rateOf(own) <= rate * timesBusier;
  return isSlow ? { own, peersMs, peers: peers.length } : undefined;
};

const rateOf = ({ ios, seconds }: IoWindow): number => ios / seconds;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Infinity;

const slowFinding = (list: readonly Slow[], judgement: Judgement): FindingDraft[] => {
  const [first] = list;
  if (!first) return [];
  const { byOst } = lustreOf(judgement);
  const names = [...new Set(list.map(({ own }) => own.ost))].sort();
  const { oss, ost } = first.own;
  const { own: worst, peersMs } = list.reduce((a, b) => (b.own.halfMs > a.own.halfMs ? b : a));
  const proven = list.some(({ own }) => own.seconds >= longS || own.ios >= manyIos);
  // Somebody knows of its storage already.
  const marked = names.every((name) => byOst.get(name)?.degraded === true);
  return [
    finding({
      key: `${fsOf(ost)}:${oss}`,
      kind: 'slow',
      severity: proven && !marked ? 'warning' : 'notice',
      ...subjectsOf(names),
      ...hurtClients(names, judgement),
      summary: summary(
        foldTargets(names),
        ` slow: half of ${names.length === 1 ? 'its' : 'their'} ${worst.direction} take over ${timeText(worst.halfMs / 2)}, elsewhere ${timeText(peersMs)} at most`,
      ),
      advice: `Look at the storage below ${names.map(shortTarget).join(', ')} on ${oss}: a rebuild, a failing disk, a lost path, a write cache that is off. If the storage is fine, suspect one job that works on this OST alone: lctl get_param obdfilter.${ost}.job_stats. Until it is mended, creates can be stopped there.`,
      evidence: list.map(({ own, peersMs: others, peers }) =>
        proof(
          `${own.ost}: ${groupThousands(own.ios)} ${own.direction} in ${Math.round(own.seconds)} s, half of them over ${timeText(own.halfMs / 2)}; on ${count(peers, 'other OST')} half took ${timeText(others)} at most (brw_stats, I/O time)`,
          judgement,
          'lustre.oss-io',
          own.oss,
        ),
      ),
      // What takes the pace of all that lies behind the server, or of just these OSTs.
      lacks: [
        { what: 'pace', of: names.map(ostSubject), from: [{ kind: 'host', id: oss }] },
        { what: 'pace', of: names.map(ostSubject), from: names.map(ostSubject) },
      ],
      remedies: [{ action: 'lustre.stop-creates', subjects: names.map(ostSubject) }],
      ...suspectsOf('slow-storage', names.map(ostSubject), 'medium'),
    }),
  ];
};

/** `16 ms`, `2 s`: rows are powers of two. */
const timeText = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${Math.round(ms / 1000)} s`);
