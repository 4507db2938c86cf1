import { expect, it } from 'vitest';
import { changeLines, commandLines } from '../../../components/dialogs/confirm/command-lines.ts';

const to = (host: string, line: string, ...input: string[]) => [
  { host, line },
  ...input.map((one) => ({ host, line: one, stdin: true as const })),
];

it('one host: every line, and no name in front of it', () => {
  expect(commandLines({ commands: to('a', 'sh -s', 'x', 'y') })).toEqual({
    all: 1,
    lines: ['sh -s', '  < x', '  < y'],
  });
});

it('a script stands once, every argv of its own, equal commands together; the order is that of sending', () => {
  const script = ['set -e', 'work "$1"'];
  const commands = [
    ...to('n1', 'sh -s -- arm n1', ...script),
    ...to('n2', 'sh -s -- arm n2', ...script),
    ...to('n1', 'sh -s -- go', ': >go'),
    ...to('n2', 'sh -s -- go', ': >go'),
    ...to('n2', 'sh -s -- go', ': >go'),
  ];
  expect(commandLines({ commands })).toEqual({
    all: 5,
    lines: [
      'n1: sh -s -- arm n1',
      '  < set -e',
      '  < work "$1"',
      'n2: sh -s -- arm n2',
      '  < the same 2 lines as to n1',
      'n[1-2]: sh -s -- go',
      '  < : >go',
      'n2: sh -s -- go',
      '  < the same 1 line as to n[1-2]',
    ],
  });
});

it('scripts that differ in one byte are both shown', () => {
  const commands = [...to('n1', 'sh -s', 'a'), ...to('n2', 'sh -s', 'a ')];
  expect(commandLines({ commands }).lines).toEqual(['n1: sh -s', '  < a', 'n2: sh -s', '  < a ']);
});

it('of a change that is held the change itself stands first, not what arms its undo; of others the first command', () => {
  const hold = { by: 'timer' as const, seconds: 120, text: '', keep: [], restore: [] };
  const change = [...to('core3', 'interface te3/46'), ...to('core3', 'shutdown', 'y')];
  const commands = [...to('core3', 'terminal length 0'), ...to('admin1', 'systemd-run', 'x'), ...change];
  expect(changeLines({ commands, hold })).toEqual(['core3: interface te3/46', 'core3: shutdown', '  < y']);
  expect(changeLines({ commands: change, hold })).toHaveLength(3);
  const note = { host: 'admin1', line: 'printf ... >> journal', note: true as const };
  expect(changeLines({ commands: [...commands, note], hold })).toEqual(changeLines({ commands, hold }));
  expect(changeLines({ commands })).toEqual(['core3: terminal length 0']);
});
