import { afterEach, describe, expect, test } from 'vitest';
import { card, one, open, requests, toDialog } from './acting.ts';

afterEach(() => one.close());

describe('the confirmation', () => {
  test('shows every command, the reasons, who is left out and why', async () => {
    await open(card(), {}, { columns: 200, rows: 60 });
    await toDialog();
    for (let number = 12; number < 29; number++)
      expect(one.screen()).toContain(`scontrol update nodename=node${number} state=resume`);
    for (const text of [
      'site sherlock · ctl1 as hpcops · reversible',
      'node31: the health check fails ("/hdfs is empty")',
      'drain again with the old reason',
      '[ Cancel ]',
      'y  resume',
      'jobs may start there again',
      '1 guard: it holds',
    ])
      expect(one.screen()).toContain(text);
    expect(one.screen()).not.toContain('abc123');
    await one.keys('d');
    for (const text of ['abc123', '(guard 3 live)', 'each node must lose DRAIN within 30 s'])
      expect(one.screen()).toContain(text);
    await one.keys('d', 'y');
    expect(requests('confirm')).toHaveLength(1);
  });

  test('no click and no wheel confirms or cancels; the wheel scrolls', async () => {
    await open(card(), {}, { columns: 80, rows: 24 });
    await toDialog();
    const before = one.screen();
    const cells = one.lines().flatMap((line, at) => (line.includes('│') ? [[40, at + 1] as const] : []));
    for (const [column, line] of cells)
      for (const code of [0, 0, 64, 65]) await one.type(`\u001B[<${code};${column};${line}M`);
    expect(one.screen()).not.toBe(before);
    expect(requests('confirm')).toEqual([]);
    expect(requests('drop')).toEqual([]);
    expect(one.console.state().ui.overlays.map(({ kind }) => kind)).toEqual(['confirm']);
  }, 20_000);

  test('Enter and Esc cancel, nothing else but y confirms', async () => {
    for (const key of ['Enter', 'Esc', 'n']) {
      await open(card());
      await toDialog();
      await one.keys('x', 'Space', 'Y', 'Tab', key);
      expect(requests('confirm')).toEqual([]);
      expect(requests('drop')).toEqual([{ plan: 'plan1' }]);
      expect(one.screen()).toContain('cancelled: nothing was sent to any host');
      one.close();
    }
  });

  test('what was said of a plan that was cancelled is gone once the next one is sent', async () => {
    await open(card());
    await toDialog();
    await one.keys('Esc');
    expect(one.screen()).toContain('cancelled: nothing was sent to any host');
    await toDialog();
    await one.keys('y');
    expect(requests('confirm')).toHaveLength(1);
    expect(one.screen()).not.toContain('cancelled');
  });

  test('is deaf for 300 ms, to held keys, to chunks and to pastes', async () => {
    await open(card());
    await one.keys('a', 'Enter');
    await one.keys('y');
    expect(one.screen()).toContain('too soon');
    one.pass(400);
    await one.keys('y');
    expect(one.screen()).toContain('a held key confirms nothing');
    for (let repeat = 0; repeat < 5; repeat++) {
      one.pass(40);
      await one.keys('y');
    }
    one.pass(1000);
    await one.type('yy');
    one.pass(1000);
    await one.type('\u001B[200~y\u001B[201~');
    expect(requests('confirm')).toEqual([]);
    expect(one.screen()).toContain('pastes are ignored here');
    one.pass(1000);
    await one.keys('y');
    expect(requests('confirm')).toHaveLength(1);
  });

  test('commands that do not fit must have been seen to their end, and nothing else', async () => {
    const because = Array.from({ length: 60 }, (_, line) => `reason ${line}.`);
    await open(card({ because }), {}, { columns: 100, rows: 24 });
    await toDialog();
    expect(one.screen()).toContain('read to the end first: ↓ or PgDn');
    await one.keys('y');
    expect(requests('confirm')).toEqual([]);
    expect(one.screen()).toContain('read to the end first: ↓ or PgDn');
    one.pass(1000);
    await one.keys('PgDn', 'PgDn', 'PgDn', 'y');
    expect(requests('confirm')).toHaveLength(1);
  });

  test('a command over several lines goes on indented, in the plan and in all of it', async () => {
    const words = Array.from({ length: 40 }, (_, at) => `word${at}`).join(' ');
    await open(card({ commands: [{ host: 'ctl1', line: words }] }), {}, { columns: 80, rows: 24 });
    await toDialog();
    const inside = (): string[] => one.lines().flatMap((line) => /^│ (.*?) *│$/.exec(line)?.[1] ?? []);
    const begin = inside().findIndex((line) => line.startsWith('will run    word0 '));
    expect(inside()[begin + 1]).toMatch(/^ {16}word\d/);
    expect(
      inside()
        .slice(begin, begin + 6)
        .join(' ')
        .replaceAll(/\s+/g, ' '),
    ).toContain(words);
  });

  test('on the smallest screen all that is decided by stands on the first one, in full', async () => {
    await open(
      card({
        danger: 'access',
        confirmText: 'shut core3:te3/46',
        commands: card().commands.slice(0, 5),
        hash: 'a'.repeat(64),
        because: Array.from({ length: 30 }, (_, line) => `reason ${line}.`),
        unchecked: [{ id: '9 own way', text: 'whether this console hangs there' }],
      }),
      {},
      { columns: 80, rows: 24 },
    );
    await toDialog();
    const shown = one.lines();
    expect(shown.find((line) => line.includes('type "'))).toMatch(/"shut core3:te3\/46" and Enter: _ +│/);
    for (const text of [
      'nodename=node12 state=resume',
      'nodename=node16 state=resume',
      'users',
      'drain again with the old reason',
      'whether this console hangs there',
      'node31: the health check fails',
      '1 guard: it holds',
      'Tab shows all of it; Esc cancels; pastes and held keys do nothing here',
    ])
      expect(one.screen()).toContain(text);
    expect(one.screen()).not.toContain('more command line');
    await one.keys('Tab', 'PgDn', 'PgDn', 'PgDn', 'PgDn');
    expect(one.screen()).toContain(`hash  ${'a'.repeat(64)}`);
  });

  test('d is a letter where the text begins with it or was begun, and shows all of the plan else', async () => {
    await open(card({ danger: 'service', confirmText: 'node12' }));
    await toDialog();
    await one.keys('d');
    expect(one.screen()).toContain('abc123');
    await one.keys('Tab', 'n', 'd');
    expect(one.screen()).toContain('Enter: nd_');
    await one.keys('Esc');
    one.close();
    await open(card({ danger: 'access', confirmText: 'drain node12' }));
    await toDialog();
    await one.keys('d');
    expect(one.screen()).toContain('Enter: d_');
  });

  test('after a resize all that will run must be on the screen again; too small a window cancels', async () => {
    await open(card());
    await toDialog();
    await one.resize(100, 24);
    await one.keys('y');
    expect(requests('confirm')).toEqual([]);
    expect(one.screen()).toContain('read to the end first: ↓ or PgDn');
    await one.resize(79, 24);
    expect(requests('drop')).toHaveLength(1);
  });

  test('service: the target must be typed in full', async () => {
    await open(card({ danger: 'service', confirmText: 'home0' }));
    await toDialog();
    expect(one.screen()).toContain('type "home0" and Enter');
    await one.keys('y');
    await one.keys('Enter');
    expect(one.screen()).toContain('that is not "home0"');
    await one.keys('Backspace', 'h', 'o', 'm', 'e', '0');
    await one.type('\u001B[200~home0\u001B[201~');
    await one.type('home0');
    one.pass(1000);
    await one.keys('Enter');
    expect(requests('confirm')).toEqual([{ plan: 'plan1', typed: 'home0' }]);
  });

  test('service: Enter with nothing typed cancels', async () => {
    await open(card({ danger: 'service', confirmText: 'home0' }));
    await toDialog();
    await one.keys('Enter');
    expect(requests('drop')).toHaveLength(1);
    expect(requests('confirm')).toEqual([]);
  });

  test('access: armed only after its time, whatever was typed', async () => {
    await open(card({ danger: 'access', confirmText: 'shut te3/46', armedAfterMs: 2000 }));
    await toDialog();
    for (const char of 'shut te3/46') await one.type(char);
    expect(one.screen()).toContain('armed in 1 s');
    await one.keys('Enter');
    expect(requests('confirm')).toEqual([]);
    one.pass(1500);
    await one.keys('Enter');
    expect(requests('confirm')).toEqual([{ plan: 'plan1', typed: 'shut te3/46' }]);
  });

  test('refused after the live check: nothing was sent', async () => {
    await open(card(), {
      confirm: () => ({ refused: { guard: '3 live', reason: 'plan is stale: node12 is IDLE' } }),
    });
    await toDialog();
    await one.keys('y');
    expect(one.screen()).toContain('plan is stale: node12 is IDLE');
    expect(one.screen()).not.toContain('3 live');
  });

  test('a collector that dies between confirmation and answer leaves the outcome unknown', async () => {
    await open(card());
    await toDialog();
    one.console.press([{ name: 'y', char: 'y', alone: true, repeat: false }]);
    one.mirror.noteStopped('killed');
    await one.settle();
    expect(one.screen()).toContain('Not known whether it was started');
  });
});
