import { describe, expect, it } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { Device, table } from './device.ts';
import { deviceLab, quiet, show } from './device-lab.ts';
import { brief, clock, movableClock, PATIENT } from './sshd.ts';

describe('how the command line of a device ends', { concurrent: true }, () => {
  const { lab, pools, start, ask } = deviceLab();

  it('a session that ends in the middle of a table is lost, never an answer', async () => {
    await start('drops', {
      answer: (_, { channel }) => {
        setTimeout(() => channel.close(), 50);
        return `${table(3)}half a l`;
      },
      prompt: (() => {
        let times = 0;
        return () => ((times += 1) < 5 ? 'core3#' : '');
      })(),
    });
    const answer = await ask('drops');
    expect(answer).toMatchObject({ lost: true, timedOut: false });
    expect(answer.exitCode).toBeUndefined();
    expect(brief(answer).out).toContain('Te 3/2');
  });

  it('a line that never ends is timed out, and the next one gets a session of its own', async () => {
    const device = await start('hangs', {
      answer: (line) => (line === 'show version' ? 'OS 9.14\n' : ''),
      prompt: () => (device.typed.at(-1) === 'show interfaces' ? '' : 'core3#'),
    });
    const answer = await ask('hangs', { deadlineMs: 400 });
    expect(answer).toMatchObject({ timedOut: true, lost: false });
    expect(answer.exitCode).toBeUndefined();
    expect(brief(await ask('hangs', { lines: ['show version'] })).out).toBe('OS 9.14\n');
    expect(device.shells).toBe(2);
  });

  it('a caller that gives up leaves nothing behind', async () => {
    const device = await start('cancelled', { slow: 300 });
    const pool = lab().transports();
    pools.set('cancelled', pool);
    const off = new AbortController();
    setTimeout(() => off.abort(), 900);
    const answer = await pool.transportTo('cancelled').type?.(show, off.signal);
    expect(answer).toMatchObject({ cancelled: true });
    expect(answer?.exitCode).toBeUndefined();
    expect(brief(await ask('cancelled', { lines: ['show version'] })).out).toBe('OS 9.14\n');
    expect(device.shells).toBeLessThanOrEqual(2);
  });

  it('keeps the first bytes of too many and says so', async () => {
    await start('long', { answer: () => table(20_000) });
    const answer = await ask('long', { maxBytes: 10_000 });
    expect(answer).toMatchObject({ truncated: true, exitCode: 0 });
    expect(answer.stdout.length).toBeLessThanOrEqual(10_100);
    expect(answer.stdoutBytes).toBeGreaterThan(700_000);
  });

  it('a device that never stops is cut off', async () => {
    await start('flood', {
      odd: async (channel, typed) => {
        channel.write('core3#');
        for await (const key of typed) {
          if (key !== '\n') continue;
          channel.write('\r\ncore3#');
          if (++times < 4) continue;
          const junk = Buffer.alloc(200_000, 'x\u001b[5D\r--More--\b ');
          while (channel.writable && !channel.destroyed) {
            channel.write(junk);
            await sleep(1);
          }
        }
        return true;
      },
    });
    let times = 0;
    const answer = await ask('flood', { deadlineMs: 20_000, maxBytes: 1_000 });
    expect(answer.exitCode).toBeUndefined();
    expect(answer.truncated).toBe(true);
    expect(answer.stdout.length).toBeLessThan(10_000);
  }, 30_000);

  it('a device without a prompt is named with what it shows, and left alone for a while', async () => {
    const device = await start('mute', {
      odd: async (channel, typed) => {
        channel.write('Enter PASSCODE: \u001b]0;evil\u0007');
        for await (const _ of typed) channel.write('\r\nEnter PASSCODE: ');
        return true;
      },
    });
    const time = movableClock();
    pools.set(
      'mute',
      lab().transports({ clock: { ...time, sleep: (ms, signal) => clock.sleep(ms / 10, signal) } }),
    );
    const answer = await ask('mute');
    expect(answer.notConnected).toMatchObject({
      kind: 'other',
      message: expect.stringMatching(
        /^mute: its prompt was never seen within 12 s: the last it shows is "Enter PASSCODE:"; wanted is .*: is its platform right in the site file\?$/,
      ),
    });
    expect((await ask('mute')).notConnected?.kind).toBe('other');
    expect(device.shells).toBe(1);
  });

  it('a device that hangs up at once says whether its lines are taken', async () => {
    await start('full', {
      odd: async (channel) => {
        channel.write('All VTY lines are in use\r\n');
        channel.close();
        return true;
      },
    });
    expect((await ask('full')).notConnected?.message).toBe(
      'full: it ended the session before its prompt; the last it shows is "All VTY lines are in use"; are all its lines taken?',
    );
  });

  it('an idle session is ended, so that people find a line free', async ({ expect }) => {
    const device = await start('idle');
    const pool = lab().transports({
      clock: { ...clock, sleep: (ms, off) => clock.sleep(ms > 100_000 ? 300 : ms, off) },
    });
    pools.set('idle', pool);
    await ask('idle');
    expect(device.connections).toBe(1);
    await expect.poll(() => device.connections, PATIENT).toBe(0);
    expect(pool.transportTo('idle').connection()).toMatchObject({ state: 'idle' });
    expect(brief(await ask('idle', { lines: ['show version'] })).out).toBe('OS 9.14\n');
  });

  it('old algorithms are used only where the site file says so, with a badge', async () => {
    const old = {
      kex: ['diffie-hellman-group1-sha1' as const],
      cipher: ['aes128-cbc' as const],
      hmac: ['hmac-sha1' as const],
    };
    await Device.start(lab(), 'old', quiet, old);
    expect((await ask('old')).notConnected).toBeDefined();
    await pools.get('old')?.close();
    const pool = lab().transports({ legacy: ['old'] });
    pools.set('old', pool);
    expect(brief(await ask('old', { lines: ['show version'] })).out).toBe('OS 9.14\n');
    expect(pool.transportTo('old').connection().badges).toEqual(['legacy algorithms']);
  });
});
