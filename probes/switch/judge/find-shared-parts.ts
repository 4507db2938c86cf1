import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import type { FindingDraft, Suspect } from '../../../src/model/finding.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { count } from '../../../src/text/units.ts';
import { sourceOf } from '../ask/sources.ts';
import { badFrames, ratePerSecond } from '../read/words.ts';
import type { SharedPart } from '../verdict/case.ts';
import { linkStates, type EndState, type LinkState } from './states.ts';

const finding = findingsOf('switch');

/** Fewer links are told one by one. */
const fewest = 3;

/** A link whose verdict is that a part is bad which it shares, and its end at that part. */
interface Sufferer {
  state: LinkState;
  end: EndState;
  far: EndState;
  part: SharedPart;
}

const sufferersOf = (state: LinkState): Sufferer[] => {
  const [first] = state.worst.verdict?.causes ?? [];
  if (first?.kind !== 'shared' || first.part === undefined) return [];
  const [end, far] =
    first.at?.id === state.worst.end.id ? [state.worst, state.other] : [state.other, state.worst];
  return [{ state, end, far, part: first.part }];
};

const findingFor = (host: string, group: readonly Sufferer[], judgement: Judgement): FindingDraft[] => {
  const [first] = group;
  if (!first || group.length < fewest) return [];
  const { what, total } = first.part;
  const whole = what === host;
  const receives = first.end === first.state.worst;
  const devices = new Set(group.map(({ far }) => far.end.host ?? far.end.id)).size;
  const ports = group.map(({ end }): Subject => ({ kind: 'port', id: end.end.id }));
  const source = sourceOf(judgement.readings, 'counters', host);
  const suspect: Suspect = {
    subject: { kind: 'host', id: host },
    cause: 'shared-part',
    confidence: 'medium',
    values: { part: what, links: total + 1, bad: group.length },
  };
  const where = whole ? `of ${host}` : `on ${what} of ${host}`;
  return [
    finding({
      kind: 'shared-part',
      key: `${host}:${what}`,
      severity: group.some(({ state }) => state.severity === 'critical') ? 'critical' : 'warning',
      subject: { kind: 'host', id: host },
      members: ports,
      summary: `${group.length} of ${total + 1} links ${where} ${receives ? 'receive bad frames from' : 'carry bad frames to'} ${count(devices, 'device')}: suspect ${whole ? `${host} itself (card, ASIC)` : what}`,
      advice: whole
        ? `Read the log of ${host} for errors of its cards and ASICs; reload or swap it once its traffic can go elsewhere. The optics of ${count(devices, 'device')} are unlikely to fail at the same time.`
        : `Reseat ${what} of ${host}, then swap it. The optics of ${count(devices, 'device')} are unlikely to fail at the same time.`,
      suspects: [suspect],
      loss: Math.max(...group.map(({ state }) => badFrames(state.worst).share ?? 0)),
      evidence: group.slice(0, 20).map(({ state: { worst }, end, far }) => ({
        ...evidenceFrom(
          sourceOf(judgement.readings, 'counters', worst.end.host ?? host) ?? source,
          `${worst.name} receives ${ratePerSecond(worst.rates[0]?.rxBad ?? 0)} bad frames/s from ${(worst === end ? far : end).name}`,
        ),
        about: [{ kind: 'port', id: end.end.id }] satisfies readonly Subject[],
      })),
    }),
  ];
};

/** Parts of a device that all or most of its links suffer from: one finding, and the links below it. */
export const sharedPartFindings = (judgement: Judgement): readonly FindingDraft[] => {
  const found = linkStates(judgement).flatMap(sufferersOf);
  const keyOf = ({ end, part }: Sufferer): string => `${end.end.host} ${part.what}`;
  return [...Map.groupBy(found, keyOf).values()].flatMap((group) =>
    findingFor(group[0]?.end.end.host ?? '', group, judgement),
  );
};
