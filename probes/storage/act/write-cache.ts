import * as z from 'zod';
import type { Action, Plan, PlanContext, Refusal } from '../../../src/model/action.ts';
import { refusal, rereads, waitUnless } from '../../../src/kit/guards.ts';
import { planOf } from '../../../src/kit/offers.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { ReadCache } from '../readings.ts';
import { controllerGuard, findOfTool, orRefuse, toolsOn, toolStep, type OfTool } from './controllers.ts';

/** `c0/0/1 data`: controller, drive group and volume, as the pane names them; the name behind is the site's. */
const volume = z
  .string()
  .trim()
  .regex(/^c\d{1,3}\/\d{1,4}\/\d{1,4}(?: .{1,60})?$/, { error: 'a volume as "c0/0/1"' });

const parameters = z.object({ volume });
type Parameters = z.infer<typeof parameters>;

const findCache = (host: string, name: string, judgement: Judgement): OfTool<ReadCache> | string =>
  findOfTool(host, judgement, name, ({ caches }) =>
    caches.find(({ array }) => array === name || array?.split(' ')[0] === name),
  );

/** `/c0/v1` */
const volumePath = (name: string): string => {
  const [, controller = '', number = ''] = /^c(\d{1,3})\/\d{1,4}\/(\d{1,4})/.exec(name) ?? [];
  return `/c${controller}/v${number}`;
};

/** Write back without a battery that is good loses what is written in a power cut. */
const whyNoBattery = ({ tool, found }: OfTool<ReadCache>): string | undefined => {
  const own = tool.batteries.filter(({ controller }) => controller === found.controller);
  if (own.length === 0) return `controller ${found.controller} names no battery`;
  const bad = own.find(({ good, learning }) => good !== true || learning === true);
  return bad === undefined ? undefined : `its battery is not known to be good: ${bad.said}`;
};

const planBack = (
  [subject, ...more]: readonly Subject[],
  { volume: name }: Parameters,
  { judgement }: PlanContext,
): Plan | Refusal => {
  if (!subject || more.length > 0) return refusal('5 targets', 'one host at a time');
  const { id: host } = subject;
  const own = orRefuse(findCache(host, name, judgement));
  if ('refused' in own) return own;
  return planOf(writeCacheAction, {
    title: `Set ${name} on ${host} to write back`,
    targets: [
      {
        subject,
        object: name,
        steps: [toolStep(judgement, host, own.program, volumePath(name), 'set', 'wrcache=WB')],
        guards: [
          controllerGuard(
            host,
            `${name} is set to write through, and the battery of its controller is good`,
            (live) => {
              const now = findCache(host, name, live);
              if (typeof now === 'string') return now;
              return now.found.wanted === 'through' ? whyNoBattery(now) : `it reads ${now.found.said}`;
            },
          ),
        ],
        whyAlreadyDone: (live) => {
          const now = findCache(host, name, live);
          return typeof now !== 'string' && now.found.wanted === 'back'
            ? `it is ${now.found.said}`
            : undefined;
        },
        verify: {
          text: `${name} on ${host} is set to write back`,
          reads: rereads('storage.controllers', host),
          deadlineMs: 300_000,
          everyMs: 20_000,
          check: (live) => {
            const now = findCache(host, name, live);
            return typeof now === 'string'
              ? { state: 'unread', text: now }
              : waitUnless(now.found.wanted === 'back', now.found.said);
          },
        },
        undo: null,
        lockGroups: [`controllers ${host}`],
      },
    ],
    parameters: { volume: name },
    because: [`${name}: ${own.found.said}`],
    afterwards:
      'should the battery fail, the controller writes through by itself: this is WB, not AWB, which ignores the battery',
    undoText: `none: by hand ${own.tool.tool} ${volumePath(name)} set wrcache=WT`,
  });
};

/** Of a cache that somebody set to write through, and a battery that keeps it. Never AWB, which writes back whatever the battery says. */
export const writeCacheAction: Action<Parameters> = {
  id: 'storage.write-back',
  verb: 'set',
  title: 'set a volume to write back',
  subject: 'host',
  danger: 'service',
  users: 'writes get quicker',
  parameters,
  prompts: [],
  menu: {
    note: ({ targets }) => targets[0]?.object ?? '',
    tryWith: ([subject], { judgement }) => {
      const tools = subject === undefined ? [] : toolsOn(subject.id, judgement);
      const volumes = tools.flatMap(({ caches }) =>
        caches.flatMap(({ array, wanted }) =>
          array !== undefined && wanted === 'through' && volume.safeParse(array).success ? [array] : [],
        ),
      );
      return volumes.length > 0
        ? volumes.map((name) => ({ volume: name }))
        : refusal('3 preconditions', 'no volume there is set to write through');
    },
    prompts: ({ targets }) => [
      { name: 'volume', label: 'volume', required: true, initial: targets[0]?.object ?? '' },
    ],
  },
  plan: planBack,
};
