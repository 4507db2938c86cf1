import { afterEach, describe, expect, test } from 'vitest';
import { start, type Session } from './driver.ts';

describe('an OST that receives files in spite of its flag', () => {
  let session: Session;
  afterEach(() => session.close());

  test('the first finding says why; a, Enter and one confirmation stop it on every MDT', async () => {
    session = start(['demo', '--incident', 'degraded-ignored'], { columns: 160, rows: 45 });
    await session.until('scratch-OST001e is degraded but still receives files: Lustre 2.7 ignores the flag');
    expect(session.lines().find((line) => line.startsWith('>'))).toContain('scratch-OST001e is degraded');
    // Every MDT must have been read before anything can be planned.
    await session.until('yes: QOS ignores D');
    await session.keys('a');
    await session.until('> stop creates');
    await session.keys('Enter');
    await session.until('Stop creates on scratch-OST001e');
    expect(session.screen()).toContain(
      'active=0 on every MDT: Lustre 2.7 does not honour max_create_count=0',
    );
    await session.until(/valid for 5[0-8] s/);
    await session.type('scratch-OST001e');
    await session.keys('Enter');
    await session.until('✓ done, verified by reading it again', 90_000);
    expect(session.screen()).toMatch(/MDT0000 next_id \d+ for 3\d s; MDT0001 next_id \d+ for 3\d s/);
    await session.keys('Esc');
    await session.until((screen) => !screen.includes('but still receives files'));
    await session.until('no: inactive');
  });
});

describe('locks and recovery', () => {
  let session: Session;
  afterEach(() => session.close());

  test('lock depletion: named with its figures, the raw answer one key away', async () => {
    session = start(['demo', '--incident', 'lock-depletion'], { columns: 160, rows: 45 });
    await session.until(
      /✖ lustre +oss3 runs out of locks: 5,\d{3},\d{3} of 5,898,240 granted, lock volume 1/,
    );
    await session.keys('e');
    await session.until('lustre.oss on oss3');
    await session.keys('/');
    await session.type('server_lock_volume');
    await session.keys('Enter');
    expect(session.screen()).toContain('pool.server_lock_volume');
  });

  test('recovery: time left and clients missing, counting down', async () => {
    session = start(['demo', '--incident', 'oss-recovery'], { columns: 160, rows: 45 });
    const left = async (): Promise<number> => {
      await session.until(/oss2: 9 OSTs in recovery, \d+ s left, 1,\d{3} of 1,412 clients back, \d+ missing/);
      return Number(/in recovery, (\d+) s left/.exec(session.screen())?.[1]);
    };
    const before = await left();
    await session.until((screen) => Number(/in recovery, (\d+) s left/.exec(screen)?.[1] ?? before) < before);
    expect(await left()).toBeLessThan(before);
    expect(session.screen()).toMatch(/09-11 .*replay +replay/);
  });
});
