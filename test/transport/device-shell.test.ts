import { describe, expect, it } from 'vitest';
import { ownNameIn } from '../../src/transport/device-lines.ts';
import type { DeviceRequest } from '../../src/model/answer.ts';
import { comware, exos, ftos, junos, table, type Play } from './device.ts';
import { deviceLab } from './device-lab.ts';
import { brief } from './sshd.ts';

describe('the command line of a device', { concurrent: true }, () => {
  const { pools, start, ask } = deviceLab();

  it('gives what a line brought, without echo and prompt, on a terminal that breaks no line', async () => {
    const device = await start('plain');
    const answer = await ask('plain');
    expect(brief(answer)).toEqual({ code: 0, out: table(60), err: '' });
    expect(device.terminal).toEqual({ cols: 511, rows: 1000 });
    expect(device.typed).toEqual(['', 'terminal length 0', '', 'show interfaces']);
    expect(pools.get('plain')?.transportTo('plain').connection()).toMatchObject({ state: 'up', badges: [] });
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
    expect(pools.get(name)?.transportTo(name).connection().badges).toEqual(['pager not off']);
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
});
