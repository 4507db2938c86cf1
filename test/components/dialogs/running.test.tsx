import { afterEach, describe, expect, test } from 'vitest';
import type { RunView } from '../../../src/model/run.ts';
import { NOW, updateOf } from '../fixture.ts';
import { card, one, open, requests, run, toDialog } from './acting.ts';

afterEach(() => one.close());

describe('a run', () => {
  const start = async (): Promise<void> => {
    await open(card());
    await toDialog();
    await one.keys('y');
  };
  const progress = async (change: Partial<RunView>): Promise<void> => {
    one.mirror.receive(updateOf({ seq: 9, now: NOW, runs: [run(change)] }));
    await one.settle();
  };

  test('shows each target with its state, and the output on demand', async () => {
    await start();
    expect(one.screen()).toContain('starting ...');
    await progress({});
    expect(one.lines().find((line) => line.includes('node12 '))).toMatch(
      /✓ node12 +verified 1\.2 s +reads back IDLE/,
    );
    expect(one.screen()).not.toContain('fine');
    await one.keys('o');
    expect(one.screen()).toContain('fine');
  });

  test('counts down each second to what comes of itself, between the looks', async () => {
    await start();
    const waits = { id: 'home0', state: 'reading back', text: 'home0 is locked for gl2 on gl1' } as const;
    await progress({ targets: [{ ...waits, endsAt: NOW + 90_000 }] });
    const shown = () => one.lines().find((line) => line.includes('home0 ')) ?? '';
    const left = () => Number(/reading back +(\d+) s left, by \d\d:\d\d:\d\d: home0/.exec(shown())?.[1]);
    const before = left();
    expect(before).toBeGreaterThan(80);
    one.pass(7000);
    await one.settle();
    expect(left()).toBe(before - 7);
    one.pass(90_000);
    await one.settle();
    expect(shown()).toMatch(/its time was over at \d\d:\d\d:\d\d: home0 is locked/);
    await progress({ targets: [{ ...waits, state: 'verified', text: 'home0 is free' }] });
    expect(shown()).toMatch(/verified +home0 is free/);
  });

  test('x stops it before its next target', async () => {
    await start();
    await progress({});
    await one.keys('x');
    expect(requests('stop')).toEqual([{ run: 'run1' }]);
    expect(one.screen()).toContain('stopping before the next target');
  });

  test.each([
    ['done', '✓ done, verified by reading it again'],
    ['nothing', '✓ nothing to do: already in the wanted state'],
    ['undone', '! undone'],
    ['failed', '✖ failed'],
    ['refused', '! refused'],
    ['unknown', '? UNKNOWN: what is true now could not be read'],
  ] as const)('%s is said in words', async (state, words) => {
    await start();
    await progress({ state, endedAt: NOW, result: 'look at node12' });
    expect(one.screen()).toContain(words);
    expect(one.screen()).toContain('look at node12');
    if (state !== 'done' && state !== 'nothing') expect(one.screen()).not.toContain('✓ done');
  });

  test('is unknown when the collector dies under it', async () => {
    await start();
    await progress({});
    one.mirror.noteStopped('killed');
    await one.settle();
    expect(one.screen()).toContain('? UNKNOWN');
    expect(one.screen()).toContain('the collector stopped during the run');
    await one.keys('Esc', 'q', 'y');
    expect(one.exits).toBe(1);
  });

  test('quitting meanwhile asks: stay, stop and leave, or leave at once', async () => {
    await start();
    await progress({});
    await one.keys('Esc', 'q');
    expect(one.exits).toBe(0);
    expect(one.screen()).toContain('still running: Resume 17 nodes');
    await one.keys('q', 'y');
    expect(one.exits).toBe(0);
    await one.keys('Esc', 'q', 'x');
    expect(requests('stop')).toHaveLength(1);
    await progress({ state: 'done', endedAt: NOW });
    one.pass(1000);
    expect(one.exits).toBeGreaterThan(0);
  });

  test('going to another site meanwhile asks, and goes there when the run that it stopped has ended', async () => {
    await start();
    await progress({});
    await one.keys('Esc', ':');
    await one.type('site north');
    await one.keys('Enter');
    expect(one.exits).toBe(0);
    expect(one.screen()).toContain('still running: Resume 17 nodes');
    await one.keys('x');
    await progress({ state: 'done', endedAt: NOW });
    one.pass(1000);
    expect(one.leftFor).toContain('north');
  });

  test('the second Ctrl-C leaves at once', async () => {
    await start();
    await progress({});
    await one.keys('Ctrl-C');
    expect(one.exits).toBe(0);
    await one.keys('Ctrl-C');
    expect(one.exits).toBe(1);
  });
});
