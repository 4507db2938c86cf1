import * as z from 'zod';
import type { Guard, Refusal, Step } from '../../../src/model/action.ts';
import { passUnless, refusal, rereads } from '../../../src/kit/guards.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { controllerDisk, type ControllerDisk } from '../enclosures.ts';
import { freshValue } from '../judge/sources.ts';
import type { ControllersReading, RaidToolReading } from '../readings.ts';
import { argvAsRoot } from '../settings.ts';

/** Tools of one command line, whose own help says what is sent here (`storcli64 /cx/ex/sx set help`). */
const SPEAKS: ReadonlySet<string> = new Set(['storcli', 'perccli']);

export const diskOfController = z
  .string()
  .trim()
  .refine((text) => controllerDisk(text) !== undefined, { error: 'a disk of a controller as "c0 32:5"' });

export const toolsOn = (host: string, judgement: Judgement): readonly RaidToolReading[] =>
  freshValue(judgement.readings.source<ControllersReading>('storage.controllers', host))?.tools ?? [];

/** What a tool that was not read as a whole keeps to itself may be what matters. */
const whyNotWhole = (tool: RaidToolReading): string | undefined =>
  tool.failure !== undefined
    ? `${tool.tool}: ${tool.failure}`
    : SPEAKS.has(tool.tool) && tool.program !== undefined
      ? undefined
      : `no command of ${tool.tool} is documented here: by hand, and noted`;

/** What the one tool that names something has of it, or why there is none. */
export const findTool = <T>(
  host: string,
  judgement: Judgement,
  what: string,
  pick: (tool: RaidToolReading) => T | undefined,
): { tool: RaidToolReading; found: T } | string => {
  const tools = toolsOn(host, judgement);
  if (tools.length === 0) return `the controllers of ${host} were not read just now`;
  const all = tools.flatMap((tool) => {
    const found = pick(tool);
    return found === undefined ? [] : [{ tool, found }];
  });
  const [one] = all;
  if (!one) return `no controller of ${host} names ${what}`;
  return all.length > 1 ? `two tools of ${host} name ${what}: by hand` : one;
};

export interface OfTool<T> {
  tool: RaidToolReading;
  program: string;
  found: T;
}

/** The same of a tool that was read as a whole and whose commands are known here. */
export const findOfTool = <T>(...asked: Parameters<typeof findTool<T>>): OfTool<T> | string => {
  const one = findTool(...asked);
  if (typeof one === 'string') return one;
  const { program } = one.tool;
  const why = whyNotWhole(one.tool);
  return why === undefined && program !== undefined ? { ...one, program } : (why ?? '');
};

/** The slot of a disk in the one array that it is in. */
export const findMember = (host: string, disk: string, judgement: Judgement) =>
  findOfTool(host, judgement, disk, ({ arrays }) => {
    const own = arrays.flatMap((array) =>
      array.slots.flatMap((slot) => (slot.disk === disk ? [{ array, slot }] : [])),
    );
    return own[0] === undefined ? undefined : { ...own[0], all: own };
  });

export const orRefuse = <T>(found: T | string): T | Refusal =>
  typeof found === 'string' ? refusal('3 preconditions', found) : found;

/** `/c0/e32/s5` */
export const diskPath = ({ controller, enclosure, slot }: ControllerDisk): string =>
  `/c${controller}${enclosure === undefined ? '' : `/e${enclosure}`}/s${slot}`;

export const toolStep = (
  { site }: Judgement,
  host: string,
  program: string,
  ...words: readonly string[]
): Step => ({
  host,
  argv: argvAsRoot(site, 'timeout', '-s', 'KILL', '60', program, ...words, 'nolog'),
  deadlineMs: 90_000,
});

/** A guard on controllers, read anew: by the same script that starts none while one hangs. */
export const controllerGuard = (
  host: string,
  text: string,
  why: (live: Judgement) => string | undefined,
): Guard => ({
  id: '3 controller',
  text,
  reads: rereads('storage.controllers', host),
  absolute: true,
  check: (live) => passUnless(why(live), 'so it reads now'),
});
