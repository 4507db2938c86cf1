import type { HostView } from '../../../src/model/site.ts';
import type { AskContext, Probe } from '../../../src/model/system.ts';
import { shellCommand } from '../../../src/text/shell.ts';
import { enclosuresSchema, type EnclosuresReading } from '../enclosures.ts';
import { readArrays } from '../read/read-arrays.ts';
import { readControllers } from '../read/read-controllers.ts';
import { readEnclosures } from '../read/read-enclosures.ts';
import { readSmart } from '../read/read-smart.ts';
import { readUps } from '../read/read-ups.ts';
import {
  arraysSchema,
  controllersSchema,
  smartSchema,
  upsSchema,
  type ArraysReading,
  type ControllersReading,
  type SmartReading,
  type UpsReading,
} from '../readings.ts';
import { ARRAYS, raidToolsOf, scriptCommand, settingsOf, UPS, type UpsSetting } from '../settings.ts';
import arraysScript from './arrays.sh';
import controllersScript from './controllers.sh';
import enclosuresScript from './enclosures.sh';
import smartScript from './smart.sh';
import upsScript from './ups.sh';

/** Readings kept to see that nothing moves while it should: two minutes and more. */
const KEPT = 5;
/** Of slots: an hour and more. */
const KEPT_SLOTS = 8;

const arraysProbe: Probe<ArraysReading> = {
  id: 'storage.arrays',
  role: ARRAYS,
  everyMs: 30_000,
  touches: 'nothing',
  mayHang: true,
  // zpool, asked twice, and multipathd have 10 s each.
  deadlineMs: 35_000,
  keep: KEPT,
  ask: (_host, { site }) => ({ script: scriptCommand(site, arraysScript, 'faultline-storage-arrays') }),
  read: (answer) => readArrays(answer),
  schema: arraysSchema,
};

/**
 * Off the polling path: they go through the firmware of the controller, which a sick one holds for minutes. Asked when the console begins
 * all the same: that a write cache is off is not to be seen ten minutes later.
 */
const controllersProbe: Probe<ControllersReading> = {
  id: 'storage.controllers',
  role: ARRAYS,
  everyMs: 600_000,
  touches: 'nothing',
  mayHang: true,
  // 60 s for each question, of which storcli, perccli and MegaCli have two.
  deadlineMs: 500_000,
  keep: 1,
  parallel: 8,
  when: ({ name }, { site }) => raidToolsOf(site, name).length > 0,
  ask: ({ name }, { site }) => ({
    script: scriptCommand(
      site,
      controllersScript,
      'faultline-storage-controllers',
      ...raidToolsOf(site, name),
    ),
    maxBytes: 8_000_000,
  }),
  read: (answer) => readControllers(answer),
  schema: controllersSchema,
};

/** Disks that sleep are left asleep; the others are asked seldom, for what they say changes in days. */
const smartProbe: Probe<SmartReading> = {
  id: 'storage.smart',
  role: ARRAYS,
  everyMs: 900_000,
  touches: 'nothing',
  mayHang: true,
  // 15 s a disk at most, of which few hang at a time.
  deadlineMs: 300_000,
  parallel: 8,
  ask: (_host, { site }) => ({
    script: scriptCommand(site, smartScript, 'faultline-storage-smart'),
    maxBytes: 16_000_000,
  }),
  read: (answer) => readSmart(answer),
  schema: smartSchema,
};

/** To read a slot's state asks the enclosure: seldom, and again after a LED was lit. */
const enclosuresProbe: Probe<EnclosuresReading> = {
  id: 'storage.enclosures',
  role: ARRAYS,
  everyMs: 600_000,
  touches: 'nothing',
  mayHang: true,
  // 20 s for the slots, and for the parts of each enclosure, of which few hang.
  deadlineMs: 120_000,
  keep: KEPT_SLOTS,
  ask: (_host, { site }) => ({
    script: scriptCommand(site, enclosuresScript, 'faultline-storage-enclosures'),
  }),
  read: (answer) => readEnclosures(answer),
  schema: enclosuresSchema,
};

const unitsOf = ({ name }: HostView, { site }: AskContext): readonly UpsSetting[] =>
  settingsOf(site).ups.filter(({ host }) => host === name);

const upsProbe: Probe<UpsReading> = {
  id: 'storage.ups',
  role: UPS,
  everyMs: 30_000,
  touches: 'nothing',
  mayHang: true,
  deadlineMs: 60_000,
  keep: KEPT,
  when: (host, context) => unitsOf(host, context).length > 0,
  ask: (host, context) => {
    const words = unitsOf(host, context).flatMap(({ tool, name }) => [tool, name]);
    return { script: shellCommand(['sh', '-c', upsScript, 'faultline-storage-ups', ...words]) };
  },
  read: (answer) => readUps(answer),
  schema: upsSchema,
};

export const storageProbes: readonly Probe[] = [
  arraysProbe,
  controllersProbe,
  smartProbe,
  enclosuresProbe,
  upsProbe,
];
