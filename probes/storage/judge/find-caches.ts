import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Source } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { count } from '../../../src/text/units.ts';
import type { ControllersReading, RaidToolReading, ReadBattery, ReadCache } from '../readings.ts';
import { foreignFindings } from './find-foreign.ts';
import { servedBy } from './served.ts';
import { controllerSources, freshValue, hostSubject } from './sources.ts';
import { writingOf } from './writing.ts';

const findingOf = findingsOf('storage');

/** Why a cache is off, and what the wait or the cure is. */
interface Reason {
  why: string;
  cause: string;
  severity: FindingDraft['severity'];
  advice: string;
  /** Only these of the controller's caches. */
  of?: readonly ReadCache[];
}

const reasonOf = (caches: readonly ReadCache[], batteries: readonly ReadBattery[]): Reason | undefined => {
  const bad = batteries.find(({ good }) => good === false);
  const learning = batteries.find((battery) => battery.learning === true);
  const through = caches.filter(({ writes }) => writes === 'through');
  const wants = caches.filter(({ wanted, writes }) => wanted === 'back' && writes !== 'back');
  // The setting alone does not say what is used: without a battery that is good write-back is not.
  if (through.length === 0 && (wants.length === 0 || bad === undefined)) {
    const byHand = caches.filter((cache) => cache.wanted === 'through' && cache.writes === undefined);
    // A controller that has none to keep it is not meant to write back; one that has another array write back is.
    const isMeantTo = batteries.length > 0 || wants.length > 0;
    return byHand.length > 0 && isMeantTo ? { ...handReason, of: byHand } : undefined;
  }
  if (bad && learning === undefined)
    return {
      why: bad.said,
      cause: 'raid-battery',
      severity: 'warning',
      advice:
        'Replace the battery or capacitor of this controller; the cache comes back by itself once it is charged. Writing without it is never switched on by hand.',
    };
  if (learning)
    return {
      why: `${learning.said}: it ends by itself`,
      cause: 'learn-cycle',
      severity: 'notice',
      advice: 'Nothing to do for twelve hours. If it is off for longer, look at the battery.',
    };
  if (wants.length === 0) return handReason;
  return {
    why: batteries.length === 0 ? 'it has no battery of its own' : 'its battery reports no fault',
    cause: 'cache-off',
    severity: 'warning',
    advice:
      'Look at the UPS of this array and at the other controller of the pair: either may take the cache away.',
  };
};

const handReason: Reason = {
  why: 'by its own setting',
  cause: 'policy',
  severity: 'notice',
  advice: 'Set by hand; who did is not known. Where the battery is good, the array may be set to write back.',
};

const cacheFindings = (
  source: Source<ControllersReading>,
  tool: RaidToolReading,
  judgement: Judgement,
): FindingDraft[] => {
  const { host } = source;
  const writing = writingOf(host, judgement);
  // Where its writes were measured as quick as ever, whoever is slow behind it is slow for another reason.
  const served = writing?.slow === false ? [] : servedBy(host, judgement).subjects;
  return [...Map.groupBy(tool.caches, ({ controller }) => controller)].flatMap(([controller, caches]) => {
    const batteries = tool.batteries.filter((battery) => battery.controller === controller);
    const reason = reasonOf(caches, batteries);
    if (!reason) return [];
    const arrays = (reason.of ?? caches).flatMap(({ array }) => array ?? []);
    const [only] = arrays;
    const which = arrays.length === 1 && caches.length > 1 ? only : count(arrays.length, 'array');
    const what = arrays.length === 0 ? `controller ${controller}` : `controller ${controller}, ${which}`;
    return [
      findingOf({
        kind: 'cache-off',
        key: `${host}:${tool.tool}:${controller}`,
        severity: writing?.slow === true ? 'critical' : reason.severity,
        subject: hostSubject(host),
        ...(served.length > 0 && { breaks: [{ what: 'pace' as const, of: served }] }),
        summary: `${host}: write cache off (${what}): ${reason.why}`,
        advice: reason.advice,
        suspects: [
          { subject: hostSubject(host), cause: reason.cause, confidence: 'high', values: { controller } },
        ],
        evidence: [
          ...(writing ? [evidenceFrom(writing.source, writing.text)] : []),
          ...caches
            .slice(0, 6)
            .map(({ array, said }) =>
              evidenceFrom(source, `${array ?? `controller ${controller}`}: ${said}`),
            ),
          ...batteries.map(({ said }) => evidenceFrom(source, said)),
        ],
      }),
    ];
  });
};

/** A battery that is bad while nothing says that the cache is off: next it will be. */
const batteryFindings = (
  source: Source<ControllersReading>,
  tool: RaidToolReading,
  cacheIds: ReadonlySet<string>,
): FindingDraft[] =>
  tool.batteries
    .filter(
      ({ good, controller }) =>
        good === false && !cacheIds.has(`storage:cache-off:${source.host}:${tool.tool}:${controller}`),
    )
    .map(({ controller, said }) =>
      findingOf({
        kind: 'raid-battery',
        key: `${source.host}:${tool.tool}:${controller}`,
        severity: 'warning',
        subject: hostSubject(source.host),
        summary: `${source.host}: controller ${controller}: ${said}`,
        advice: 'Replace it: without it the controller does not write back.',
        suspects: [
          {
            subject: hostSubject(source.host),
            cause: 'raid-battery',
            confidence: 'high',
            values: { controller },
          },
        ],
        evidence: [evidenceFrom(source, said)],
      }),
    );

/** Disks that their controller expects to fail; two in one array are critical. */
const suspectFindings = (source: Source<ControllersReading>, tool: RaidToolReading): FindingDraft[] =>
  tool.suspects.map(({ disk, why, serial }) => {
    const array = tool.arrays.find(({ slots }) => slots.some((slot) => slot.disk === disk));
    const others = tool.suspects.filter(
      (other) => other.disk !== disk && array?.slots.some((slot) => slot.disk === other.disk) === true,
    );
    return findingOf({
      kind: 'disk-failing',
      key: `${source.host}:${tool.tool}:${serial ?? disk}`,
      severity: others.length > 0 ? 'critical' : 'warning',
      subject: hostSubject(source.host),
      summary: `${source.host}: disk ${disk} will fail: ${why}${others.length > 0 ? `; so will ${others[0]?.disk ?? ''} of the same array` : ''}`,
      advice:
        'Replace it while it still works: copy it to a spare first where the controller can, so that redundancy never falls.',
      suspects: [
        { subject: hostSubject(source.host), cause: 'disk-failing', confidence: 'medium', values: { disk } },
      ],
      evidence: [evidenceFrom(source, `${disk}${serial === undefined ? '' : `, serial ${serial}`}: ${why}`)],
    });
  });

/** Whether anything of the tool's controllers is known. */
const saysAnything = ({ arrays, caches, batteries }: RaidToolReading): boolean =>
  arrays.length + caches.length + batteries.length > 0;

const silentFindings = (source: Source<ControllersReading>, tool: RaidToolReading): FindingDraft[] => {
  const { failure } = tool;
  const before = source.before[0]?.value.tools.find((one) => one.tool === tool.tool);
  // Once is a busy controller; twice nobody knows what it does.
  if (failure === undefined || before?.failure === undefined) return [];
  const what = saysAnything(tool) ? 'does not say all' : 'says nothing of its controllers';
  return [
    findingOf({
      kind: 'controller-silent',
      key: `${source.host}:${tool.tool}`,
      // What it said of its arrays and caches is whole, and judged.
      severity: tool.onlyNumbers === true ? 'notice' : 'warning',
      subject: hostSubject(source.host),
      summary: `${source.host}: ${tool.tool} ${what}: ${failure}`,
      advice:
        tool.onlyNumbers === true
          ? 'Numbers of its disks, and which of them it expects to fail, are not known; its arrays and its cache are.'
          : 'What it does with its disks and its cache is not known. Start no second one while the first hangs.',
      suspects: [
        {
          subject: hostSubject(source.host),
          cause: 'not-read',
          confidence: 'high',
          values: { tool: tool.tool },
        },
      ],
      evidence: [evidenceFrom(source, `two readings: ${before.failure}; ${failure}`)],
    }),
  ];
};

const toolFindings = (
  source: Source<ControllersReading>,
  tool: RaidToolReading,
  judgement: Judgement,
): FindingDraft[] => {
  const caches = cacheFindings(source, tool, judgement);
  const cacheIds = new Set(caches.map(({ id }) => id));
  return [
    ...silentFindings(source, tool),
    ...caches,
    ...batteryFindings(source, tool, cacheIds),
    ...suspectFindings(source, tool),
    ...foreignFindings(source, tool),
  ];
};

const isSetByHand = ({ suspects = [] }: FindingDraft): boolean =>
  suspects.some(({ cause }) => cause === 'policy');

/** What was set by hand makes nobody slow while another cache of the same host was lost. */
const withoutOldSettings = (found: readonly FindingDraft[]): FindingDraft[] => {
  const isLost = found.some((one) => one.kind === 'cache-off' && !isSetByHand(one));
  return found.map(({ breaks, ...one }) =>
    breaks === undefined || (isLost && isSetByHand(one)) ? one : { ...one, breaks },
  );
};

export const cacheAndDiskFindings = (judgement: Judgement): FindingDraft[] =>
  controllerSources(judgement).flatMap((source) =>
    withoutOldSettings(
      (freshValue(source)?.tools ?? []).flatMap((tool) => toolFindings(source, tool, judgement)),
    ),
  );
