import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shutAction } from '../../../probes/switch/action-shut.ts';
import { readTimers } from '../../../probes/switch/timers.ts';
import type { PlanTarget, Step } from '../../../src/model/action.ts';
import { answerOf } from '../../helpers/answer.ts';
import { emptyFolder } from '../../helpers/folder.ts';
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

/** Runs a script where `ssh`, `sleep` and `systemctl` are ours; gives its exit code. */
const run = (folder: string, words: readonly string[], stands: Readonly<Record<string, string>>): number => {
  for (const [name, body] of Object.entries({ sleep: 'exit 0', ...stands })) {
    writeFileSync(join(folder, name), `#!/bin/sh\ncd ${folder}\n${body}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  try {
    execFileSync('sh', ['-c', ...words], {
      env: { PATH: `${folder}:${process.env['PATH'] ?? ''}` },
      stdio: 'pipe',
    });
    return 0;
  } catch (error) {
    return error instanceof Error && 'status' in error ? Number(error.status) : -1;
  }
};

describe('the undo that waits on another host', () => {
  /** The script of the timer with the journal in a folder of the test. */
  const undo = async (): Promise<{ folder: string; words: readonly string[]; journal: string }> => {
    const { target } = await ready();
    const folder = emptyFolder('undo-timer');
    const journal = join(folder, 'journal.jsonl');
    return { folder, journal, words: scriptOf(target.hold?.arm.at(-1)).with(2, journal) };
  };

  it('types the lines again when the device was not there the first time, and then says so', async () => {
    const { folder, words, journal } = await undo();
    const ssh =
      "cat >> typed; test -e tried || { touch tried; exit 255; }; printf 'TenGigabitEthernet 3/46 is down\\r\\n'; exit 255";
    expect(run(folder, words, { ssh })).toBe(0);
    const typed = readFileSync(join(folder, 'typed'), 'utf8');
    expect(typed.split('no shutdown').length - 1).toBe(2);
    expect(JSON.parse(readFileSync(journal, 'utf8'))).toMatchObject({ kind: 'restored', port, by: 'timer' });
  });

  it('never says that it restored what it could not reach', async () => {
    const { folder, words, journal } = await undo();
    expect(run(folder, words, { ssh: 'cat >> typed; exit 255' })).not.toBe(0);
    expect(existsSync(journal)).toBe(false);
  });

  it('tries a port of a fabric again as well, and tells the journal where that lies on the same host', async () => {
    const target = plannedInFabric('fab1:leaf-07/29');
    const folder = emptyFolder('undo-timer');
    const journal = join(folder, 'journal.jsonl');
    const words = scriptOf(target.hold?.arm.at(-1)).with(2, journal);
    const ibportstate = 'echo "$*" >> asked; test -e tried || { touch tried; exit 255; }';
    expect(run(folder, words, { ibportstate })).toBe(0);
    expect(readFileSync(join(folder, 'asked'), 'utf8').trim().split('\n')).toEqual([
      `-G ${leaf} 29 enable`,
      `-G ${leaf} 29 enable`,
    ]);
    expect(JSON.parse(readFileSync(journal, 'utf8'))).toMatchObject({
      kind: 'restored',
      port: 'fab1:leaf-07/29',
      by: 'timer',
    });
    const never = emptyFolder('undo-timer');
    const lost = words.with(2, join(never, 'journal.jsonl'));
    expect(run(never, lost, { ibportstate: 'echo "$*" >> asked; exit 255' })).not.toBe(0);
    expect(readFileSync(join(never, 'asked'), 'utf8').trim().split('\n')).toHaveLength(5);
    expect(existsSync(join(never, 'journal.jsonl'))).toBe(false);
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
    expect(run(folder, words, { systemctl: systemctl('none') })).toBe(0);
    expect(run(folder, words, { systemctl: systemctl(`${unit}.timer`) })).not.toBe(0);
    expect(run(folder, words, { systemctl: systemctl(`${unit}.service`) })).not.toBe(0);
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
    expect(seen('')).toBe('yes');
  });
});
