import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import { findHurt } from './hurt-by.ts';
import { trendOf } from '../../../src/kit/trends.ts';
import { errorsCourse } from './track.ts';
import type { EvidenceDraft, FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { age } from '../../../src/text/ages.ts';
import { groupThousands } from '../../../src/text/units.ts';
import { lagFindings } from './find-lags.ts';
import { doubtFindings } from './find-doubts.ts';
import { nameFindings } from './find-names.ts';
import { moduleFindings } from './find-modules.ts';
import { notRestoredFindings } from './find-not-restored.ts';
import { shutFindings } from './find-shut.ts';
import { farSubject } from '../links/link.ts';
import { downFindings } from './find-down.ts';
import { fabricFindings } from './find-fabric.ts';
import { flappingFindings } from './find-flapping.ts';
import { sharedPartFindings } from './find-shared-parts.ts';
import { settingsFindings } from './find-settings.ts';
import { takenDownFindings } from './find-taken-down.ts';
import { unlistedPorts } from './find-unlisted.ts';
import { untoldSettings } from './find-untold.ts';
import { weakSignals } from './find-weak-signal.ts';
import { ownNamesIn } from '../links/links.ts';
import { findMisnamed } from '../links/own-names.ts';
import { membersText } from '../links/lags.ts';
import { cellsOf, type Cell } from '../matrix/matrix.ts';
import { cachedRates } from './rates.ts';
import { samplesOf, sourceOf, sourcesOf } from '../ask/sources.ts';
import { linkStates, type EndState, type LinkState } from './states.ts';
import { damagedFrames } from './track.ts';
import type { Ground } from '../verdict/case.ts';
import { suspectsOf } from '../verdict/suspects.ts';
import { badFrames, ratePerSecond, sharePercent } from '../read/words.ts';

const finding = findingsOf('switch');

/** A line of proof at one end of a link, by the reading that it rests on. */
const groundAt = (end: EndState, ground: Ground, judgement: Judgement): EvidenceDraft => {
  const { host } = end.end;
  const [text, what] =
    typeof ground === 'string' ? [ground, 'counters' as const] : [ground.text, ground.rests];
  if (what === 'matrix') return { text, ...lossyRun(judgement) };
  const source = host === undefined ? undefined : sourceOf(judgement.readings, what, host);
  return evidenceFrom(source, text);
};

/** The oldest of the runs that lost jumbo packets: no evidence is younger than what it rests on. */
const lossyRun = (judgement: Judgement): Pick<EvidenceDraft, 'probe' | 'host' | 'at'> => {
  const [oldest] = cellsOf(judgement)
    .filter(({ kind }) => kind === 'jumbo')
    .toSorted((one, other) => one.at - other.at);
  return oldest ? { probe: 'switch.matrix', host: oldest.client, at: oldest.at } : {};
};

const summaryOf = ({ worst, other }: LinkState): string => {
  const { way, rate = 0, share } = badFrames(worst);
  const part = share === undefined ? '' : ` (${sharePercent(share)})`;
  const first = worst.verdict?.first.at;
  const suspect = first === undefined ? '' : `, suspect ${first.name}`;
  // The far end is named once.
  const whom = first?.id === other.end.id ? '' : ` ${way === 'sends' ? 'to' : 'from'} ${other.name}`;
  const window = worst.steadyS === undefined ? '' : ` over ${age(worst.steadyS * 1000)}`;
  return `${worst.name} ${way} ${ratePerSecond(rate)} bad frames/s${window}${part}${whom}${suspect}`;
};

/** Bad frames of all since the counters of that end were cleared. */
const totalText = ({ name, port }: EndState): string[] => {
  const total = port && damagedFrames(port);
  const cleared = port?.lastClear === undefined ? '' : ` (${port.lastClear})`;
  return total === undefined
    ? []
    : [
        `${groupThousands(total)} bad of ${groupThousands(port?.counts['rxPackets'] ?? 0n)} frames at ${name} since its counters were cleared${cleared}`,
      ];
};

const steadyText = ({ name, steadyS, rates: [now] }: EndState): string[] =>
  steadyS === undefined
    ? []
    : [
        `${groupThousands(now?.rxBadCount ?? 0n)} bad frames at ${name} in ${age(steadyS * 1000)}: few at a time, but they do not stop`,
      ];

/** Whoever is sent to an end looks for the label that the device has. */
const misnamedEnds = ({ worst, other }: LinkState, { readings, site }: Judgement): string[] => {
  const names = ownNamesIn(readings);
  return [worst.end.host, other.end.host].flatMap((host) =>
    host === undefined || findMisnamed(host, site, names) === undefined
      ? []
      : [`${host} calls itself ${names.get(host)}: see which device that is first`],
  );
};

const linkFinding = (state: LinkState, judgement: Judgement): FindingDraft[] => {
  const { worst, other, severity } = state;
  const { verdict, lag } = worst;
  if (!severity || !worst.rates[0] || worst.end.port === undefined) return [];
  const subject = { kind: 'port', id: worst.end.id } as const;
  const back = other.rates[0]?.rxBad;
  const advice =
    verdict &&
    [
      `Suspect ${verdict.first.at.name}: ${verdict.first.steps.join(', ')}`,
      ...(verdict.next ? [`next ${verdict.next.at.name}: ${verdict.next.steps.join(', ')}`] : []),
      `confidence ${verdict.confidence}`,
    ].join('; ');
  const grounds = [
    ...(verdict?.causes[0]?.evidence ?? []),
    ...steadyText(worst),
    ...totalText(worst),
    ...(lag ? [`${worst.name} is a member of ${lag.lag}: ${membersText(lag)} up`] : []),
  ];
  const { id, host } = worst.end;
  const trend = host === undefined ? undefined : trendOf(judgement, errorsCourse(host, id));
  return [
    finding({
      kind: 'bad-link',
      key: worst.end.id,
      severity,
      subject,
      ...farSubject(other.end),
      summary: summaryOf(state),
      advice,
      suspects: verdict && suspectsOf(verdict),
      loss: badFrames(worst).share,
      ...findHurt([worst, other], judgement.site),
      ...(trend && { trend }),
      evidence: [
        ...grounds.map((ground) => groundAt(worst, ground, judgement)),
        ...(back === undefined
          ? []
          : [groundAt(other, `${other.name} receives ${ratePerSecond(back)} bad frames/s`, judgement)]),
        ...[...(verdict?.caveats ?? []), ...misnamedEnds(state, judgement)].map((text): EvidenceDraft => ({
          text,
        })),
      ],
      remedies: ['switch.shut', 'switch.note'].map((action) => ({ action, subjects: [subject] })),
    }),
  ];
};

/** Kinds of lossy paths: what they do, and where to look. */
const lossyKinds = [
  ['mtu', 'do not carry jumbo packets', 'Compare the MTU of both hosts and of every switch between them.'],
  [
    'jumbo',
    'lose jumbo packets only',
    'Bad frames on one member link of a LAG look like this: see the links with errors.',
  ],
  ['both', 'lose packets of every size', 'Look at the host itself and at congestion before any cable.'],
] as const;

/** Paths of the matrix on which large packets do not fit, or small ones are lost too. */
const matrixFindings = (judgement: Judgement): FindingDraft[] => {
  const { name } = judgement.site;
  const cells = cellsOf(judgement);
  // A link with bad frames says why already: there the lossy paths are evidence.
  const named = linkStates(judgement).some(({ severity }) => severity !== undefined);
  return lossyKinds.flatMap(([kind, what, advice]): FindingDraft[] => {
    const found = cells.filter((cell) => cell.kind === kind);
    if (found.length === 0 || (named && kind === 'jumbo')) return [];
    const pathOf = ({ client, server }: Cell): string => `${client} to ${server}`;
    return [
      finding({
        kind: `matrix-${kind}`,
        key: name,
        severity: 'warning',
        subject: { kind: 'site', id: name },
        summary: `${found.length} of ${cells.length} paths ${what}: ${found.map(pathOf).join(', ')}`,
        advice,
        evidence: found.slice(0, 20).map((cell) => ({
          text: `${pathOf(cell)}: small ${packetsText(cell.small)}, jumbo ${packetsText(cell.jumbo)}${cell.jumbo?.mtu === undefined ? '' : `, MTU ${cell.jumbo.mtu}`}`,
          probe: 'switch.matrix',
          host: cell.client,
          at: cell.at,
        })),
      }),
    ];
  });
};

export const packetsText = (cell: { sent: number; received: number } | undefined): string =>
  cell === undefined ? 'not run' : `${cell.received} of ${cell.sent}`;

/** FEC that can no longer correct is loss; corrected errors alone are never a finding. */
const fecFindings = (judgement: Judgement): FindingDraft[] =>
  sourcesOf(judgement.readings, 'counters').flatMap((source) =>
    [...cachedRates(samplesOf(source))].flatMap(([port, [now, before]]): FindingDraft[] => {
      const lost = now?.fecUncorrected ?? 0;
      if (lost <= 0 || (before?.fecUncorrected ?? 0) <= 0 || (now?.rxBad ?? 0) > 0) return [];
      const id = `${source.host}:${port}`;
      return [
        finding({
          kind: 'fec',
          key: id,
          severity: 'warning',
          subject: { kind: 'port', id },
          summary: `${source.host} ${port}: FEC cannot correct ${ratePerSecond(lost)} blocks/s: frames are lost`,
          evidence: [
            evidenceFrom(
              source,
              `${ratePerSecond(now?.fecCorrected ?? 0)} corrected and ${ratePerSecond(lost)} uncorrectable/s over two intervals`,
            ),
          ],
        }),
      ];
    }),
  );

/** Everything wrong with links, LAGs and paths. */
export const findings = (judgement: Judgement): readonly FindingDraft[] => [
  ...linkStates(judgement).flatMap((state) => linkFinding(state, judgement)),
  ...sharedPartFindings(judgement),
  ...fecFindings(judgement),
  ...lagFindings(judgement),
  ...unlistedPorts(judgement),
  ...nameFindings(judgement),
  ...doubtFindings(judgement),
  ...settingsFindings(judgement),
  ...untoldSettings(judgement),
  ...flappingFindings(judgement),
  ...downFindings(judgement),
  ...takenDownFindings(judgement),
  ...fabricFindings(judgement),
  ...weakSignals(judgement),
  ...moduleFindings(judgement),
  ...matrixFindings(judgement),
  ...notRestoredFindings(judgement),
  ...shutFindings(judgement),
];
