import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { hosts } from '../../probes/hosts/index.ts';
import { createCollectorThread, type CollectorThread } from '../../src/commands/collector-thread.ts';
import { createBoard, watchLife } from '../../src/collect/doing.ts';
import type { Choked, Doing, WorkerStart } from '../../src/model/wire.ts';
import { textOf } from '../../src/model/words.ts';
import { rig } from '../collect/helpers/fake-collector.ts';
import { answerOf, host, probeOf, systemOf } from '../collect/helpers/fake-site.ts';
import { siteOf } from '../helpers/judging.ts';

const MINUTE = 60_000;

/** A thread that shows life once and then does this; each look at it comes far sooner than in earnest. */
const LOOK_MS = 150;
const source = (work: string): string => `
  const { parentPort, workerData } = await import('node:worker_threads');
  const { runOnBoard, showLife } = await import(${JSON.stringify(new URL('../../src/collect/doing.ts', import.meta.url).href)});
  showLife(workerData);
  parentPort.on('message', (message) => message.type === 'stop' ? parentPort.close() : parentPort.postMessage({ type: 'log', line: JSON.stringify(message.choked ?? []) }));
  setTimeout(() => { ${work} }, 1000);
`;
const urlOf = (work: string): URL => new URL(`data:text/javascript,${encodeURIComponent(source(work))}`);
const endless = `runOnBoard({ probe: 'sys.a', host: 'bad1' }, () => { for (;;); });`;

let end: (() => unknown) | undefined;
afterEach(() => end?.());

const silenceOf = (work: string): Promise<Doing | undefined> =>
  new Promise((resolve) => {
    const board = createBoard();
    const worker = new Worker(urlOf(work), { workerData: board });
    const unwatch = watchLife(board, resolve, LOOK_MS);
    end = () => {
      unwatch();
      return worker.terminate();
    };
  });

describe('a thread that stands still', () => {
  it('is noticed, with what it was doing', async () => {
    expect(await silenceOf(endless)).toEqual({ probe: 'sys.a', host: 'bad1' });
  });

  it('is noticed also where nobody said what it does', async () => {
    expect(await silenceOf(`runOnBoard({ probe: 'sys.a', host: 'good1' }, () => 1); for (;;);`)).toBe(
      undefined,
    );
  });

  it('is ended and may be started again; the new one is told what must rest, the second time for longer', async () => {
    const told: Choked[][] = [];
    const deaths: [string, boolean][] = [];
    const done = Promise.withResolvers<void>();
    const thread: CollectorThread = createCollectorThread({
      readOnly: true,
      start: Promise.resolve({} as WorkerStart),
      log: (line) => {
        if (line.startsWith('[')) told.push(JSON.parse(line) as Choked[]);
        if (told.length === 3) done.resolve();
      },
      receive: () => {},
      onDied: (...death) => {
        deaths.push(death);
        thread.start();
      },
      file: { url: urlOf(endless), argv: [] },
      lookMs: LOOK_MS,
    });
    end = thread.close;
    thread.start();
    await done.promise;
    expect(deaths).toEqual([
      ['it stood still at sys.a of bad1', true],
      ['it stood still at sys.a of bad1', true],
    ]);
    expect(told.map((list) => list.map(({ probe, host: name, tries }) => [probe, name, tries]))).toEqual([
      [],
      [['sys.a', 'bad1', 1]],
      [['sys.a', 'bad1', 2]],
    ]);
    const [once = 0, twice = 0] = told.slice(1).map(([one]) => one?.restMs);
    expect(once).toBeLessThanOrEqual(10 * MINUTE);
    expect(twice).toBeGreaterThan(10 * MINUTE);
  });
});

describe('what made the collector stand still', () => {
  const restless = (choked: Partial<Choked> = {}) => {
    const site = siteOf([host('bad1'), host('good1')]);
    const systems = [hosts, systemOf('sys', [probeOf('sys.a')])];
    const { clock, collector, transports } = rig(site, systems, () => answerOf('fine'));
    collector.giveRest({ probe: 'sys.a', host: 'bad1', tries: 1, restMs: 10 * MINUTE, ...choked });
    collector.start();
    const asked = (name: string): number => transports.calls.filter((call) => call.host === name).length;
    const found = (): string[] => {
      collector.update();
      return collector.findings().map(({ summary }) => textOf(summary));
    };
    return { clock, collector, asked, found };
  };

  it('rests, with a finding meanwhile; the others are asked; then it comes back by itself', async () => {
    const { clock, collector, asked, found } = restless();
    await clock.advance(9 * MINUTE);
    expect(asked('bad1')).toBe(0);
    expect(asked('good1')).toBeGreaterThan(50);
    expect(found()).toEqual([expect.stringContaining('sys.a made the collector stand still')]);
    await clock.advance(2 * MINUTE);
    expect(asked('bad1')).toBeGreaterThan(0);
    expect(found()).toEqual([]);
    await collector.close();
  });

  it('is asked at once by r, and what is not of this site is let go', async () => {
    const { clock, collector, asked, found } = restless();
    collector.giveRest({ probe: 'sys.gone', host: 'bad1', tries: 1, restMs: MINUTE });
    collector.refresh({ host: 'bad1' });
    await clock.advance(1000);
    expect(asked('bad1')).toBe(1);
    expect(found()).toEqual([]);
    await collector.close();
  });
});
