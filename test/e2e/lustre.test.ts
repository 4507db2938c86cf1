import { afterEach, describe, expect, test } from 'vitest';
import { confirmPlan, readPlan } from './confirm.ts';
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
    let presses = 0;
    const press = async (key: string): Promise<void> => {
      presses += 1;
      await session.keys(key);
    };
    await press('a');
    await session.until('> stop creates');
    // The second way stands behind the first one: it acts on the whole file system.
    await session.until(/> stop creates .*\n.* set balancing: scratch, threshold 100 +now 17 %\/17 %/);
    await press('Enter');
    await session.until('Stop creates on scratch-OST001e');
    await session.until('active=0 on every MDT: Lustre 2.7 does not honour max_create_count=0');
    await confirmPlan(session, 'scratch-OST001e');
    presses += 1;
    // The whole confirmation counts as one.
    expect(presses).toBeLessThanOrEqual(6);
    await session.until('✓ done, verified by reading it again');
    expect(session.screen()).toMatch(/MDT0000 next_id \d+ for [3-9]\d s; MDT0001 next_id \d+ for [3-9]\d s/);
    await session.keys('Esc');
    await session.until((screen) => !/^[> ][✖!·] .*but still receives files/m.test(screen));
    await session.until('no: inactive');
    // Who did it is told from now on.
    await session.until(/held inactive by the MDTs \(active=0, by \S+\)/);
  });

  test('the second remedy: balancing off for the file system makes the flag count', async () => {
    session = start(['demo', '--incident', 'degraded-ignored'], { columns: 160, rows: 45 });
    await session.until('yes: QOS ignores D');
    await session.keys('a');
    await session.until('> stop creates');
    await session.keys('Down', 'Enter');
    await session.until('Set qos_threshold_rr of scratch to 100 %');
    await readPlan(session);
    await session.keys('Tab');
    await session.until('no OST passes its fill limit within 24 h');
    await session.keys('Tab');
    await confirmPlan(session, 'scratch');
    await session.until('✓ done, verified by reading it again');
    await session.keys('Esc');
    await session.until('avoided: degraded');
    await session.until(/balancing is off \(qos_threshold_rr=100 % on all MDTs\)/);
  });
});

describe('locks and recovery', () => {
  let session: Session;
  afterEach(() => session.close());

  test('lock depletion: named with its figures, the raw answer one key away', async () => {
    session = start(['demo', '--incident', 'lock-depletion'], { columns: 160, rows: 45 });
    await session.until(/✖ lustre +oss3 out of LDLM locks \(SLV collapsed/);
    await session.keys('e');
    await session.until('lustre.oss on oss3');
    await session.until(/> ldlm\.namespaces\.filter-scratch-OST0012_UUID\.lock_timeouts=\d+/);
    await session.keys('Esc', 'Enter', 'Enter');
    await session.until('ldlm.namespaces.*.lru_size=clear on a client');
    expect(session.screen()).toMatch(/scratch-OST0012: 655,\d{3} of 655,360 locks granted .*lock volume 1/);
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
    await session.keys('Enter', 'Enter');
    await session.until(/scratch-OST0009: RECOVERING, \d+ s left, 1,\d{3} of 1,412 clients back/);
    expect(session.screen()).toContain('Look at the missing clients, not at the server');
    // What would be unsafe meanwhile says why it can't be had.
    await session.keys('Esc', 'a');
    await session.until('other actions on');
    await session.keys('Right');
    await session.until(/- drain to other OSTs +\S/);
  });

  test('quota slaves that are stuck: apart from locks, with the kernel’s words', async () => {
    session = start(['demo', '--incident', 'quota-stuck'], { columns: 160, rows: 45 });
    await session.until('oss3: group quota of 9 targets not up to date with the quota master');
    await session.keys('Enter');
    // The page holds what was known when it was opened; the kernel is asked once a slave is late.
    for (let tries = 0; !session.screen().includes('failed to enqueue global quota lock'); tries++) {
      if (tries > 30) throw new Error(`no kernel line:\n${session.screen()}`);
      await session.keys('Esc', 'Enter', 'Enter');
      await session.until('scratch-OST0012: group glb[0],slv[0],reint[1], master setup');
    }
    expect(session.screen()).not.toContain('out of LDLM locks');
  });
});
