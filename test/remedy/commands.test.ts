import { describe, expect, it } from 'vitest';
import type { Step } from '../../src/model/action.ts';
import type { RunRequest, Transport } from '../../src/model/answer.ts';
import { boundOf, commandOf, hashOf, linesOf, NotShowable, send } from '../../src/remedy/commands.ts';
import { answer } from './world.ts';

const dialect = { prompt: '#$', pagerOff: ['terminal length 0'], errors: ['^%'] };
const shell = (over: Partial<Extract<Step, { argv: readonly string[] }>> = {}) =>
  commandOf({ host: 'ctl1', argv: ['scontrol', 'ping'], ...over });
const device = (...lines: string[]) => commandOf({ host: 'core1', lines, dialect });

describe('a command', () => {
  it('holds its bytes, and for how long it may run: 10 s unless its step says so', () => {
    expect(shell()).toMatchObject({ host: 'ctl1', script: 'scontrol ping', deadlineMs: 10_000 });
    for (const name of ['stdin', 'note', 'changes', 'dialect']) expect(shell()).not.toHaveProperty(name);
    expect(shell({ stdin: 'a', deadlineMs: 7 })).toMatchObject({ stdin: 'a', deadlineMs: 7 });
    expect(device('configure', 'shutdown')).toEqual({
      host: 'core1',
      script: 'configure\nshutdown',
      dialect,
      deadlineMs: 10_000,
    });
    expect(Object.isFrozen(shell())).toBe(true);
  });

  it('knows its own refusals before those of the shell; a device has no shell', () => {
    const own = { tool: 'scontrol', lines: [] };
    expect(shell({ refusals: own }).refusals?.map(({ tool }) => tool)).toEqual(['scontrol', 'sh']);
    expect(commandOf({ host: 'core1', lines: ['x'], dialect, refusals: own }).refusals).toEqual([own]);
  });

  it.each([
    ['a line feed in a word', () => shell({ argv: ['echo', 'a\nreboot'] })],
    ['a character that does not show', () => shell({ argv: ['echo', 'a\u200b'] })],
    ['such a one in its standard input', () => shell({ stdin: 'a\nb\u202e' })],
    ['such a one in a line of a device', () => device('configure', 'shut\u0007')],
    ['no line at all', () => device()],
  ])('is refused with %s', (_, make) => {
    expect(make).toThrow(NotShowable);
  });

  it('marks lines of its script that change something, and only by words that stand there', () => {
    const script = 'read\nset x\nread again';
    const marked = shell({ stdin: script, changes: ['set'] });
    expect(linesOf(marked)).toEqual([
      { host: 'ctl1', line: 'scontrol ping' },
      { host: 'ctl1', line: 'read', stdin: true, folded: true },
      { host: 'ctl1', line: 'set x', stdin: true },
      { host: 'ctl1', line: 'read again', stdin: true, folded: true },
    ]);
    expect(linesOf(shell({ stdin: 'read' })).at(-1)).toEqual({ host: 'ctl1', line: 'read', stdin: true });
    expect(() => shell({ stdin: script, changes: ['set', 'erase'] })).toThrow(
      'no line of the script holds "erase"',
    );
    expect(() => shell({ changes: ['set'] })).toThrow('no line of the script holds "set"');
  });

  it('that only writes down is folded, with all of its lines', () => {
    expect(linesOf(shell({ note: true, stdin: 'a' }))).toEqual([
      { host: 'ctl1', line: 'scontrol ping', note: true, folded: true },
      { host: 'ctl1', line: 'a', stdin: true, note: true, folded: true },
    ]);
    expect(linesOf(device('a', 'b'))).toEqual([
      { host: 'core1', line: 'a' },
      { host: 'core1', line: 'b' },
    ]);
  });

  it('has a hash of host, script and standard input, which tells none from an empty one', () => {
    const hashes = [
      [shell()],
      [shell({ host: 'ctl2' })],
      [shell({ argv: ['scontrol', 'show'] })],
      [shell({ stdin: '' })],
      [shell({ stdin: 'a' })],
      [],
    ].map(hashOf);
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(hashOf([shell({ deadlineMs: 1 })])).toBe(hashOf([shell()]));
  });

  it('may go on for its deadline and 3 s that its client waits beyond it', () => {
    expect(boundOf([shell(), shell({ deadlineMs: 1 })])).toBe(16_001);
    expect(boundOf([])).toBe(0);
  });
});

describe('sending', () => {
  const transport = (over: Partial<Transport> = {}) => {
    const sent: unknown[] = [];
    const to = {
      kind: 'ssh2',
      run: async (request: RunRequest) => {
        sent.push(request);
        return answer();
      },
      ...over,
    } as Transport;
    return { sent, to };
  };

  it('runs a command on a channel of its own, with its standard input where it has one', async () => {
    const { sent, to } = transport();
    await send(shell(), to);
    await send(shell({ stdin: 'a' }), to);
    const request = { script: 'scontrol ping', deadlineMs: 10_000, fresh: true };
    expect(sent).toEqual([request, { ...request, stdin: 'a' }]);
  });

  it('types lines on a device, up to the first that is refused; a host that is none gets nothing', async () => {
    const typed: unknown[] = [];
    const { sent, to } = transport({
      type: async (request) => {
        typed.push(request);
        return answer();
      },
    });
    await send(device('configure', 'shutdown'), to);
    expect(typed).toEqual([
      { lines: ['configure', 'shutdown'], dialect, deadlineMs: 10_000, stopOnError: true },
    ]);
    expect(() => send(device('a'), transport().to)).toThrow('core1 is not reached as a device');
    expect(sent).toEqual([]);
  });
});
