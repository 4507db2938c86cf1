import { dropUndefined } from '../../../src/kit/known.ts';
import type { ReadBattery, ReadCache, Suspect } from '../readings.ts';
import { diskKey } from './raid-arrays.ts';
import type { RaidArray, RaidBattery, RaidController, RaidDisk, RaidReport } from './raid.ts';

type Policy = ReadCache['writes'];

/** `WriteBack, ReadAhead, ...`, `RWBD`, `Enabled (write-back) when protected by battery/ZMM`, `On`. */
const policyOf = (text: string | undefined): Policy => {
  if (text === undefined) return undefined;
  if (/WriteThrough|write-through|WT|^(?:Off|Disabled)\b/.test(text)) return 'through';
  return /WriteBack|write-back|WB|^(?:On|Enabled)\b/.test(text) ? 'back' : undefined;
};

/** What an array is set to, and, where the tool says it, what it does now: storcli's column is the setting alone. */
const arrayCache = (array: RaidArray): ReadCache[] => {
  const { controller, id, cache, cacheDefault, name } = array;
  if (cache === undefined) return [];
  const both = cacheDefault !== undefined;
  const said = both ? `set to "${cacheDefault}", now "${cache}"` : `set to "${cache}"`;
  return [
    {
      controller: String(controller),
      array: `c${controller}/${id}${name === undefined ? '' : ` ${name}`}`,
      said,
      ...dropUndefined({
        // AWB writes back whatever the battery says.
        writes: both ? policyOf(cache) : cache.includes('AWB') ? ('back' as const) : undefined,
        wanted: policyOf(both ? cacheDefault : cache),
      }),
    },
  ];
};

/** HPE: a cache that is disabled, or one of which nothing is for writing although its status is OK. */
const controllerCache = ({ id, cacheStatus, cacheDetails, cacheRatio }: RaidController): ReadCache[] => {
  if (cacheStatus === undefined || cacheStatus === 'Not Configured') return [];
  const noWrites = /\/ ?0% Write/.test(cacheRatio ?? '');
  const disabled = cacheStatus.includes('Disabled');
  const said = [`cache ${cacheStatus}`, cacheDetails, cacheRatio]
    .filter((part) => part !== undefined)
    .join(', ');
  const writes: Policy = disabled || noWrites ? 'through' : /^ok$/i.test(cacheStatus) ? 'back' : undefined;
  return [
    {
      controller: String(id),
      said,
      ...dropUndefined({ writes, wanted: noWrites && !disabled ? ('through' as const) : ('back' as const) }),
    },
  ];
};

/** States by which a battery or capacitor keeps the cache; every other word may not. */
const GOOD = /^(?:Optimal|Operational|OK|Ok|Okay|Ready|ZMM Optimal)$/;
const BAD = /fail|missing|replace|degraded|dgd|not installed|absent/i;

const goodOf = (battery: RaidBattery): boolean | undefined => {
  if (battery.replace === true || battery.missing === true || battery.aboutToFail === true) return false;
  if (battery.state === undefined) return undefined;
  return GOOD.test(battery.state) ? true : BAD.test(battery.state) ? false : undefined;
};

const batteryOf = (battery: RaidBattery): ReadBattery => {
  const flags = [
    ...(battery.replace === true ? ['replacement required'] : []),
    ...(battery.missing === true ? ['missing'] : []),
    ...(battery.aboutToFail === true ? ['about to fail'] : []),
    ...(battery.learnActive === true ? ['learn cycle active'] : []),
  ];
  return {
    controller: String(battery.controller),
    said: [`${battery.kind} ${battery.state ?? 'without a state'}`, ...flags].join(', '),
    ...dropUndefined({ good: goodOf(battery), learning: battery.learnActive, made: battery.mfgDate }),
  };
};

/** Controllers that say in one word how their battery is. */
const wordBattery = ({ id, batteryStatus, backupUnitStatus }: RaidController): ReadBattery[] => {
  const word = batteryStatus ?? backupUnitStatus;
  if (word === undefined) return [];
  const learning = /recharging|charging|learning/i.test(word);
  const good = GOOD.test(word) ? true : BAD.test(word) ? false : undefined;
  return [
    {
      controller: String(id),
      said: `battery ${word}`,
      ...dropUndefined({ good, learning: learning ? true : undefined }),
    },
  ];
};

/** Disks of which the controller itself expects that they fail. Errors of links and cables are none of the disk. */
const suspectOf = (disk: RaidDisk): Suspect[] => {
  const why = [
    ...((disk.predictiveFailures ?? 0) > 0 ? [`${disk.predictiveFailures} predicted failures`] : []),
    ...(disk.smartAlert === true || (disk.smartWarnings ?? 0) > 0 ? ['S.M.A.R.T. alert'] : []),
    ...(disk.state?.startsWith('Predictive Failure') === true ? ['Predictive Failure'] : []),
  ];
  return why.length === 0
    ? []
    : [{ disk: diskKey(disk), why: why.join(', '), ...dropUndefined({ serial: disk.serial }) }];
};

export const cachesOf = ({ arrays = [], controllers = [] }: RaidReport): ReadCache[] => [
  ...arrays.flatMap((array) =>
    array.level === undefined || array.group !== undefined ? [] : arrayCache(array),
  ),
  ...controllers.flatMap(controllerCache),
];

export const batteriesOf = ({ batteries = [], controllers = [] }: RaidReport): ReadBattery[] => [
  ...batteries.map(batteryOf),
  ...controllers.flatMap(wordBattery),
];

export const suspectsOf = ({ disks = [] }: RaidReport): Suspect[] => disks.flatMap(suspectOf);

/** storcli's column DG says F, MegaCli `Foreign State: Foreign`. */
export const foreignOf = ({ disks = [] }: RaidReport): string[] =>
  disks.filter(({ array, foreign }) => array === 'F' || foreign === 'Foreign').map(diskKey);

/** What tells a disk from the one that is put in its place. */
export const numbersOf = ({ disks = [] }: RaidReport): { disk: string; number: string }[] => [
  ...new Map(
    disks.flatMap((disk): [string, { disk: string; number: string }][] => {
      const { serial, wwn } = disk;
      const number =
        serial === undefined ? (wwn === undefined ? undefined : `WWN ${wwn}`) : `serial ${serial}`;
      return number === undefined ? [] : [[diskKey(disk), { disk: diskKey(disk), number }]];
    }),
  ).values(),
];
