import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSimulators } from '../../src/registries/simulators.ts';

/**
 * Scripts that a simulator answers as a whole, by their names, each with why the demo's shell can't run it: that shell has no
 * processes, no /proc of them and nothing that goes on without a connection. Everything else that is sent runs in it. The list may
 * only get shorter.
 */
const known: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  gluster: {
    'faultline-clients': 'ss shows connections of brick processes, and names come out of dumps',
    'faultline-copies': 'stat and getfattr look at files on bricks, and sha256sum reads them',
    'faultline-disk': 'df, stat -c %m and getfattr look at file systems and their mounts',
    'faultline-dumps': 'awk picks from dumps that no simulated process wrote',
    'faultline-lock': 'signals glusterd, whose /proc it reads before, and waits for the dump',
    'faultline-log': 'follows a log by inode and offset: find -inum, tail -c',
    'faultline-peer': 'pgrep and ps look for processes, and /proc says how they are',
  },
  iperf: {
    cancel: 'marks files that processes in the background look at',
    'sweep-arm': 'leaves a worker behind that goes on without a connection',
    'sweep-go': 'the worker that waits for this word is none of the demo',
  },
  lustre: {
    'lustre-cancel': 'signals the process group of a worker that it finds in /proc',
    'lustre-start': 'leaves a worker behind that goes on without a connection',
  },
  nfs: {
    'faultline-colours-install': 'mktemp and ln make a file below /etc, which the shell of the demo lacks',
    'faultline-colours-remove': 'compares and removes a file below /etc',
    'faultline-nfs-calls': 'calls services in the background, all at the same time',
    'faultline-nfs-client': 'awk picks mounts from the tables of all, and threads from those of ps',
    'faultline-nfs-exports': 'unshare makes a mount namespace, and tables of its own in it',
    'faultline-nfs-listing': 'awk looks into /proc/self/mountinfo, and what it prints is what nfs-list kept',
    'faultline-nfs-server': 'calls services in the background, and awk picks from the threads of ps',
    'nfs-list': 'ls goes over a large directory, by the clock of /proc/uptime',
    umount: "looks into /proc/self/mountinfo, and the first call's exit code decides on the second",
  },
  storage: {
    'faultline-storage-controllers': 'looks for a tool that hangs among the processes in /proc',
    'faultline-storage-enclosures': 'goes over the links of /sys/class/enclosure',
    'faultline-storage-smart': 'goes over the folders of /sys/block, and reads the vendor of each disk there',
    'faultline-storage-ups': 'chooses the command of each UPS by `case`',
    'rebuild-speed': 'writes to sysfs, and leaves a process behind that puts the speed back',
  },
};

/**
 * Those that are known by what they are given, or by a word in them: system, what they do, the call. They leave processes behind,
 * write into /proc/irq, or ask systemd and another host, none of which the demo's shell has.
 */
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

describe.each(Object.entries(known))('the scripts that %s answers in the demo', (system, reasons) => {
  it.each(Object.entries(reasons))('%s: %s', (name) => expect(answers(system, name)).toBe(true));

  it('are all that its simulator knows by name', () => {
    const words = globSync(`probes/${system}/simulate/*.ts`)
      .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/'([a-z]+(?:-[a-z]+)*)'/g)])
      .map(([, word = '']) => word);
    // Not commands that a host has, which the simulator answers too.
    const found = [...new Set(words)].filter((word) => answers(system, word));
    expect(found.toSorted()).toEqual(Object.keys(reasons));
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

/** Names of scripts: those of their files, and every word that is written anywhere in a system (a script is called by one). */
const scriptNames = (): ReadonlySet<string> =>
  new Set([
    ...globSync('probes/*/**/*.sh').map((path) => basename(path, '.sh')),
    ...globSync('probes/**/*.ts').flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/'([a-z]+(?:-[a-z]+)+)'/g)].map(([, word = '']) => word),
    ),
  ]);

it('no other script is known by its name', () => {
  const names = scriptNames();
  for (const { system } of createSimulators())
    for (const name of names)
      if (!Object.hasOwn(known[system] ?? {}, name))
        expect(answers(system, name), `${system} ${name}`).toBe(false);
  expect(Object.values(known).flatMap(Object.keys).length + byShape.length).toBe(31);
});
