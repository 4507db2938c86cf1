import { afterEach, expect, test } from 'vitest';
import {
  createCollectorThread,
  workerStart,
  type CollectorThread,
} from '../../src/commands/collector-thread.ts';
import { parseSite } from '../../src/site/parse.ts';
import { viewOf } from '../../src/site/view.ts';
import type { FromWorker } from '../../src/model/wire.ts';

let thread: CollectorThread | undefined;
afterEach(() => thread?.close());

const site = viewOf(
  parseSite('site: nowhere\nhosts: [{names: a}]\n', 'site.yaml', {
    systems: [],
  }).site,
);

const make = (broken = false) => {
  const seen: FromWorker[] = [];
  const deaths: string[] = [];
  const lines: string[] = [];
  const start = workerStart(site, { PATH: '/bin', GONE: undefined }, true);
  thread = createCollectorThread({
    readOnly: true,
    // A site that is no site: the thread dies as it starts.
    start: Promise.resolve(broken ? { ...start, site: null as unknown as typeof start.site } : start),
    log: (line) => lines.push(line),
    receive: (message) => seen.push(message),
    onDied: (why) => deaths.push(why),
  });
  return { seen, deaths, lines, thread };
};

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
};

test('what a thread is told is plain data', () => {
  const start = workerStart(site, { PATH: '/bin', GONE: undefined }, false);
  expect(structuredClone(start)).toEqual(start);
  expect(start.env).toEqual({ PATH: '/bin' });
  expect(start.site.name).toBe('nowhere');
  expect(start.history).toBe('disk');
});

test('it tells what it knows, and ends when asked without a word of death', async () => {
  const { seen, deaths, thread } = make();
  thread.start();
  thread.start();
  await until(() => seen.some((message) => message.type === 'update'));
  expect(seen.filter((message) => message.type === 'ready')).toHaveLength(1);
  await thread.close();
  expect(deaths).toEqual([]);
});

test('its death is told with the reason, and it can be started again', async () => {
  const { deaths, lines, thread } = make(true);
  thread.start();
  await until(() => deaths.length === 1);
  expect(deaths[0]).not.toBe('');
  expect(lines.join('\n')).toContain(deaths[0]);
  thread.start();
  await until(() => deaths.length === 2);
});
