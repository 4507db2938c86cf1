import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readFileSync, writeFileSync } from 'node:fs';
import { NODES } from './folder.ts';
import { auditLog, openLab, type OpenLab } from './open.ts';
import { end, until } from './processes.ts';
import {
  breakCheck,
  freeze,
  mendCheck,
  nodeState,
  pidFileOf,
  setCheckMode,
  slurm,
  startController,
  thaw,
} from './slurm.ts';

describe('Slurm on real daemons', () => {
  let lab: OpenLab;
  beforeAll(async () => {
    lab = await openLab();
  });
  afterAll(() => lab.close());

  // What one test left broken is no other test's business.
  afterEach(async () => {
    for (const node of NODES) mendCheck(lab.folder, node);
    for (const node of NODES.filter((name) => nodeState(lab.folder, name).startsWith('drain'))) resume(node);
    for (const node of NODES) await idle(node);
  });

  const drained = (node: string): Promise<void> =>
    until(`${node} drained`, () => nodeState(lab.folder, node).startsWith('drain'));
  const idle = (node: string): Promise<void> =>
    until(`${node} idle`, () => nodeState(lab.folder, node) === 'idle');
  const drain = (node: string, reason: string): string =>
    slurm(lab.folder, 'scontrol', 'update', `nodename=${node}`, 'state=drain', `reason=${reason}`);
  const resume = (node: string): string =>
    slurm(lab.folder, 'scontrol', 'update', `nodename=${node}`, 'state=resume');

  it('finds nothing wrong with a healthy cluster', async () => {
    const { code, document } = await lab.status();
    expect(document.site).toBe('lab');
    expect(document.findings.filter(({ severity }) => severity !== 'notice')).toEqual([]);
    expect(document.readings.filter(({ state }) => state === 'failed')).toEqual([]);
    expect(code).toBe(0);
  });

  it('a doctor finds every host well', async () => {
    const { code, stdout, stderr } = await lab.program('doctor', '--json');
    const { hosts } = JSON.parse(stdout) as { hosts: { host: string }[] };
    expect(hosts.length).toBe(10);
    expect(code, stdout + stderr).toBe(0);
  });

  it('a node drained by the health check is a finding, refused while its check fails, and resumed once it passes', async () => {
    breakCheck(lab.folder, 'node3');
    await drained('node3');
    const broken = await lab.status();
    expect(broken.code).toBeGreaterThan(0);
    const finding = broken.document.findings.find(({ subject }) => subject.id.includes('node3'));
    expect(finding?.summary).toMatch(/node3.*HDFS mount lost/);

    const refused = await lab.program('act', 'slurm.resume', 'node3', '--confirm', 'y');
    expect(refused.code, refused.stdout + refused.stderr).toBe(4);
    expect(refused.stdout + refused.stderr).toMatch(/check/i);
    expect(nodeState(lab.folder, 'node3')).toMatch(/^drain/);

    mendCheck(lab.folder, 'node3');
    const dry = await lab.program('act', 'slurm.resume', 'node3', '--dry-run');
    expect(dry.code, dry.stdout + dry.stderr).toBe(0);
    expect(dry.stdout).toContain('scontrol update nodename=node3 state=resume');
    expect(nodeState(lab.folder, 'node3')).toMatch(/^drain/);

    const done = await lab.program('act', 'slurm.resume', 'node3', '--confirm', 'y');
    expect(done.code, done.stdout + done.stderr).toBe(0);
    await idle('node3');
    expect(
      (await lab.status()).document.findings.filter(({ subject }) => subject.id.includes('node3')),
    ).toEqual([]);
    const again = await lab.program('act', 'slurm.resume', 'node3', '--confirm', 'y');
    expect([0, 4]).toContain(again.code);
    expect(again.stdout + again.stderr).toMatch(/nothing|already|not drained|out of service/i);
  });

  it('does nothing without the confirmation', async () => {
    const asked = await lab.program('act', 'slurm.drain', 'node1', '--reason', 'bad DIMM');
    expect(asked.stdout + asked.stderr).toContain('--confirm');
    expect(asked.code).not.toBe(0);
    expect(nodeState(lab.folder, 'node1')).toBe('idle');
  });

  it('drains with a reason that names the operator, and undrains', async () => {
    const done = await lab.program('act', 'slurm.drain', 'node1', '--reason', 'bad DIMM', '--confirm', 'y');
    expect(done.code, done.stdout + done.stderr).toBe(0);
    expect(slurm(lab.folder, 'sinfo', '-h', '-n', 'node1', '-o', '%E')).toMatch(/faultline.*bad DIMM/);
    const back = await lab.program('act', 'slurm.undrain', 'node1', '--confirm', 'y');
    expect(back.code, back.stdout + back.stderr).toBe(0);
    await idle('node1');
  });

  it('refuses a node that a person drained, and says whose reason it is', async () => {
    drain('node7', 'RMA 1234, do not touch');
    await drained('node7');
    const refused = await lab.program('act', 'slurm.resume', 'node7', '--confirm', 'y');
    expect(refused.code, refused.stdout + refused.stderr).toBe(4);
    expect(refused.stdout + refused.stderr).toContain('RMA 1234');
    expect(nodeState(lab.folder, 'node7')).toMatch(/^drain/);
    resume('node7');
    await idle('node7');
  });

  it('refuses a set that was not confirmed as such, wildcards and strangers as targets', async () => {
    for (const target of ['node[1-8]', 'ALL', 'node1,node2', 'node99', '-x']) {
      const { code } = await lab.program(
        'act',
        'slurm.drain',
        '--reason',
        'x',
        '--confirm',
        'y',
        '--',
        target,
      );
      expect([4, 64], target).toContain(code);
    }
    expect(slurm(lab.folder, 'sinfo', '-h', '-t', 'drain', '-N').trim()).toBe('');
  });

  it('writes intents and results that one changed byte gives away', async () => {
    const shown = await lab.program('audit', 'show', '--json');
    expect(shown.code, shown.stderr).toBe(0);
    for (const kind of ['intent', 'result', 'refused']) expect(shown.stdout).toContain(`"${kind}"`);
    expect((await lab.program('audit', 'verify')).code).toBe(0);
    const path = auditLog(lab);
    const whole = readFileSync(path, 'utf8');
    writeFileSync(path, whole.replace('bad DIMM', 'bad DIMN'));
    const broken = await lab.program('audit', 'verify');
    expect(broken.code).toBe(1);
    expect(broken.stdout + broken.stderr).toMatch(/line|record|seq/i);
    writeFileSync(path, whole);
    expect((await lab.program('audit', 'verify')).code).toBe(0);
  });

  it('shows a hostile reason visibly and harmlessly', async () => {
    drain('node2', 'a\u001B]0;x\u0007b\u001B[31mc\u202Ed\ne');
    await drained('node2');
    const lines = await lab.program('status');
    const json = await lab.status();
    resume('node2');
    for (const text of [lines.stdout, lines.stderr, json.stdout]) {
      expect(text).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E]/);
    }
    expect(lines.stdout).toContain('^[]0;x^Gb^[[31mc<U+202E>d');
  });

  it('a check that hangs or floods stops nothing else', async () => {
    breakCheck(lab.folder, 'node4');
    breakCheck(lab.folder, 'node5');
    await Promise.all([drained('node4'), drained('node5')]);
    mendCheck(lab.folder, 'node4');
    mendCheck(lab.folder, 'node5');
    setCheckMode(lab.folder, 'node4', 'hang');
    setCheckMode(lab.folder, 'node5', 'flood');
    const hung = await lab.program('act', 'slurm.resume', 'node4', '--confirm', 'y');
    expect(hung.code, hung.stdout + hung.stderr).toBe(4);
    expect(hung.stdout + hung.stderr).toMatch(/timed out|did not (end|answer)|within/i);
    const flooded = await lab.program('act', 'slurm.resume', 'node5', '--confirm', 'y');
    expect([0, 4]).toContain(flooded.code);
    const { document } = await lab.status();
    expect(document.readings.find(({ probe }) => probe === 'slurm.nodes')?.state).toBe('fresh');
    for (const node of ['node4', 'node5']) {
      mendCheck(lab.folder, node);
      const done = await lab.program('act', 'slurm.resume', node, '--confirm', 'y');
      expect(done.code, done.stdout + done.stderr).toBe(0);
      await idle(node);
    }
  });

  it('a stopped slurmctld is down, a frozen one hangs, and neither is an empty cluster', async () => {
    await end(pidFileOf(lab.folder, 'slurmctld'));
    const stopped = await lab.status();
    expect([2, 3]).toContain(stopped.code);
    expect(JSON.stringify(stopped.document.findings)).toMatch(/down/);
    expect(stopped.document.readings.find(({ probe }) => probe === 'slurm.nodes')?.state).toBe('failed');
    const refused = await lab.program('act', 'slurm.drain', 'node1', '--reason', 'x', '--confirm', 'y');
    expect([4, 5, 6], refused.stdout + refused.stderr).toContain(refused.code);
    await startController(lab.folder);
    await until('slurmctld answers', () => nodeState(lab.folder, 'node1') === 'idle');

    freeze(lab.folder, 'slurmctld');
    const frozen = await lab.status();
    thaw(lab.folder, 'slurmctld');
    expect([2, 3]).toContain(frozen.code);
    expect(JSON.stringify(frozen.document.findings)).toMatch(/hung|hangs/);
    await until('slurmctld answers', () => nodeState(lab.folder, 'node1') === 'idle');
    const { code, document } = await lab.status();
    expect(document.findings).toEqual([]);
    expect(code).toBe(0);
  });
});
