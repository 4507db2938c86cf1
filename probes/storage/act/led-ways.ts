import * as z from 'zod';
import type { Step } from '../../../src/model/action.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { controllerDisk, type ControllerDisk } from '../enclosures.ts';
import type { RaidToolReading } from '../readings.ts';
import type { EnclosuresReading, EnclosureSlot } from '../enclosures.ts';
import { freshValue } from '../judge/sources.ts';
import { argvAsRoot } from '../settings.ts';
import { diskPath, findTool } from './controllers.ts';
import { diskName } from './members.ts';
import { ledctlRefusals } from './refusals.ts';

/** How the locate LED of a disk is lit and put out. */
export type LedWay =
  /** By the slot's file in sysfs, which can be read back. */
  | { kind: 'slot'; enclosure: string; slot: string }
  /** By ledctl, which says nothing of what shines. */
  | { kind: 'ledctl'; disk: string }
  /** By the tool of its controller, which says nothing of it, either. */
  | { kind: 'tool'; tool: string; program: string; disk: ControllerDisk };

const slotName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9 _.,#-]{0,60}$/);
const enclosureName = z.string().regex(/^\d{1,4}(?::\d{1,10}){3}$/);

export const enclosuresOn = (host: string, judgement: Judgement): EnclosuresReading | undefined =>
  freshValue(judgement.readings.source<EnclosuresReading>('storage.enclosures', host));

export const slotOf = (
  disk: string,
  reading: EnclosuresReading | undefined,
): { enclosure: string; slot: EnclosureSlot } | undefined =>
  reading?.enclosures
    .flatMap(({ id, slots }) => slots.map((slot) => ({ enclosure: id, slot })))
    .find(({ slot }) => slot.disk === disk);

const namesDisk = ({ arrays, suspects }: RaidToolReading, disk: string): boolean =>
  suspects.some((one) => one.disk === disk) ||
  arrays.some(({ slots }) => slots.some((slot) => slot.disk === disk));

/** By the one tool that names the disk: what two tools call `c0 32:5` may be two disks. */
const wayByTool = (host: string, disk: string, judgement: Judgement): LedWay | string => {
  const parsed = controllerDisk(disk);
  const own = findTool(host, judgement, disk, (tool) => (namesDisk(tool, disk) ? parsed : undefined));
  if (typeof own === 'string') return own;
  const { tool, program, failure } = own.tool;
  if (failure !== undefined) return `${tool}: ${failure}`;
  if (program === undefined || tool === 'arcconf')
    return `no command of ${tool} for a locate LED is documented here: by hand`;
  return { kind: 'tool', tool, program, disk: own.found };
};

/** How to light it, or why that can't be done. */
export const ledWay = (host: string, disk: string, judgement: Judgement): LedWay | string => {
  if (!diskName.safeParse(disk).success) return wayByTool(host, disk, judgement);
  const reading = enclosuresOn(host, judgement);
  if (!reading) return `the enclosures of ${host} were not read just now`;
  const found = slotOf(disk, reading);
  if (found) {
    const { enclosure, slot } = found;
    if (slot.lit === undefined) return `its slot (${slot.name}) has no locate LED`;
    return slotName.safeParse(slot.name).success && enclosureName.safeParse(enclosure).success
      ? { kind: 'slot', enclosure, slot: slot.name }
      : `its slot has a name that is not used in a command: by hand`;
  }
  if (reading.unread !== undefined) return reading.unread;
  return reading.ledctl
    ? { kind: 'ledctl', disk }
    : `there is no LED for it: no enclosure shows its slot, and ledctl is not installed`;
};

const slotPath = ({ enclosure, slot }: { enclosure: string; slot: string }): string =>
  `/sys/class/enclosure/${enclosure}/${slot}/locate`;

const toolWords = (tool: string, disk: ControllerDisk, on: boolean): string[] => {
  const { controller, id } = disk;
  if (tool === 'megacli')
    return ['-PdLocate', on ? '-start' : '-stop', `-physdrv[${id}]`, `-a${controller}`, '-NoLog'];
  if (tool === 'ssacli')
    return ['ctrl', `slot=${controller}`, 'pd', id, 'modify', `led=${on ? 'on' : 'off'}`];
  return [diskPath(disk), on ? 'start' : 'stop', 'locate', 'nolog'];
};

/** A command that lights or puts out, by itself: what a timer runs, too. */
const plainArgv = (way: LedWay, on: boolean): string[] => {
  switch (way.kind) {
    case 'slot':
      return ['sh', '-c', `echo ${on ? 1 : 0} > "$0"`, slotPath(way)];
    case 'ledctl':
      return ['ledctl', `${on ? 'locate' : 'locate_off'}=/dev/${way.disk}`];
    case 'tool':
      // A sick controller holds its tool for minutes.
      return ['timeout', '-s', 'KILL', '60', way.program, ...toolWords(way.tool, way.disk, on)];
  }
};

export const ledStep = (host: string, way: LedWay, on: boolean, { site }: Judgement): Step => ({
  host,
  argv: argvAsRoot(site, ...plainArgv(way, on)),
  deadlineMs: 90_000,
  ...(way.kind === 'ledctl' && { refusals: ledctlRefusals }),
});

/** `c0 32:5` is `c0-32-5` in the name of a unit. */
const timerName = (disk: string): string => disk.replaceAll(/[^A-Za-z0-9]/g, '-');

const unitName = (disk: string): string => `faultline-locate-${timerName(disk)}`;

/** systemd's own timer: it outlives every connection, and needs no file of ours. */
export const timerStep = (
  host: string,
  way: LedWay,
  disk: string,
  minutes: number,
  { site }: Judgement,
): Step => ({
  host,
  argv: argvAsRoot(
    site,
    'systemd-run',
    '--collect',
    `--unit=${unitName(disk)}`,
    `--on-active=${minutes * 60}s`,
    '--timer-property=AccuracySec=1s',
    ...plainArgv(way, false),
  ),
  deadlineMs: 15_000,
});

export const stopTimerStep = (host: string, disk: string, { site }: Judgement): Step => ({
  host,
  argv: argvAsRoot(site, 'systemctl', 'stop', `${unitName(disk)}.timer`),
  deadlineMs: 15_000,
});

/** Whether our timer waits there; undefined: systemd did not say. */
export const hasTimer = (disk: string, reading: EnclosuresReading | undefined): boolean | undefined =>
  reading?.timers?.includes(timerName(disk));
