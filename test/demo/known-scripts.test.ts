import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSimulators } from '../../src/registries/simulators.ts';

/**
 * Scripts that a simulator answers as a whole, by their names, for the demo's shell can't run them: they look into /proc, wait for
 * processes or go on without us. Everything else that is sent runs in that shell. The list may only get shorter.
 */
const known: Readonly<Record<string, readonly string[]>> = {
  gluster: [
    'faultline-clients',
    'faultline-disk',
    'faultline-dumps',
    'faultline-lock',
    'faultline-log',
    'faultline-peer',
    'faultline-place',
  ],
  iperf: ['cancel', 'sweep-arm', 'sweep-go'],
  lustre: ['lustre-cancel', 'lustre-start'],
};

/** Those that are told by what they are given, or by a word in them: system, what they do, the call. */
const byShape: readonly (readonly [system: string, what: string, argv: readonly string[]])[] = [
  ['iperf', "spreads a NIC's interrupts", ['sh', '-s', '--', '40:1']],
  ['iperf', 'starts a server', ['sh', '-s', '--', 'a:b', 'iperf3', '10', 'watched', '1', '5301']],
  [
    'iperf',
    'starts a client',
    ['sh', '-s', '--', 'a', 'b', 'watched', '10.0.0.1', 'iperf3', '10', '1', 'forward'],
  ],
  [
    'switch',
    'adds a line to the journal',
    ['sh', '-c', '"kind":"%s"', 'faultline', '/x', 'note', 'p', '', 'a', ''],
  ],
  ['switch', 'stops a timer', ['sh', '-c', 'systemctl stop', 'faultline', 'unit']],
  ['switch', 'proves that the undo can be done', ['sh', '-c', 'ssh', 'faultline', 'host']],
];

/** Every `sh` that is asked of a simulated host, with this word as the script's name or its first one. */
const answers = (system: string, word: string): boolean => {
  const simulator = createSimulators().find((one) => one.system === system);
  const calls = (simulator?.hosts ?? []).flatMap(({ name: host }) =>
    [
      ['sh', '-c', ':', word],
      ['sh', '-s', '--', word],
    ].map((argv) => simulator?.call({ host, argv, stdin: '', now: 1_700_000_000_000 })),
  );
  return calls.some((answer) => answer !== undefined);
};

describe.each(Object.entries(known))('the scripts that %s answers in the demo', (system, names) => {
  it.each(names)('%s', (name) => expect(answers(system, name)).toBe(true));

  it('are all that its simulator knows by name', () => {
    const words = globSync(`probes/${system}/simulate/*.ts`)
      .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/'([a-z]+(?:-[a-z]+)*)'/g)])
      .map(([, word = '']) => word);
    // Not commands that a host has, which the simulator answers too.
    const found = [...new Set(words)].filter((word) => answers(system, word));
    expect(found.toSorted()).toEqual(names);
  });
});

/** Whether a simulator takes the call for its own: it answers, or stumbles over what is made up here. */
const takes = (system: string, argv: readonly string[]): boolean => {
  const simulator = createSimulators().find((one) => one.system === system);
  return (simulator?.hosts ?? []).some(({ name: host }) => {
    try {
      return simulator?.call({ host, argv, stdin: '', now: 1_700_000_000_000 }) !== undefined;
    } catch {
      return true;
    }
  });
};

it.each(byShape)('%s: %s', (system, _what, argv) => expect(takes(system, argv)).toBe(true));

it('no other script is known by its name', () => {
  const names = globSync('probes/*/**/*.sh').map((path) => basename(path, '.sh'));
  for (const { system } of createSimulators())
    for (const name of names)
      if (!(known[system] ?? []).includes(name))
        expect(answers(system, name), `${system} ${name}`).toBe(false);
  expect(Object.values(known).flat().length + byShape.length).toBe(18);
});
