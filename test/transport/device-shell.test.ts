import { ownNameIn } from '../../src/transport/device-lines.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeviceRequest } from '../../src/model/answer.ts';
import type { SiteTransports } from '../../src/transport/pool.ts';
import { comware, Device, exos, ftos, junos, table, type Play } from './device.ts';
import { brief, clock, Lab, movableClock, PATIENT } from './sshd.ts';

const quiet: Play = {
  prompt: (mode) => (mode === '' ? 'core3#' : `core3(${mode})#`),
  answer: (line, device) => {
    if (line === 'show interfaces') return table(60);
    if (line === 'show version') return 'OS 9.14\n';
    if (line === 'configure') device.mode = 'conf';
    else if (line === 'interface tengigabitethernet 3/46') device.mode = 'conf-if-te-3/46';
    else if (line === 'end') device.mode = '';
    else if (!['shutdown', 'no shutdown'].includes(line)) return undefined;
    return '';
  },
  pagerOff: 'terminal length 0',
};

const show: DeviceRequest = { lines: ['show interfaces'], dialect: ftos, deadlineMs: 20_000 };

describe('the command line of a device', { concurrent: true }, () => {
  let lab: Lab;
  /** By the device, which each test has of its own. */
  const pools = new Map<string, SiteTransports>();
  beforeAll(() => {
    lab = new Lab();
  });
  afterAll(async () => {
    await Promise.all([...pools.values()].map((pool) => pool.close()));
    await lab.end();
  });

  const start = async (name: string, play: Partial<Play> = {}): Promise<Device> =>
    Device.start(lab, name, { ...quiet, ...play });
  const ask = (name: string, request: Partial<DeviceRequest> = {}, over = {}) => {
    const pool = pools.get(name) ?? lab.transports(over);
    pools.set(name, pool);
    return pool.to(name).type?.({ ...show, ...request }) ?? Promise.reject(new Error('no type'));
  };

  it('gives what a line brought, without echo and prompt, on a terminal that breaks no line', async () => {
    const device = await start('plain');
    const answer = await ask('plain');
    expect(brief(answer)).toEqual({ code: 0, out: table(60), err: '' });
    expect(device.terminal).toEqual({ cols: 511, rows: 1000 });
    expect(device.typed).toEqual(['', 'terminal length 0', '', 'show interfaces']);
    expect(pools.get('plain')?.to('plain').connection()).toMatchObject({ state: 'up', badges: [] });
  });

  it('asks many things over one session, one after the other', async () => {
    const device = await start('one');
    const answers = await Promise.all([
      ask('one'),
      ask('one', { lines: ['show version'] }),
      ask('one', { lines: ['show version', 'show version'], headed: true }),
    ]);
    expect(answers.map((one) => brief(one).out)).toEqual([
      table(60),
      'OS 9.14\n',
      '--- show version\nOS 9.14\n--- show version\nOS 9.14\n',
    ]);
    expect(device.shells).toBe(1);
    expect(device.connections).toBe(1);
  });

  const prompts: [string, Partial<Play>, DeviceRequest['dialect']][] = [
    ['EOS with colours and a bell', { prompt: () => '\u001b[0m\u0007\u001b[?25hcore3> ' }, ftos],
    ['Junos', { prompt: () => 'ops@core3> ', pagerOff: 'set cli screen-length 0' }, junos],
    [
      'Junos with a role line',
      { prompt: () => '{master:0}\r\nops@core3> ', pagerOff: 'set cli screen-length 0' },
      junos,
    ],
    ['Comware', { prompt: () => '<core3>', pagerOff: 'screen-length disable' }, comware],
    [
      'EXOS, whose prompt counts',
      (() => {
        let count = 0;
        return { prompt: () => `* core3.${(count += 1)} # `, pagerOff: 'disable clipaging' };
      })(),
      exos,
    ],
    ['one that echoes nothing', { echo: () => '' }, ftos],
    ['one that repeats its prompt in the echo', { echo: (line) => `\rcore3#${line}` }, ftos],
    ['one that sends byte by byte', { chunk: 40 }, ftos],
    ['one with a banner that looks like a prompt', { banner: '\n*** authorised only ***\nWARNING#\n' }, ftos],
    ['one whose banner ends where a prompt would', { banner: 'Welcome#', prompt: () => '\r\ncore3#' }, ftos],
  ];
  it.each(prompts)('understands %s', async (title, play, dialect) => {
    const name = title.replace(/\W+/g, '-').toLowerCase();
    await start(name, play);
    const answers = [await ask(name, { dialect }), await ask(name, { dialect, lines: ['show version'] })];
    expect(answers.map(brief)).toEqual([
      { code: 0, out: table(60), err: '' },
      { code: 0, out: 'OS 9.14\n', err: '' },
    ]);
    expect(answers.map(({ calledItself }) => calledItself)).toEqual(['core3', 'core3']);
  });

  it.each([
    ['RP/0/RSP0/CPU0:core3#', 'core3'],
    ['RP/0/RP0/CPU0:core3.example.org(config)#', 'core3.example.org'],
    ['Slot-1 core3.12 #', 'core3'],
    ['* Slot-2 core3.7 # ', 'core3'],
    ['core3 [standalone: master] (config) # ', 'core3'],
    ['{master:0}ops@core3>', 'core3'],
    ['core3(conf-if-te-3/46)#', 'core3'],
    ['[~core3-Eth-Trunk1]', 'core3-Eth-Trunk1'],
    ['#', ''],
  ])('%s is the prompt of %j', (prompt, name) => {
    expect(ownNameIn(prompt)).toBe(name);
  });

  it.each([
    ['--More--', '\r        \r'],
    ['<--- More --->', '\b'.repeat(14) + ' '.repeat(14) + '\b'.repeat(14)],
    ['---- More ----', '\u001b[42D' + ' '.repeat(42) + '\u001b[42D'],
    ['Press any key to continue (Q to quit)', '\u001b[2K\r'],
    ['--More--', '\r\u001b[K'],
    [' --More-- (12%)', '\r              \r'],
    ['---(more)---', '\r            \r'],
    ['---(more 45%)---', '\r\u001b[K'],
    ['-- MORE --, next page: Space, next line: Enter, quit: Control-C', '\r\u001b[2K'],
    ['--More--, next page: Space, next line: Return key, quit: Control-c', `\r${' '.repeat(70)}\r`],
    ['--More-- or (q)uit', `\r${' '.repeat(20)}\r`],
    ['Press <SPACE> to continue or <Q> to quit:', `\r${' '.repeat(50)}\r`],
    // less(1) on a vt100: reverse video, then the line is erased.
    ['\u001b[7mlines 1-23\u001b[27m\u001b[K', '\r\u001b[K'],
    ['\u001b[7mlines 24-46/60 76%\u001b[m\u001b[K', '\r\u001b[K'],
    [':\u001b[K', '\r\u001b[K'],
  ])('turns the pages of a pager that stays on: %j', async (text, erase) => {
    const name = `pager-${text.replace(/\W+/g, '-')}-${erase.length}`.toLowerCase();
    await start(name, { pager: { text, erase, page: 23 }, pagerOff: 'never' });
    const plain = { ...ftos, pagerOff: [], pager: undefined };
    expect(brief(await ask(name, { dialect: JSON.parse(JSON.stringify(plain)) as typeof ftos }))).toEqual({
      code: 0,
      out: table(60),
      err: '',
    });
    expect(pools.get(name)?.to(name).connection().badges).toEqual(['pager not off']);
  });

  it('leaves less(1) at the end of an answer, without the lines it fills its screen with', async () => {
    await start('less', {
      answer: (_, { channel }) => {
        channel.write(`\u001b[?1049h\u001b[?1h\u001b=\r${table(3).replaceAll('\n', '\r\n')}`);
        channel.write('~\r\n~\r\n\u001b[7mlines 1-3/3 (END)\u001b[27m\u001b[K');
        channel.once('data', (key: Buffer) =>
          channel.write(key.toString() === 'q' ? '\r\u001b[K\u001b[?1l\u001b>\u001b[?1049lcore3#' : '\u0007'),
        );
        return '';
      },
      prompt: (() => {
        let times = 0;
        return () => ((times += 1) < 5 ? 'core3#' : '');
      })(),
    });
    expect(brief(await ask('less', { deadlineMs: 20_000 }))).toEqual({ code: 0, out: table(3), err: '' });
  });

  const stopsAt = (text: string): Partial<Play> => ({
    answer: (line) => (line === 'show version' ? `OS 9.14\n${text}` : ''),
    prompt: (() => {
      let times = 0;
      return () => ((times += 1) < 5 ? 'core3#' : '');
    })(),
  });
  it.each([
    ['<<strike a key for more>>', '<<strike a key for more>>'],
    ['Erase the log? [y/n]:', 'Erase the log? [y/n]:'],
  ])('a pager or question that nobody knows is named within seconds: %s', async (text, told) => {
    const name = `stuck-${text.length}`;
    await start(name, stopsAt(text));
    const from = performance.now();
    const answer = await ask(name, { lines: ['show version'], deadlineMs: 20_000 });
    expect(answer).toMatchObject({ timedOut: true, stoppedAt: told });
    expect(answer.exitCode).toBeUndefined();
    expect(performance.now() - from).toBeLessThan(8_000);
  });

  it.each([
    ['dots of one that works', '......'],
    ['half a line', 'Te 3/17 line pro'],
  ])('waits on for %s', async (_, text) => {
    const name = `works-${text.length}`;
    await start(name, stopsAt(text));
    const answer = await ask(name, { lines: ['show version'], deadlineMs: 5_000 });
    expect(answer).toMatchObject({ timedOut: true });
    expect(answer.stoppedAt).toBeUndefined();
  });

  it('an echo that is broken at the width of the terminal is no answer', async () => {
    const line = 'show running-config | grep "interface Port-channel|minimum-links"';
    await start('narrow', {
      answer: (typed) => (typed === line ? 'x\n' : ''),
      echo: (typed) => typed.replaceAll(/(.{30})/g, '$1\r\n'),
    });
    expect(brief(await ask('narrow', { lines: [line] })).out).toBe('x\n');
  });

  it('a log message in between is kept as output, and does not end it', async () => {
    await start('chatty', {
      answer: (line) => (line === 'show interfaces' ? `a\n%LINK-3-UPDOWN: core3# is no prompt\nb\n` : ''),
    });
    expect(brief(await ask('chatty')).out).toBe('a\n%LINK-3-UPDOWN: core3# is no prompt\nb\n');
  });

  it('says by exit code 1 that a line was refused, and which', async () => {
    const device = await start('refuses');
    const answer = await ask('refuses', { lines: ['show nonsense', 'show version'] });
    expect(brief(answer)).toEqual({
      code: 1,
      out: '% Invalid input detected at "^" marker.\nOS 9.14\n',
      err: 'show nonsense: % Invalid input detected at "^" marker.\n',
    });
    expect(device.shells).toBe(1);
  });

  it('stops at the first refused line when asked to, and leaves no mode open', async () => {
    const device = await start('stops');
    const lines = ['configure', 'interface tengigabitethernet 9/99', 'shutdown', 'end'];
    const answer = await ask('stops', { lines, stopOnError: true });
    expect(answer.exitCode).toBe(1);
    expect(device.typed.slice(3)).toEqual(lines.slice(0, 2));
    await ask('stops', { lines: ['show version'] });
    expect(device.shells).toBe(2);
    const good = ['configure', 'interface tengigabitethernet 3/46', 'shutdown', 'end'];
    expect((await ask('stops', { lines: good, stopOnError: true })).exitCode).toBe(0);
    await ask('stops', { lines: ['configure'] });
    expect(brief(await ask('stops', { lines: ['show version'] })).out).toBe('OS 9.14\n');
    expect(device.shells).toBe(3);
  });

  it.each(['Press any key to abort', 'lines 1-3/3 (END)', ':', 'Press ENTER to continue'])(
    'presses no key that nobody was shown among lines that change something: %s',
    async (text) => {
      const name = `asks-${text.replace(/\W+/g, '-')}`.toLowerCase();
      const keys: string[] = [];
      const device = await start(name, {
        answer: (_, { channel }) => {
          channel.on('data', (key: Buffer) => keys.push(key.toString()));
          return text;
        },
        prompt: () => (device.typed.at(-1) === 'configure' ? '' : 'core3#'),
      });
      const dialect = { ...ftos, pager: undefined };
      const request = {
        lines: ['configure'],
        deadlineMs: 1500,
        dialect: JSON.parse(JSON.stringify(dialect)) as typeof ftos,
      };
      const answer = await ask(name, { ...request, stopOnError: true });
      expect({ ...answer, said: brief(answer) }).toMatchObject({ timedOut: true });
      expect(keys).toEqual([]);
    },
  );

  it('refuses what is no line before anything is typed', async () => {
    const device = await start('unfit');
    for (const line of ['show\ninterfaces', 'show ?', 'sh\tint', '', 'shöw', 'a\u001b[A'])
      expect((await ask('unfit', { lines: [line] })).notConnected?.message).toContain('nothing was sent');
    expect((await ask('unfit', { lines: [] })).notConnected).toBeDefined();
    expect(device.shells).toBe(0);
  });

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
    const pool = lab.transports();
    pools.set('cancelled', pool);
    const off = new AbortController();
    setTimeout(() => off.abort(), 900);
    const answer = await pool.to('cancelled').type?.(show, off.signal);
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
      lab.transports({ clock: { ...time, sleep: (ms, signal) => clock.sleep(ms / 10, signal) } }),
    );
    const answer = await ask('mute');
    expect(answer.notConnected).toEqual({
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
    const pool = lab.transports({
      clock: { ...clock, sleep: (ms, off) => clock.sleep(ms > 100_000 ? 300 : ms, off) },
    });
    pools.set('idle', pool);
    await ask('idle');
    expect(device.connections).toBe(1);
    await expect.poll(() => device.connections, PATIENT).toBe(0);
    expect(pool.to('idle').connection()).toMatchObject({ state: 'idle' });
    expect(brief(await ask('idle', { lines: ['show version'] })).out).toBe('OS 9.14\n');
  });

  it('old algorithms are used only where the site file says so, with a badge', async () => {
    const old = {
      kex: ['diffie-hellman-group1-sha1' as const],
      cipher: ['aes128-cbc' as const],
      hmac: ['hmac-sha1' as const],
    };
    await Device.start(lab, 'old', quiet, old);
    expect((await ask('old')).notConnected).toBeDefined();
    await pools.get('old')?.close();
    const pool = lab.transports({ legacy: ['old'] });
    pools.set('old', pool);
    expect(brief(await ask('old', { lines: ['show version'] })).out).toBe('OS 9.14\n');
    expect(pool.to('old').connection().badges).toEqual(['legacy algorithms']);
  });
});
