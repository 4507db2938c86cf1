import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { readJsonLines, valueAt } from '../../probes/checks/read/json-lines.ts';
import { readMatches } from '../../probes/checks/read/match-lines.ts';
import { parsePerfdata, readNagios } from '../../probes/checks/read/nagios.ts';
import { isAlarming, parseRange, withThresholds } from '../../probes/checks/read/thresholds.ts';

const answer = (stdout: string, exitCode?: number, stderr = '') => ({ stdout, stderr, exitCode });

/** The examples of the guidelines' table of ranges: what each alerts on. */
const ranges: readonly (readonly [range: string, alerting: readonly number[], fine: readonly number[]])[] = [
  ['10', [-1, 11], [0, 10]],
  ['10:', [9], [10, 1e12]],
  ['~:10', [11], [-1e12, 10]],
  ['10:20', [9, 21], [10, 20]],
  ['@10:20', [10, 15, 20], [9, 21]],
  ['-3:0.5', [-3.1, 0.6], [-3, 0.5]],
];

describe('ranges of Nagios plug-ins', () => {
  it.each(ranges)('%s', (range, alerting, fine) => {
    const parsed = parseRange(range);
    if (!parsed) throw new Error('not a range');
    expect(alerting.filter((value) => !isAlarming(value, parsed))).toEqual([]);
    expect(fine.filter((value) => isAlarming(value, parsed))).toEqual([]);
  });

  it.each(['', ':', '~', '@', 'ten', '20:10', '1;2', '10:20:30', '~:', '1e', '--1'])('"%s" is none', (text) =>
    expect(parseRange(text)).toBeUndefined(),
  );
});

describe('the answer of a Nagios plug-in', () => {
  it.each([
    [0, 'ok'],
    [1, 'warning'],
    [2, 'critical'],
    [3, 'unknown'],
  ] as const)('exit %d is %s', (exitCode, state) =>
    expect(readNagios(answer('DISK: all right\n', exitCode))).toMatchObject({
      state,
      text: 'DISK: all right',
      lost: 0,
    }),
  );

  it.each([
    [127, 'exit 127, no such command: sh: 1: check_x: not found'],
    [126, 'exit 126, the command can not be run: sh: 1: check_x: not found'],
    [139, 'exit 139, no state of a plug-in: sh: 1: check_x: not found'],
    [undefined, 'exit not known, no state of a plug-in: sh: 1: check_x: not found'],
  ])('exit %s says nothing of the state, and so', (exitCode, text) =>
    expect(readNagios(answer('', exitCode, 'sh: 1: check_x: not found\n'))).toMatchObject({
      state: 'unknown',
      text,
    }),
  );

  it.each([1, 2])(
    'exit %d with an error alone is no state: a shell that can not read a command ends so',
    (exitCode) => {
      expect(readNagios(answer('', exitCode, 'sh: 1: Syntax error: ")" unexpected\n'))).toMatchObject({
        state: 'unknown',
        text: `exit ${exitCode}, and no word but an error: sh: 1: Syntax error: ")" unexpected`,
      });
      const state = exitCode === 1 ? 'warning' : 'critical';
      expect(readNagios(answer('', exitCode)).state).toBe(state);
      expect(readNagios(answer('DISK bad', exitCode, 'and a remark')).state).toBe(state);
    },
  );

  it('has its values behind the bar of the first line, and behind that of a later one to the end', () => {
    const text = [
      'PING ok - loss 0%, RTA 0.80 ms | percent_packet_loss=0%;5;10;0;100 rta=0.80ms;;500',
      'of 5 packets',
      "and more | 'a b''s'=-3c;@1:2",
      'load1=U;;;0',
    ].join('\n');
    expect(readNagios(answer(text, 0))).toEqual({
      state: 'ok',
      text: 'PING ok - loss 0%, RTA 0.80 ms',
      more: ['of 5 packets', 'and more'],
      values: [
        { name: 'percent_packet_loss', value: 0, unit: '%', warning: '5', critical: '10' },
        { name: 'rta', value: 0.8, unit: 'ms', critical: '500' },
        { name: "a b's", value: -3, unit: 'c', warning: '@1:2' },
        { name: 'load1' },
      ],
      lost: 0,
    });
  });

  it('counts what is no value, and takes none of it', () => {
    expect(parsePerfdata(`a=1 b= =2 c=1.2.3 d=4,5 'e=6 f=--1`)).toEqual({
      values: [
        { name: 'a', value: 1 },
        { name: 'd', value: 4, unit: ',5' },
      ],
      lost: 5,
    });
  });

  it('is bounded, whatever it prints', () => {
    const long = readNagios(
      answer(`${'x'.repeat(5000)} | ${'v=1 '.repeat(5000)}\n${'more\n'.repeat(5000)}`, 0),
    );
    expect(long.text).toHaveLength(300);
    expect(long.values).toHaveLength(100);
    expect(long.more).toHaveLength(50);
  });
});

describe('JSON lines', () => {
  it('the worst line counts', () => {
    const lines = [
      '{"state": "ok", "text": "eth0 up", "values": {"eth0": 1}}',
      '{"state": "critical", "text": "eth1 down", "values": {"eth1": 0, "name": "x"}}',
    ].join('\n');
    expect(readJsonLines(answer(lines, 0))).toEqual({
      state: 'critical',
      text: 'eth1 down',
      more: ['ok: eth0 up'],
      values: [{ name: 'eth0', value: 1 }, { name: 'eth1', value: 0 }, { name: 'name' }],
      lost: 0,
    });
  });

  it('values stand where the paths of the site file say', () => {
    const line = '{"queues": [{"length": 3}], "jobs": {"pending": 40}, "__proto__": {"x": 1}}';
    const read = readJsonLines(answer(line, 0), {
      length: 'queues[0].length',
      jobs: '$.jobs.pending',
      x: 'no',
    });
    expect(read).toMatchObject({
      state: 'ok',
      values: [{ name: 'length', value: 3 }, { name: 'jobs', value: 40 }, { name: 'x' }],
    });
    expect(valueAt({}, 'constructor.name')).toBeUndefined();
    expect(valueAt([1], '[0]')).toBe(1);
  });

  it.each([
    ['nothing', '', 0, 'no line of JSON'],
    ['text', 'all is well', 0, 'no line of JSON'],
    ['an object that says no state', '{"well": true}', 0, ''],
    ['a state that there is not', '{"state": "fine", "text": "x"}', 0, 'x'],
    ['a failed command', '{"state": "ok", "text": "x"}', 1, 'exit 1; x'],
    ['nesting without end', `${'['.repeat(5000)}${']'.repeat(5000)}`, 0, 'no line of JSON'],
    ['a list', '[{"state": "ok"}]', 0, 'no line of JSON'],
  ])('%s is unknown', (_, stdout, exitCode, text) =>
    expect(readJsonLines(answer(stdout, exitCode))).toMatchObject({ state: 'unknown', text }),
  );

  it('beside another text are unknown, and no better than what is known to be bad', () => {
    const fine = '{"state": "ok", "text": "eth0 up"}';
    const text = '1 line without JSON; eth0 up';
    expect(readJsonLines(answer(`${fine}\n{"state": "critic`, 0))).toMatchObject({
      state: 'unknown',
      text,
      lost: 1,
    });
    expect(readJsonLines(answer(`${fine}\nx\n{"state": "critical", "text": "y"}`, 0)).state).toBe('critical');
  });

  it('is unknown where no path of the site file leads to a value', () =>
    expect(readJsonLines(answer('{"state": "up"}', 0), { jobs: 'jobs.pending' }).state).toBe('unknown'));
});

describe('lines that an expression reads', () => {
  const expression = RE2JS.compile('^(?P<text>\\w+): (?P<temp>[\\d.]+) C(?: (?P<state>\\w+))?');

  it('named groups with numbers are values, `state` and `text` are what they say', () =>
    expect(readMatches(answer('sensors\ncpu: 41.5 C\ndisk: 60 C WARNING\n', 0), expression)).toEqual({
      state: 'warning',
      text: 'disk',
      more: ['cpu'],
      values: [
        { name: 'temp', value: 41.5 },
        { name: 'temp', value: 60 },
      ],
      lost: 0,
    }));

  it.each([
    ['no line that matches', 'sensors\n', 0, 'no line matches'],
    ['a failed command', 'cpu: 41 C\n', 2, 'exit 2; cpu'],
    ['a state that there is not', 'cpu: 41 C hot\n', 0, 'cpu'],
  ])('%s is unknown', (_, stdout, exitCode, text) =>
    expect(readMatches(answer(stdout, exitCode), expression)).toMatchObject({ state: 'unknown', text }),
  );

  it('of more lines than are looked at nothing is known', () => {
    const lines = (count: number) => 'cpu: 41.5 C\n'.repeat(count);
    expect(readMatches(answer(lines(2000), 0), expression)).toMatchObject({ state: 'ok', lost: 0 });
    expect(readMatches(answer(lines(2003), 0), expression)).toMatchObject({
      state: 'unknown',
      text: '3 lines not looked at; cpu',
      lost: 3,
    });
  });

  it('a text that an engine that goes back would never end with is read at once', () => {
    const before = performance.now();
    const hostile = RE2JS.compile('^(?P<a>(x+x+)+)y$');
    expect(readMatches(answer(`${'x'.repeat(60_000)}\n`, 0), hostile).state).toBe('unknown');
    expect(performance.now() - before).toBeLessThan(5000);
  });
});

describe('ranges of the site file', () => {
  const read = {
    state: 'ok',
    text: 'said',
    more: [],
    values: [{ name: 'queue', value: 95, unit: '%' }],
  } as const;
  const reading = { ...read, more: [], values: [...read.values] };

  it('make a state worse, and say by what', () =>
    expect(withThresholds(reading, { queue: { warning: '80', critical: '90' } })).toMatchObject({
      state: 'critical',
      text: 'queue 95% (critical outside 90); said',
      values: [{ state: 'critical', warning: '80', critical: '90' }],
    }));

  it('never make it better', () =>
    expect(withThresholds({ ...reading, state: 'critical' }, { queue: { warning: '100' } })).toMatchObject({
      state: 'critical',
      text: 'said',
    }));

  it('leave it unknown where a value is not given', () => {
    expect(withThresholds(reading, { other: { warning: '1' } })).toMatchObject({
      state: 'unknown',
      text: 'other not given; said',
    });
    expect(
      withThresholds({ ...reading, values: [{ name: 'queue' }] }, { queue: { warning: '1' } }),
    ).toMatchObject({
      state: 'unknown',
      text: 'queue not given; said',
    });
  });
});
