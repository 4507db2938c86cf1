import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import type { EvidenceDraft, EvidenceValue, FindingDraft, Suspect } from '../../../src/model/finding.ts';
import type { Severity, Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { sourceOf } from '../ask/sources.ts';
import { farSubject } from '../links/link.ts';
import { ratePerSecond } from '../read/words.ts';
import { sizesOf } from '../verdict/case-of.ts';
import type { LinkCause } from '../verdict/case.ts';
import { isFrameSizeDifferent } from '../verdict/frame-sizes.ts';
import { differencesOf } from '../verdict/settings.ts';
import { suspect } from '../verdict/suspects.ts';
import { whyJumbo } from './jumbo-hosts.ts';
import { settingsAt, settingsReadAt, settingsKnownAt } from './settings-at.ts';
import { linkStates, type EndState, type LinkState } from './states.ts';

const finding = findingsOf('switch');

/** Two ends that are set differently, of a link on which no frame is damaged. `loss`: frames/s refused for their length. */
interface Difference {
  cause: LinkCause;
  severity: Severity;
  /** The end to look at. */
  near: EndState;
  far: EndState;
  text: string;
  values: NonNullable<Suspect['values']>;
  loss: number;
  /** Why what is usual is none here. */
  why?: string;
}

const isSwitch = ({ end: { host } }: EndState, { site }: Judgement): boolean =>
  host !== undefined && site.host(host)?.roles.includes('switch') === true;

/** Fewer refused frames than these in an interval may be one packet that strayed. */
const fewest = 3;

/**
 * The end that carries the smaller frames, or that refuses some; silent where both carry what the other sends. A switch port that takes more
 * than its host sends is usual: EOS's are all set to 9214, and of the hosts only those of the storage network send jumbo frames. Of such
 * a host it is none.
 */
const sizes = ({ a, b }: LinkState, judgement: Judgement): readonly Difference[] => {
  const settingsOf = (end: EndState) => ({ end, ...sizesOf(end, judgement) });
  const [one, other] = [settingsOf(a), settingsOf(b)];
  const differ = isFrameSizeDifferent(one.payload, other.payload);
  const refusing = [one, other].find(
    ({ end, refused = 0 }) => refused * (end.rates[0]?.seconds ?? 0) >= fewest,
  );
  if (!differ && !refusing) return [];
  const smaller = (one.payload ?? 0) <= (other.payload ?? 0) ? one : other;
  const at = differ ? smaller : (refusing ?? smaller);
  const far = at === one ? b : a;
  const isHost = !isSwitch(at.end, judgement) && isSwitch(far, judgement);
  const why = isHost && at.end.end.host !== undefined ? whyJumbo(at.end.end.host, judgement) : undefined;
  if (!refusing && isHost && why === undefined) return [];
  const [here, there] = [settingsAt(at.end, judgement).mtu, settingsAt(far, judgement).mtu];
  const { refused = 0 } = at;
  const set = here === undefined || there === undefined ? '' : `MTU ${here}, ${there} at ${far.name}`;
  const lost = refused > 0 ? `refuses ${ratePerSecond(refused)} giants/s` : '';
  return [
    {
      cause: 'mtu',
      severity: 'warning',
      near: at.end,
      far,
      text: [lost, set].filter((part) => part !== '').join(', '),
      values: { ...(here !== undefined && { here }), ...(there !== undefined && { there }) },
      loss: refused / Math.max(1, (at.end.rates[0]?.rxPackets ?? 0) + refused),
      ...(why !== undefined && { why }),
    },
  ];
};

/** Only duplex harms a link that is up without a damaged frame so far; speed and FEC that differ there are misread by one of the two. */
const severityBy = (cause: LinkCause): Severity => (cause === 'duplex' ? 'warning' : 'notice');

/** What both ends say of themselves is looked at first: whether it is of the link as it is needs the history, and few links differ. */
const otherDifferences = ({ a, b }: LinkState, judgement: Judgement): readonly Difference[] =>
  (differencesOf(settingsAt(a, judgement), settingsAt(b, judgement)).length === 0
    ? []
    : differencesOf(settingsKnownAt(a, judgement), settingsKnownAt(b, judgement))
  )
    .filter(({ cause }) => cause !== 'autoneg' || [a, b].every((end) => negotiatesDuplex(end, judgement)))
    .map(({ cause, here, there }) => ({
      cause,
      severity: severityBy(cause),
      near: a,
      far: b,
      text: `${here.text}, ${there.text} at ${b.name}`,
      values: { here: here.value, there: there.value },
      loss: 0,
    }));

/**
 * Up to 1 Gbit/s the side that does not negotiate leaves the other at half duplex, or at no link when it next comes up (IEEE 802.3, 28.2.3.1).
 * Of fibre and DACs of 10 Gbit/s and more makes print it differently, and it does no harm.
 */
const negotiatesDuplex = (end: EndState, judgement: Judgement): boolean => {
  const { speedMbps } = settingsAt(end, judgement);
  return speedMbps !== undefined && speedMbps <= 1000;
};

const isUp = ({ port }: EndState): boolean => port?.state === 'up';

/** One finding for all links of two devices, or of a switch and its hosts, that differ in the same way, the one that loses most first. */
const groupKey = ({ cause, near, far, values, why }: Difference): string =>
  [
    cause,
    why === undefined ? near.end.host : 'hosts',
    far.end.host,
    ...Object.values<EvidenceValue>(values),
  ].join(' ');

/** What an end says of itself, by the reading that tells it. */
const proofOf = (cause: LinkCause, end: EndState, judgement: Judgement): EvidenceDraft => {
  const { mtu, duplex, speedMbps, fec } = settingsAt(end, judgement);
  const beside =
    settingsReadAt(end, judgement) === undefined || (cause === 'mtu' && end.port?.mtu !== undefined);
  const kind = beside ? 'counters' : 'settings';
  const { host } = end.end;
  return evidenceFrom(
    host === undefined ? undefined : sourceOf(judgement.readings, kind, host),
    `${end.name} reads MTU ${mtu ?? 'unknown'}, ${duplex ?? 'no'} duplex, ${speedMbps ?? '?'} Mbit/s, FEC ${fec ?? 'unknown'}`,
  );
};

const findingOf = (group: readonly Difference[], judgement: Judgement): FindingDraft[] => {
  const [worst] = group.toSorted((one, two) => two.loss - one.loss);
  if (!worst || worst.near.end.host === undefined) return [];
  const { near, far, cause, values, severity, text, loss } = worst;
  const port = (id: string): Subject => ({ kind: 'port', id });
  const more = group.length > 1 ? ` (${group.length} links)` : '';
  return [
    finding({
      kind: 'settings-differ',
      key: `${cause}:${near.end.id}`,
      severity,
      subject: port(near.end.id),
      ...(group.length > 1 && { members: group.map((one) => port(one.near.end.id)) }),
      ...farSubject(far.end),
      summary: `${near.name}: ${text}${more}`,
      advice: `Set both ends alike: ${near.name} and ${far.name}.`,
      suspects: [suspect(near.end.id, cause, values)],
      loss,
      evidence: group.flatMap((one) => [
        ...[one.near, one.far].map((end) => proofOf(cause, end, judgement)),
        ...(one.why === undefined ? [] : [{ text: one.why }]),
      ]),
    }),
  ];
};

/** Ends that are set differently though no frame is damaged: with bad frames the verdict tells it. */
export const settingsFindings = (judgement: Judgement): readonly FindingDraft[] => {
  const found = linkStates(judgement).flatMap((state) =>
    state.severity === undefined && isUp(state.a) && isUp(state.b)
      ? [...sizes(state, judgement), ...otherDifferences(state, judgement)]
      : [],
  );
  return [...Map.groupBy(found, groupKey).values()].flatMap((group) => findingOf(group, judgement));
};
