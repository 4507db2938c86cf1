import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, linkSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shutAction } from '../../../probes/switch/act/shut.ts';
import { readTimers, readUndos } from '../../../probes/switch/read/undos.ts';
import type { PlanTarget, Step } from '../../../src/model/action.ts';
import { answerOf } from '../../helpers/answer.ts';
import { proofScript, undoScript } from '../../../probes/switch/act/undo-script.ts';
import { emptyFolder } from '../../helpers/folder.ts';
import { shells } from '../../scripts/script-host.ts';
import { SwitchWorld } from './world.ts';
import { leaf, planned as plannedInFabric } from './fabric-world.ts';

const port = 'core3:te3/46';
const unit = 'faultline-undo-core3-te3-46';

const ready = async (): Promise<{ world: SwitchWorld; target: PlanTarget }> => {
  const world = new SwitchWorld('quiet');
  for (let round = 0; round < 3; round++) await world.poll();
  const plan = shutAction.plan(
    [{ kind: 'port', id: port }],
    {},
    { judgement: world.judgement(), operator: 'alice' },
  );
  if ('refused' in plan) throw new Error(plan.reason);
  const [target] = plan.targets;
  if (!target?.hold) throw new Error('not held');
  return { world, target };
};

/** The words behind `sh -c` of a step that runs a script on the undo host. */
const scriptOf = (step: Step | undefined): readonly string[] => {
  if (!step || !('argv' in step)) throw new Error('no script');
  return step.argv.slice(step.argv.indexOf('-c') + 1);
};

/** Runs a script where `ssh`, `sleep` and `systemctl` are ours; gives its exit code and its standard error. */
const run = (
  folder: string,
  words: readonly string[],
  stands: Readonly<Record<string, string>>,
  shell = 'sh',
): { code: number; said: string } => {
  for (const [name, body] of Object.entries({ sleep: 'exit 0', ...stands })) {
    writeFileSync(join(folder, name), `#!/bin/sh\ncd ${folder}\n${body}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  const { status, stderr } = spawnSync(shell, ['-c', ...words], {
    // Busybox is the shell that it is called.
    argv0: 'sh',
    env: { PATH: `${folder}:${process.env['PATH'] ?? ''}` },
    encoding: 'utf8',
  });
  return { code: status ?? -1, said: stderr };
};

/** What is printed on a command line that obeys, and where it stands then; a file in the folder says what is wrong today. */
const device = `
test -e away && exit 255
say() { printf '%s\\r\\n' "$1"; }
no() { say '                 ^'; say '% Error: Invalid input at "^" marker.'; }
at='core3#'
test -e lookonly && at='core3>'
while IFS= read -r line; do
  say "$at$line"
  printf '%s\\n' "$line" >> typed
  case "$at$line" in
    *'#configure') at='core3(conf)#';;
    *'(conf)#interface '*) at='core3(conf-if-te-3/46)#';;
    *'-3/46)#no shutdown') if test -e denied; then no; elif test -e strange; then say 'Konfiguration gesperrt'; elif test -e says; then cat says; else rm -f shut; fi; test -e logs && say 'Nov 22 02:11:09: %STKUNIT0-M:CP %IFMGR-5-ASTATE_UP: Changed interface Admin state to up: Te 3/46';;
    *'#end') at='core3#';;
    *'show interfaces tengig'*) if test -e shut || test -e dark; then say 'TenGigabitEthernet 3/46 is down, line protocol is down'; else say 'TenGigabitEthernet 3/46 is up, line protocol is up'; fi;;
    *'#show running-config interface '*) if test -e shut; then say ' shutdown'; else say ' no shutdown'; fi;;
    *exit) exit 0;;
    *'terminal length 0') ;;
    *) no;;
  esac
done`;

const withFiles = (names: readonly string[]): string => {
  const folder = emptyFolder('undo-timer');
  for (const name of names) writeFileSync(join(folder, name), '');
  return folder;
};

const told = (path: string): readonly unknown[] =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .trim()
        .split('\n')
        .map((line): unknown => JSON.parse(line))
    : [];

/** Of the files they are one line: to ShellCheck and to every shell it is the same script. */
describe.each([
  ['probes/switch/act/undo-proof.sh', proofScript],
  ['probes/switch/act/undo.sh', undoScript],
])('%s in one line', (_, text) => {
  it.each(shells)('is read by %s', (shell) => {
    const read = spawnSync(`/usr/bin/${shell}`, ['-n', '-c', text], { argv0: 'sh', encoding: 'utf8' });
    expect([read.status, read.stderr]).toEqual([0, '']);
    expect(text).not.toContain('\n');
  });

  it.skipIf(!existsSync('/usr/bin/shellcheck'))('has nothing that ShellCheck warns of', () => {
    const flags = ['--shell=sh', '--severity=warning', '--exclude=SC2015', '-'];
    const checked = spawnSync('/usr/bin/shellcheck', flags, { input: text, encoding: 'utf8' });
    expect([checked.status, checked.stdout]).toEqual([0, '']);
  });
});

describe.each(shells)('under %s', (shell) => {
  it('the proof is given and refused, and the undo restores', async () => {
    const { target } = await ready();
    const [proof, undo] = [scriptOf(target.hold?.arm[0]), scriptOf(target.hold?.arm.at(-1))];
    const proofOf = (names: readonly string[]): number =>
      run(withFiles(names), proof, { ssh: device }, `/usr/bin/${shell}`).code;
    expect([
      proofOf([]),
      proofOf(['logs']),
      proofOf(['denied']),
      proofOf(['shut']),
      proofOf(['away']),
    ]).toEqual([0, 0, 1, 1, 1]);
    const folder = withFiles(['shut']);
    const journal = join(folder, 'journal.jsonl');
    const words = undo.with(2, journal).with(3, join(folder, 'run', unit));
    expect(run(folder, words, { ssh: device }, `/usr/bin/${shell}`).code).toBe(0);
    expect(told(journal)).toMatchObject([{ kind: 'restored', port, by: 'timer' }]);
  });
});

describe('the proof before a shutdown', () => {
  const proof = async (names: readonly string[]): Promise<{ code: number; said: string; typed: string }> => {
    const { target } = await ready();
    const folder = withFiles(names);
    const ended = run(folder, scriptOf(target.hold?.arm[0]), { ssh: device });
    const typed = existsSync(join(folder, 'typed')) ? readFileSync(join(folder, 'typed'), 'utf8') : '';
    return { ...ended, typed };
  };

  it('types the very commands of the undo on the port that is up, and takes no lock', async () => {
    const { code, typed } = await proof([]);
    expect(code).toBe(0);
    expect(typed.split('\n').slice(-7, -1)).toEqual([
      'terminal length 0',
      'configure',
      'interface tengigabitethernet 3/46',
      'no shutdown',
      'end',
      'exit',
    ]);
    expect(typed).not.toMatch(/exclusive|lock|write|copy/);
  });

  it('no script has what systemd or the dialog would show otherwise', async () => {
    const { target } = await ready();
    const all = [target, plannedInFabric('fab1:leaf-07/29')];
    const steps = all.flatMap(({ steps, hold }) => [...steps, ...(hold ? [...hold.arm, ...hold.keep] : [])]);
    for (const step of steps) {
      const text = 'argv' in step ? step.argv.join(' ') : '';
      // oxlint-disable-next-line no-control-regex -- they are what is looked for
      expect(text).not.toMatch(/[\x00-\x1f\x7f]|\$\{|\$\$/);
    }
  });

  it('is a step of the plan, before the timer and the change', async () => {
    const { target } = await ready();
    expect(target.hold?.arm.map(({ host }) => host)).toEqual(['admin1', 'admin1']);
    expect(JSON.stringify(target.hold?.arm[0])).toContain('"no shutdown"');
    expect(JSON.stringify(target.hold?.arm[1])).toContain('systemd-run');
  });

  it.each([
    [['lookonly'], 'core3 does not let the undo account switch the port on: % Error: Invalid input'],
    [['denied'], 'core3 does not let the undo account switch the port on: % Error: Invalid input'],
    [['strange'], 'core3 does not let the undo account switch the port on: Konfiguration gesperrt'],
    [['away'], 'core3 does not show the port switched on: nothing is shown of it'],
    [['shut'], 'core3 does not show the port switched on: TenGigabitEthernet 3/46 is down'],
  ])('fails with the words of the device: %s', async (names, words) => {
    const { code, said } = await proof(names);
    expect(code).toBe(1);
    expect(said).toContain(words);
  });

  it('takes nothing that is printed for consent but silence and log messages', async () => {
    const { target } = await ready();
    const words = scriptOf(target.hold?.arm[0]);
    const line = fc
      .string({ minLength: 1, maxLength: 40, unit: 'grapheme-ascii' })
      .filter((text) => text.trim() !== '' && !/\)#/.test(text));
    fc.assert(
      fc.property(line, (text) => {
        const folder = withFiles([]);
        writeFileSync(join(folder, 'says'), `${text}\r\n`);
        expect(run(folder, words, { ssh: device }).code).toBe(1);
      }),
      { numRuns: 10 },
    );
  });

  it.each([[['logs']], [['dark']]])('is not upset by %s', async (names) => {
    expect((await proof(names)).code).toBe(0);
  });
});

describe('the undo that waits on another host', () => {
  /** The script of the timer with the journal and its own file in a folder of the test. */
  const undo = async (names: readonly string[]) => {
    const { target } = await ready();
    const folder = withFiles(names);
    const [journal, own] = [join(folder, 'journal.jsonl'), join(folder, 'run', unit)];
    const words = scriptOf(target.hold?.arm.at(-1)).with(2, journal).with(3, own);
    return { folder, journal, own, words };
  };

  it('switches the port on, sees it, and only then says so', async () => {
    const { folder, words, journal, own } = await undo(['shut']);
    expect(run(folder, words, { ssh: device }).code).toBe(0);
    expect(existsSync(join(folder, 'shut'))).toBe(false);
    expect(told(journal)).toMatchObject([{ kind: 'restored', port, by: 'timer' }]);
    expect(existsSync(own)).toBe(false);
  });

  it.each(['a link', 'a second name', 'a pipe'])(
    'switches the port on and writes nothing through %s in the place of the journal',
    async (what) => {
      const { folder, words, journal, own } = await undo(['shut']);
      const victim = join(folder, 'victim');
      writeFileSync(victim, 'mine\n');
      if (what === 'a link') symlinkSync(victim, journal);
      else if (what === 'a second name') linkSync(victim, journal);
      else spawnSync('mkfifo', [journal]);
      expect(run(folder, words, { ssh: device }).code).toBe(0);
      expect(existsSync(own)).toBe(false);
      expect(readFileSync(victim, 'utf8')).toBe('mine\n');
    },
  );

  it('types again when the device was not there at first', async () => {
    const { folder, words, journal } = await undo(['shut', 'away']);
    expect(run(folder, words, { ssh: device, sleep: 'rm -f away' }).code).toBe(0);
    expect(told(journal)).toMatchObject([{ kind: 'restored' }]);
  });

  it('a port without light that is no longer switched off is restored', async () => {
    const { folder, words, journal } = await undo(['shut', 'dark']);
    expect(run(folder, words, { ssh: device }).code).toBe(0);
    expect(told(journal)).toMatchObject([{ kind: 'restored' }]);
  });

  it.each([
    [['shut', 'lookonly'], /Error: Invalid input/],
    [['shut', 'denied'], /Error: Invalid input/],
    [['shut', 'strange'], /Konfiguration gesperrt/],
    [['shut', 'away'], /not reached|nothing is shown/],
  ])('never says restored of what it saw shut, and tells that twice: %s', async (names, why) => {
    const { folder, words, journal, own } = await undo(names);
    expect(run(folder, words, { ssh: device }).code).toBe(1);
    const line = { kind: 'notRestored', port, host: 'admin1', text: expect.stringMatching(why) };
    expect(told(journal)).toMatchObject([line]);
    expect(told(own)).toMatchObject([line]);
    const reading = readUndos(answerOf(readFileSync(own, 'utf8')));
    expect(reading).toMatchObject({ value: { failed: [{ port, host: 'admin1' }] }, notUnderstood: 0 });
  });

  it('goes on trying after it has told, and takes it back when it has restored', async () => {
    const { folder, words, journal, own } = await undo(['shut', 'denied']);
    const sleep = `echo . >> slept; test "$(wc -l < slept)" -lt 9 || rm -f denied`;
    expect(run(folder, words, { ssh: device, sleep }).code).toBe(0);
    expect(told(journal)).toMatchObject([{ kind: 'notRestored' }, { kind: 'restored' }]);
    expect(existsSync(own)).toBe(false);
  });

  it('words of a device stay words in the line that it writes', async () => {
    const { folder, words, journal } = await undo(['shut']);
    const ssh = `printf 'x"}\\r\\n% Error: "}\\\\n{"kind":"restored","port":"${port}"}\\r\\n'`;
    expect(run(folder, words, { ssh }).code).toBe(1);
    expect(told(journal)).toMatchObject([{ kind: 'notRestored' }]);
  });

  it('a port of a fabric: by its own answer and what it reads back, each asked again', async () => {
    const target = plannedInFabric('fab1:leaf-07/29');
    const folder = emptyFolder('undo-timer');
    const [journal, own] = [join(folder, 'journal.jsonl'), join(folder, 'run', unit)];
    const words = scriptOf(target.hold?.arm.at(-1)).with(2, journal).with(3, own);
    const ibportstate = 'echo "$*" >> asked; test -e tried || { touch tried; exit 255; }';
    const state = (text: string): string => `echo 'PhysLinkState:...................${text}'`;
    expect(run(folder, words, { ibportstate, smpquery: state('Polling') }).code).toBe(0);
    expect(readFileSync(join(folder, 'asked'), 'utf8').trim().split('\n')).toEqual([
      `-G ${leaf} 29 enable`,
      `-G ${leaf} 29 enable`,
    ]);
    expect(told(journal)).toMatchObject([{ kind: 'restored', port: 'fab1:leaf-07/29', by: 'timer' }]);
    const up = emptyFolder('undo-timer');
    const already = words.with(2, join(up, 'journal.jsonl')).with(3, join(up, 'own'));
    expect(run(up, already, { ibportstate: 'touch asked', smpquery: state('LinkUp') }).code).toBe(0);
    expect(existsSync(join(up, 'asked'))).toBe(false);
    for (const [answer, text] of [
      ['exit 255', 'Polling'],
      ['exit 0', 'Disabled'],
      ['exit 0', 'No state change'],
    ] as const) {
      const never = emptyFolder('undo-timer');
      const lost = words.with(2, join(never, 'journal.jsonl')).with(3, join(never, 'own'));
      expect(run(never, lost, { ibportstate: answer, smpquery: state(text) }).code).toBe(1);
      expect(told(join(never, 'journal.jsonl'))).toMatchObject([{ kind: 'notRestored' }]);
    }
  });

  it('the proof of a fabric asks nothing across the link, changes nothing, and outlives a question that is lost', () => {
    const target = plannedInFabric('fab1:leaf-07/29');
    const words = scriptOf(target.hold?.arm[0]);
    const folder = emptyFolder('undo-timer');
    const lossy =
      'echo "$*" >> asked; test -e "$0.tried" || { touch "$0.tried"; echo "mad timeout" >&2; exit 255; }';
    const smpquery = `${lossy}; echo 'PhysLinkState:...................LinkUp'`;
    expect(run(folder, words, { ibportstate: lossy, smpquery }).code).toBe(0);
    expect(readFileSync(join(folder, 'asked'), 'utf8')).not.toMatch(/query|enable|disable/);
    expect(readFileSync(join(folder, 'asked'), 'utf8')).toContain(`-G ${leaf} 29 speed 0`);
    const refused = run(emptyFolder('undo-timer'), words, {
      ibportstate: 'echo "ibportstate: iberror: failed: smp set portinfo failed" >&2; exit 255',
      smpquery: "echo 'PhysLinkState:...................LinkUp'",
    });
    expect(refused).toMatchObject({ code: 1, said: expect.stringContaining('smp set portinfo failed') });
  });

  it('the journal is told of a shutdown after it, so that one which the device refuses is nobody’s', async () => {
    const { target } = await ready();
    expect(target.steps.map(({ host }) => host)).toEqual(['core3', 'admin1']);
    expect(target.steps.map((step) => 'note' in step && step.note)).toEqual([false, true]);
  });

  it('can be kept only while it does not run', async () => {
    const { target } = await ready();
    const words = scriptOf(target.hold?.keep[0]);
    const systemctl = (active: string): string =>
      `case "$1" in is-active) case " $* " in *" ${active} "*) exit 0;; *) exit 3;; esac;; *) exit 0;; esac`;
    const folder = emptyFolder('undo-timer');
    expect(run(folder, words, { systemctl: systemctl('none') }).code).toBe(0);
    expect(run(folder, words, { systemctl: systemctl(`${unit}.timer`) }).code).not.toBe(0);
    expect(run(folder, words, { systemctl: systemctl(`${unit}.service`) }).code).not.toBe(0);
  });

  it('is not over while its service runs, though its timer is gone', async () => {
    const { world, target } = await ready();
    const down = world.simulator.network?.ports.get(port);
    if (!down) throw new Error('no port');
    down.adminUp = false;
    await world.poll();
    const seen = (text: string) => {
      world.readings.good('switch.timers', 'admin1', readTimers(answerOf(text)).value, world.now);
      return target.hold?.kept.check(world.judgement()).state;
    };
    const timer = `${unit}.timer loaded active waiting /usr/bin/sh -c ...\n`;
    expect(seen(timer)).toBe('wait');
    expect(target.hold?.armed.check(world.judgement()).state).toBe('yes');
    expect(seen(`${unit}.service loaded inactive dead /usr/bin/sh -c ...\n${timer}`)).toBe('wait');
    expect(target.hold?.armed.check(world.judgement()).state).toBe('yes');
    expect(seen(`${unit}.service loaded active running /usr/bin/sh -c ...\n`)).toBe('wait');
    expect(target.hold?.armed.check(world.judgement()).state).toBe('wait');
    // Once it has fired and tries again and again its timer is still listed: nothing waits any more.
    expect(seen(`${unit}.service loaded active running x\n${unit}.timer loaded active running x\n`)).toBe(
      'wait',
    );
    expect(target.hold?.armed.check(world.judgement()).text).toBe('running');
    expect(seen('')).toBe('yes');
  });
});
