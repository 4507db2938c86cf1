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
      'node31: check fails ("/hdfs is empty")',
      'drain again with the old reason',
      '[ Cancel ]',
      'y  resume',
      'abc123',
    ])
      expect(one.screen()).toContain(text);
  });

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

  test('is deaf for 300 ms, to held keys, to chunks and to pastes', async () => {
    await open(card());
    await one.keys('a', 'Enter');
    await one.keys('y');
    one.pass(400);
    await one.keys('y');
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

  test('a plan longer than the screen can not be confirmed before its end was seen', async () => {
    await open(card(), {}, { columns: 100, rows: 24 });
    await toDialog();
    expect(one.screen()).toContain('read to the end first');
    await one.keys('y');
    expect(requests('confirm')).toEqual([]);
    one.pass(1000);
    await one.keys('PgDn', 'PgDn', 'PgDn', 'y');
    expect(requests('confirm')).toHaveLength(1);
  });

  test('on the smallest screen the plan has every line, and what still stops it is said in full', async () => {
    await open(
      card({
        danger: 'access',
        confirmText: 'shut core3:te3/46',
        hash: 'a'.repeat(64),
        because: Array.from({ length: 30 }, (_, line) => `reason ${line}.`),
      }),
      {},
      { columns: 80, rows: 24 },
    );
    await toDialog();
    const shown = one.lines();
    expect(shown[0]).toContain('┌ Resume 17 nodes');
    expect(shown[23]).toContain('└──');
    expect(shown.find((line) => line.includes('type "'))).toMatch(/"shut core3:te3\/46" and Enter: _ +│/);
    expect(one.screen()).toContain('valid for 59 s; read to the end first: ↓ or PgDn');
    await one.keys('PgDn', 'PgDn', 'PgDn', 'PgDn');
    expect(one.screen()).toContain('pastes and held keys do nothing here');
    expect(one.screen()).toContain(`hash  ${'a'.repeat(64)}`);
  });

  test('is cancelled when the window becomes too small for it', async () => {
    await open(card());
    await toDialog();
    await one.resize(160, 30);
    expect(one.screen()).toContain('cancelled: the dialog no longer fits the window');
    expect(requests('drop')).toHaveLength(1);
  });

  test('expires, and drops the plan', async () => {
    await open(card());
    await toDialog();
    one.pass(60_000);
    await one.settle();
    expect(one.screen()).toContain('The plan expired');
    await one.keys('y');
    expect(requests('confirm')).toEqual([]);
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
    expect(one.screen()).toContain('Refused by guard 3 live');
    expect(one.screen()).toContain('plan is stale: node12 is IDLE');
  });

  test('a collector that dies between confirmation and answer leaves the outcome unknown', async () => {
    await open(card());
    await toDialog();
    one.console.press([{ name: 'y', char: 'y', alone: true, repeat: false }]);
    one.mirror.stopped('killed');
    await one.settle();
    expect(one.screen()).toContain('Not known whether it was started');
  });
});
