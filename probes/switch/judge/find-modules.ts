import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import type { FindingDraft, Suspect } from '../../../src/model/finding.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { count } from '../../../src/text/units.ts';
import { sourceOf, sourcesOf } from '../ask/sources.ts';
import { farSubject, farEnd } from '../links/link.ts';
import type { Lane } from '../readings.ts';
import { suspect } from '../verdict/suspects.ts';
import { findHurt } from './hurt-by.ts';
import { linkStates, type EndState, type LinkState } from './states.ts';

const finding = findingsOf('switch');

/** Above its own high alarm a module may fail (SFF-8472 9.4, SFF-8636 6.2.3); limits that leave no room were never written into it. */
const isHot = ({ tempC, tempLimits: { alarmHigh, alarmLow } = {} }: Lane): boolean =>
  tempC !== undefined && alarmHigh !== undefined && alarmHigh > (alarmLow ?? 0) && tempC > alarmHigh;

/** One finding a device: what makes one module hot makes its neighbours hot. */
const hotModules = ({ readings, site }: Judgement): FindingDraft[] =>
  sourcesOf(readings, 'optics').flatMap((source): FindingDraft[] => {
    if (source.state !== 'fresh') return [];
    const hot = [
      ...Map.groupBy((source.good?.value.lanes ?? []).filter(isHot), ({ port }) => port).values(),
    ].flatMap(([first]) => first ?? []);
    const [worst] = hot.toSorted((a, b) => (b.tempC ?? 0) - (a.tempC ?? 0));
    if (!worst) return [];
    const { host } = source;
    const members = hot.map(({ port }): Subject => ({ kind: 'port', id: `${host}:${port}` }));
    const isSwitch = site.host(host)?.roles.includes('switch') === true;
    return [
      finding({
        kind: 'module-hot',
        key: host,
        severity: 'warning',
        subject: members.length === 1 && members[0] ? members[0] : { kind: 'host', id: host },
        ...(members.length > 1 && { members }),
        summary: `${host} ${worst.port} at ${worst.tempC?.toFixed(0)} °C, above the alarm limit of its module${hot.length > 1 ? `, ${count(hot.length - 1, 'other port')} too` : ''}`,
        advice: `${hot.length > 1 && isSwitch ? 'Look at the fans and the air flow of the device first' : 'Look at the air flow, then at the module'}: a hot laser fades, and some modules switch themselves off.`,
        suspects: hot.slice(0, 4).map(({ port }): Suspect => ({
          ...suspect(`${host}:${port}`, 'optic'),
          confidence: 'medium',
        })),
        evidence: hot
          .slice(0, 20)
          .map(({ port, tempC, tempLimits }) =>
            evidenceFrom(
              source,
              `${host} ${port}: ${tempC?.toFixed(1)} °C, alarm above ${tempLimits?.alarmHigh?.toFixed(0)} °C`,
            ),
          ),
      }),
    ];
  });

/** The weakest lane below the module's own low alarm. What is only below the warning limit still has its reserve. */
const faintLane = (lanes: readonly Lane[]): Lane | undefined =>
  lanes
    .filter(
      ({ rxDbm, rxLimits: { alarmLow, alarmHigh } = {} }) =>
        rxDbm !== undefined && alarmLow !== undefined && alarmLow < (alarmHigh ?? 0) && rxDbm < alarmLow,
    )
    .toSorted((a, b) => (a.rxDbm ?? 0) - (b.rxDbm ?? 0))[0];

const weakLight = (
  { link, severity }: LinkState,
  at: EndState,
  far: EndState,
  { readings, site }: Judgement,
): FindingDraft[] => {
  const lane = faintLane(at.lanes);
  const { host, port } = at.end;
  // With bad frames the verdict says it; a dark port has no light by right; what was read before a port went down is no state of it.
  if (!lane || severity || at.port?.state !== 'up' || host === undefined || port === undefined) return [];
  const source = sourceOf(readings, 'optics', host);
  if (source?.state !== 'fresh') return [];
  return [
    finding({
      kind: 'weak-light',
      key: at.end.id,
      severity: 'notice',
      subject: { kind: 'port', id: at.end.id },
      ...farSubject(farEnd(link, at.end.id)),
      summary: `${at.name} receives ${lane.rxDbm?.toFixed(1)} dBm from ${far.name}, below its module's alarm limit; no bad frames yet`,
      advice:
        'Clean the connectors of both ends while the link still carries all frames, then replace the fibre.',
      suspects: [{ ...suspect(at.end.id, 'light-lost'), confidence: 'medium' }],
      evidence: [
        evidenceFrom(
          source,
          `${at.name}${lane.lane === undefined ? '' : ` lane ${lane.lane}`}: RX ${lane.rxDbm?.toFixed(1)} dBm, alarm below ${lane.rxLimits?.alarmLow?.toFixed(1)} dBm`,
        ),
      ],
      ...findHurt([at, far], site),
    }),
  ];
};

/** What modules say of themselves though no frame is lost yet: too hot, and too little light. */
export const moduleFindings = (judgement: Judgement): readonly FindingDraft[] => [
  ...hotModules(judgement),
  ...linkStates(judgement).flatMap((state) => [
    ...weakLight(state, state.a, state.b, judgement),
    ...weakLight(state, state.b, state.a, judgement),
  ]),
];
