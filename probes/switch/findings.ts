import type { Evidence, Finding } from '../../src/model/finding.ts';
import type { Judgement } from '../../src/model/system.ts';
import { grouped } from '../../src/text/units.ts';
import { lagFindings } from './find-lags.ts';
import { notRestoredFindings } from './find-not-restored.ts';
import { shutFindings } from './find-shut.ts';
import { besideOf } from './links.ts';
import { unlistedPorts } from './find-unlisted.ts';
import { membersText } from './lags.ts';
import { cellsOf } from './matrix.ts';
import { cachedRates } from './rates.ts';
import { samplesOf, sourceOf, sourcesOf } from './sources.ts';
import { linkStates, type EndState, type LinkState } from './states.ts';
import { groundText, type Ground } from './verdict/case.ts';
import { badOf, perSecond, sharePercent, short } from './words.ts';

const noOne = {};

const proof = (end: EndState, ground: Ground, judgement: Judgement): Evidence => {
  const { host } = end.end;
  const text = groundText(ground);
  const what = typeof ground === 'string' ? 'counters' : ground.rests;
  if (what === 'matrix') return { text, ...lossyRun(judgement) };
  const source = host === undefined ? undefined : sourceOf(judgement.readings, what, host);
  return {
    text,
    ...(source && { probe: source.probe, host: source.host }),
    ...(source?.good && { at: source.good.at }),
  };
};

/** The oldest of the runs that lost jumbo packets: no evidence is younger than what it rests on. */
const lossyRun = (judgement: Judgement): Pick<Evidence, 'probe' | 'host' | 'at'> => {
  const [oldest] = cellsOf(judgement)
    .filter(({ kind }) => kind === 'jumbo')
    .toSorted((one, other) => one.at - other.at);
  return oldest ? { probe: 'switch.matrix', host: oldest.client, at: oldest.at } : {};
};

const summaryOf = ({ worst, other }: LinkState): string => {
  const { way, rate = 0, share } = badOf(worst);
  const part = share === undefined ? '' : ` (${sharePercent(share)})`;
  const first = worst.verdict?.first.at;
  const turn =
    first === undefined
      ? ''
      : first === (way === 'sends' ? worst : other).name
        ? ': look there first'
        : `: look at ${first} first`;
  const whom = way === 'sends' ? 'to' : 'from';
  return `${worst.name} ${way} ${perSecond(rate)} bad frames/s${part} ${whom} ${other.name}${turn}`;
};

const linkFinding = (state: LinkState, judgement: Judgement): Finding[] => {
  const { worst, other, severity } = state;
  const [now] = worst.rates;
  const { verdict } = worst;
  if (!severity || !now || worst.end.port === undefined) return [];
  const [best] = verdict?.causes ?? [];
  const total = worst.port?.counts['rxCrc'] ?? worst.port?.counts['rxErrors'];
  const advice =
    verdict &&
    [
      `Look first at ${verdict.first.at}: ${verdict.first.steps.join(', ')}`,
      ...(verdict.next ? [`next at ${verdict.next.at}: ${verdict.next.steps.join(', ')}`] : []),
      `confidence ${verdict.confidence}`,
    ].join('; ');
  const evidence = [
    ...(best?.evidence ?? []).map((ground) => proof(worst, ground, judgement)),
    ...(total === undefined
      ? []
      : [
          proof(
            worst,
            `${grouped(total)} bad of ${grouped(worst.port?.counts['rxPackets'] ?? 0n)} frames at ${worst.name} since its counters were cleared${worst.port?.lastClear === undefined ? '' : ` (${worst.port.lastClear})`}`,
            judgement,
          ),
        ]),
    ...(worst.lag
      ? [
          proof(
            worst,
            `${worst.name} is a member of ${worst.lag.lag}: ${membersText(worst.lag)} up`,
            judgement,
          ),
        ]
      : []),
    ...(other.rates[0]?.rxBad === undefined
      ? []
      : [proof(other, `${other.name} receives ${perSecond(other.rates[0].rxBad)} bad frames/s`, judgement)]),
    ...(verdict?.caveats ?? []).map((text): Evidence => ({ text })),
  ];
  return [
    {
      id: `switch:bad-link:${worst.end.id}`,
      system: 'switch',
      kind: 'bad-link',
      severity,
      subject: { kind: 'port', id: worst.end.id },
      ...besideOf(other.end),
      summary: short(summaryOf(state)),
      ...(advice !== undefined && { advice }),
      evidence,
      hurt: noOne,
      remedies: [
        { action: 'switch.shut', subjects: [{ kind: 'port', id: worst.end.id }] },
        { action: 'switch.note', subjects: [{ kind: 'port', id: worst.end.id }] },
      ],
    },
  ];
};

/** Paths of the matrix on which large packets do not fit, or small ones are lost too. */
const matrixFindings = (judgement: Judgement): Finding[] => {
  const cells = cellsOf(judgement);
  // A link with bad frames says why already: there the lossy paths are evidence.
  const named = linkStates(judgement).some(({ severity }) => severity !== undefined);
  const of = (kind: string, what: string, advice: string): Finding[] => {
    const found = cells.filter((one) => one.kind === kind);
    const [first] = found;
    if (!first) return [];
    const pairs = found.map((one) => `${one.client} to ${one.server}`);
    return [
      {
        id: `switch:matrix-${kind}:${judgement.site.name}`,
        system: 'switch',
        kind: `matrix-${kind}`,
        severity: 'warning',
        subject: { kind: 'site', id: judgement.site.name },
        summary: short(`${found.length} of ${cells.length} paths ${what}: ${pairs.join(', ')}`),
        advice,
        evidence: found.slice(0, 20).map((one) => ({
          text: `${one.client} to ${one.server}: small ${answered(one.small)}, jumbo ${answered(one.jumbo)}${one.jumbo?.mtu === undefined ? '' : `, MTU ${one.jumbo.mtu}`}`,
          probe: 'switch.matrix',
          host: one.client,
          at: one.at,
        })),
        hurt: noOne,
        remedies: [],
      },
    ];
  };
  return [
    ...of(
      'mtu',
      'do not carry jumbo packets',
      'Compare the MTU of both hosts and of every switch between them.',
    ),
    ...(named
      ? []
      : of(
          'jumbo',
          'lose jumbo packets only',
          'Bad frames on one member link of a LAG look like this: see the links with errors.',
        )),
    ...of(
      'both',
      'lose packets of every size',
      'Look at the host itself and at congestion before any cable.',
    ),
  ];
};

export const answered = (cell: { sent: number; received: number } | undefined): string =>
  cell === undefined ? 'not run' : `${cell.received} of ${cell.sent}`;

/** FEC that can no longer correct is loss; corrected errors alone are never a finding (design.md). */
const fecFindings = (judgement: Judgement): Finding[] =>
  sourcesOf(judgement.readings, 'counters').flatMap((source) =>
    [...cachedRates(samplesOf(source))].flatMap(([port, [now, before]]): Finding[] => {
      const lost = now?.fecUncorrected ?? 0;
      if (lost <= 0 || (before?.fecUncorrected ?? 0) <= 0 || (now?.rxBad ?? 0) > 0) return [];
      const id = `${source.host}:${port}`;
      return [
        {
          id: `switch:fec:${id}`,
          system: 'switch',
          kind: 'fec',
          severity: 'warning',
          subject: { kind: 'port', id },
          summary: short(
            `${source.host} ${port}: FEC cannot correct ${perSecond(lost)} blocks/s: frames are lost`,
          ),
          evidence: [
            {
              text: `${perSecond(now?.fecCorrected ?? 0)} corrected and ${perSecond(lost)} uncorrectable/s over two intervals`,
              probe: source.probe,
              host: source.host,
              ...(source.good && { at: source.good.at }),
            },
          ],
          hurt: noOne,
          remedies: [],
        },
      ];
    }),
  );

/** Everything wrong with links, LAGs and paths. */
export const findings = (judgement: Judgement): readonly Finding[] => [
  ...linkStates(judgement).flatMap((state) => linkFinding(state, judgement)),
  ...fecFindings(judgement),
  ...lagFindings(judgement),
  ...unlistedPorts(judgement),
  ...matrixFindings(judgement),
  ...notRestoredFindings(judgement),
  ...shutFindings(judgement),
];
