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

it('what changes something: not what arms its undo, not what only writes down', () => {
  const folded = { folded: true as const };
  const armed = to('admin1', 'systemd-run', 'x').map((line) => ({ ...line, ...folded }));
  const note = { host: 'admin1', line: 'printf ... >> journal', note: true as const, ...folded };
  const change = [...to('core3', 'interface te3/46'), ...to('core3', 'shutdown', 'y')];
  expect(changeLines({ commands: [...armed, ...change, note] })).toEqual([
    'core3: interface te3/46',
    'core3: shutdown',
    '  < y',
  ]);
  expect(changeLines({ commands: change })).toHaveLength(3);
});

it('of a script that names its lines which change something those, once, and how many there are more', () => {
  const script = (host: string, word: string) => [
    { host, line: `sh -s -- ${word}` },
    { host, line: 'set -e', stdin: true as const, folded: true as const },
    { host, line: '  rm -f "$1"', stdin: true as const },
  ];
  expect(changeLines({ commands: [...script('n1', 'a'), ...script('n2', 'b')] })).toEqual([
    'n1: sh -s -- a',
    '  <   rm -f "$1"',
    '  (1 line more of this script)',
    'n2: sh -s -- b',
  ]);
});
