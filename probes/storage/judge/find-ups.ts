import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Source } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { fold } from '../../../src/text/nodeset.ts';
import type { UpsReading, UpsUnit } from '../readings.ts';
import { settingsOf, type UpsSetting } from '../settings.ts';
import { batteryEnd } from './battery-dates.ts';
import { darkCaches, darkWords, resetAdvice, type DarkCache } from './dark-caches.ts';
import { freshValue, hostSubject } from './sources.ts';

const findingOf = findingsOf('storage');

const DAY_MS = 86_400_000;
/** Told so long before the vendor's end of a battery, and critical so long before. */
export const SOON_MS = 60 * DAY_MS;
const VERY_SOON_MS = 14 * DAY_MS;
/** A driver that is slow once is none that is gone. */
const SILENT_READINGS = 3;

export interface SeenUnit {
  source: Source<UpsReading>;
  unit: UpsUnit;
  setting: UpsSetting | undefined;
}

/** A UPS beside what is found on the write caches of hosts that it feeds. */
interface JudgedUnit extends SeenUnit {
  dark: readonly DarkCache[];
}

export const seenUnits = ({ readings, site }: Judgement): SeenUnit[] => {
  const settings = settingsOf(site).ups;
  return readings.sources<UpsReading>('storage.ups').flatMap((source) =>
    (freshValue(source)?.units ?? []).map((unit): SeenUnit => ({
      source,
      unit,
      setting: settings.find(({ host, name }) => host === source.host && name === unit.name),
    })),
  );
};

const finding = (
  { source, unit, setting, dark }: JudgedUnit,
  kind: string,
  severity: FindingDraft['severity'],
  what: string,
  parts: {
    advice: string;
    evidence: readonly string[];
    cause: string;
    isAhead?: boolean;
    mayReset?: boolean;
    /** What it feeds goes down, or has. */
    takesDown?: boolean;
  },
): FindingDraft => {
  const feeds = setting?.feeds ?? [];
  return findingOf({
    kind,
    key: `${source.host}:${unit.name}`,
    severity,
    subject: hostSubject(source.host),
    beside: feeds.map(hostSubject),
    summary: `UPS ${unit.name}: ${what}${dark.length > 0 ? `; ${darkWords(dark)}` : feeds.length > 0 ? `; it feeds ${fold(feeds)}` : ''}`,
    advice: parts.advice,
    ...(parts.takesDown === true &&
      feeds.length > 0 && { breaks: [{ what: 'power', of: feeds.map(hostSubject) }] }),
    ...(parts.mayReset === true &&
      dark.length > 0 &&
      setting?.reset !== undefined && {
        remedies: [
          {
            action: 'storage.battery-reset',
            subjects: [hostSubject(source.host)],
            set: { ups: setting.name },
          },
        ],
      }),
    suspects: [
      {
        subject: hostSubject(source.host),
        cause: parts.cause,
        confidence: 'high',
        values: { ups: unit.name, ...(parts.isAhead === true && { ahead: 'yes' }) },
      },
    ],
    evidence: [
      ...parts.evidence.slice(0, 1).map((text) => evidenceFrom(source, text)),
      ...dark.flatMap(({ evidence }) => evidence),
      ...parts.evidence.slice(1).map((text) => evidenceFrom(source, text)),
    ],
  });
};

const statusLine = ({ status, chargePct, runtimeS, selfTest }: UpsUnit): string =>
  [
    `status ${status.join(' ')}`,
    ...(chargePct === undefined ? [] : [`charge ${chargePct} %`]),
    ...(runtimeS === undefined ? [] : [`runtime ${Math.round(runtimeS / 60)} min`]),
    ...(selfTest === undefined ? [] : [`self-test "${selfTest}"`]),
  ].join(', ');

const onBattery = (seen: JudgedUnit): FindingDraft[] => {
  const { unit } = seen;
  if (unit.onBattery !== true) return [];
  const low = unit.lowBattery === true ? ', nearly empty' : '';
  return [
    finding(seen, 'ups-on-battery', 'critical', `runs on its battery${low}`, {
      advice:
        'Find out whether the power comes back; what this UPS feeds goes down when its battery is empty.',
      evidence: [statusLine(unit)],
      cause: 'power',
      takesDown: unit.lowBattery === true || unit.status.includes('FSD'),
    }),
  ];
};

/** The load hangs on the mains alone: what the battery is like does not matter. While it calibrates it does so by itself, for minutes. */
const onBypass = (seen: JudgedUnit): FindingDraft[] => {
  const { status } = seen.unit;
  return status.includes('BYPASS') && !status.includes('CAL')
    ? [
        finding(seen, 'ups-bypass', 'warning', 'is on bypass: a power cut takes what it feeds at once', {
          advice:
            'Somebody worked on it, or it has a fault and passes the mains through: put it back on line, and try it.',
          evidence: [statusLine(seen.unit)],
          cause: 'ups-bypass',
        }),
      ]
    : [];
};

const replace = (seen: JudgedUnit): FindingDraft[] =>
  seen.unit.replaceBattery === true
    ? [
        finding(seen, 'ups-replace-battery', 'warning', 'wants its battery replaced', {
          advice:
            seen.dark.length > 0
              ? resetAdvice(seen.unit)
              : 'Order the battery for exactly this model. Arrays that trust this UPS may switch their write cache off before it fails.',
          evidence: [statusLine(seen.unit)],
          cause: 'ups-battery',
          mayReset: true,
        }),
      ]
    : [];

const isSilent = ({ failure, commLost }: UpsUnit): boolean => failure !== undefined || commLost === true;

const silent = (seen: JudgedUnit): FindingDraft[] => {
  const { source, unit } = seen;
  const before = source.before
    .slice(0, SILENT_READINGS - 1)
    .map(({ value }) => value.units.find(({ name }) => name === unit.name));
  const all = [unit, ...before];
  if (all.length < SILENT_READINGS || !all.every((one) => one !== undefined && isSilent(one))) return [];
  const why = unit.failure ?? 'it lost contact (COMMLOST)';
  return [
    finding(seen, 'ups-silent', 'warning', `says nothing: ${why}`, {
      advice: 'What it would do in a power cut is not known. Look at its driver and its cable.',
      evidence: [`${SILENT_READINGS} readings in a row: ${why}`],
      cause: 'ups-silent',
    }),
  ];
};

const day = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** By the vendor's own life of the battery; a date that may mean two days says both. */
const ends = (judged: JudgedUnit, { now }: Judgement): FindingDraft[] => {
  const { unit, setting } = judged;
  if (setting?.lifeYears === undefined || unit.batteryDate === undefined) return [];
  const end = batteryEnd(unit.batteryDate, setting.lifeYears);
  if (!end || end.from - now > SOON_MS) return [];
  const when = end.from === end.to ? day(end.from) : `${day(end.from)} or ${day(end.to)}`;
  const over = end.to <= now;
  const mayBeOver = end.from <= now;
  // No array goes by a date that has not come.
  const seen = mayBeOver ? judged : { ...judged, dark: [] };
  return [
    finding(
      seen,
      'battery-end',
      end.from - now <= VERY_SOON_MS ? 'critical' : 'warning',
      `battery ${over ? 'is past its life since' : 'ends by its date on'} ${when}`,
      {
        advice:
          seen.dark.length > 0
            ? resetAdvice(unit)
            : 'Some arrays judge by this date alone and switch the write cache off, however good the battery is. Replace the battery before, and set the date with it.',
        evidence: [
          `battery date "${unit.batteryDate}", life ${setting.lifeYears} years by the site file`,
          statusLine(unit),
        ],
        cause: 'battery-end',
        mayReset: true,
        ...(!mayBeOver && { isAhead: true }),
      },
    ),
  ];
};

/** `caches`: what is found on write caches. */
export const upsFindings = (judgement: Judgement, caches: readonly FindingDraft[]): FindingDraft[] =>
  seenUnits(judgement)
    .map((seen) => ({ ...seen, dark: darkCaches(seen.setting?.feeds ?? [], caches, judgement) }))
    .flatMap((seen) => [
      ...onBattery(seen),
      ...onBypass(seen),
      ...replace(seen),
      ...silent(seen),
      ...ends(seen, judgement),
    ]);
