import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startDemo, type Demo } from '../../src/demo/start.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { confirmPlan } from './confirm.ts';
import { start, type Session } from './driver.ts';
import { Hand, openPlan } from './play-incident.ts';
import { faultline } from './run.ts';

let demo: Demo;
let session: Session | undefined;
let folder: string;
let env: Readonly<Record<string, string>>;

// A demo for each: what one test did a moment ago the shared folder of the site tells the next, which has to wait.
beforeEach(async () => {
  demo = await startDemo({ incident: 'quiet', nodes: 8, log: () => {} });
  folder = emptyFolder('own-checks');
  const sites = join(folder, 'faultline/sites');
  mkdirSync(sites, { recursive: true });
  const write = (name: string, text: string): void => writeFileSync(join(sites, name), text, { mode: 0o600 });
  write('north.yaml', `${readFileSync(demo.siteFile, 'utf8')}include: [our-checks.yaml]\n`);
  write(
    'our-checks.yaml',
    `groups: { front: 'node[1-2]', heart: '@front!node2' }
hosts:
  - { names: console, roles: [here], transport: local }
checks:
  flag:
    run: 'if [ -e ${folder}/flag ]; then echo "FLAG OK: it is up | flags=1"; else echo "FLAG CRITICAL: it is down | flags=0"; exit 2; fi'
    on: here
    every: 5s
    actions:
      raise:
        run: 'touch ${folder}/flag'
        users: nothing
        guards: [gate]
        verify: flag
        undo: none
  gate: { run: 'echo "GATE OK: open"', on: here, every: 5s }
  heart: { run: 'echo "HEART OK: beats"', on: '@heart', every: 5s }
  part: { run: 'echo "PART OK: on $1"', on: '@slurm:batch&node[1-2]', every: 5s }
`,
  );
  env = { XDG_CONFIG_HOME: folder, XDG_STATE_HOME: join(folder, 'state') };
});
afterEach(async () => {
  await session?.close();
  session = undefined;
  await demo.close();
});

const onNorth = (...words: string[]) => faultline([...words, '--site', 'north'], env);

test('a check and an action of an included file: in status and act, audited; refused where the site is read-only', async () => {
  const before = await onNorth('status', '--json', '--system', 'checks');
  const { findings, readings } = JSON.parse(before.stdout) as {
    findings: { kind: string; summary: string; severity: string }[];
    readings: { probe: string; host: string; state: string }[];
  };
  expect(findings).toMatchObject([
    { kind: 'check-critical', severity: 'critical', summary: expect.stringContaining('it is down') },
  ]);
  // A group of the included file, with what it leaves out.
  expect(readings.filter(({ probe }) => probe === 'checks.heart').map(({ host }) => host)).toEqual(['node1']);
  expect(before.code).toBe(2);
  // A partition, which Slurm tells first.
  const part = readings.filter(({ probe }) => probe === 'checks.part');
  expect(part.filter(({ state }) => state === 'fresh').map(({ host }) => host)).toEqual(['node1', 'node2']);

  const raise = ['act', 'checks.flag.raise', 'flag@console'];
  const text = readFileSync(join(folder, 'faultline/sites/north.yaml'), 'utf8');
  const closed = join(folder, 'faultline/sites/closed.yaml');
  writeFileSync(closed, `readOnly: true\n${text}`, { mode: 0o600 });
  const refused = await faultline([...raise, '--confirm', 'flag@console', '--site', 'closed'], env);
  expect(refused.code, refused.stdout + refused.stderr).toBe(4);
  expect(refused.stdout).toContain('read-only');
  expect(existsSync(join(folder, 'flag'))).toBe(false);

  const plan = await onNorth(...raise);
  expect(plan.code, plan.stdout + plan.stderr).toBe(4);
  expect(plan.stdout).toContain(`touch ${folder}/flag`);
  expect(existsSync(join(folder, 'flag'))).toBe(false);

  const done = await onNorth(...raise, '--confirm', 'flag@console');
  expect(done.code, done.stdout + done.stderr).toBe(0);
  expect(existsSync(join(folder, 'flag'))).toBe(true);
  const audit = await onNorth('audit', 'show');
  expect(audit.stdout).toContain('checks.flag.raise');
  const after = await onNorth('status', '--system', 'checks');
  expect(after.code, after.stdout).toBe(0);
});

test('the pane shows it, the menu of its row raises it, the finding goes, and the log has it', async () => {
  session = start(['--site', 'north'], { env, rows: 50 });
  await session.until('it is down');
  await session.until(/Checks/);
  await session.keys(':');
  await session.type('pane checks');
  await session.keys('Enter');
  await session.until(/> ?✖ flag/);
  await openPlan(new Hand(session), { chosen: /> raise \(flag\)/, plan: `touch ${folder}/flag` });
  await confirmPlan(session, 'flag@console');
  await session.until(/✓ done/);
  await session.keys('Esc');
  await session.until(/nothing found: all fine/);
  expect(existsSync(join(folder, 'flag'))).toBe(true);
  await session.keys('L');
  await session.until('checks.flag.raise');
});

test('the wall shows it, and a read-only console has no way to act', async () => {
  session = start(['wall', '--site', 'north'], { env, columns: 110, rows: 34 });
  await session.until('it is down');
  await session.close();
  session = start(['--site', 'north', '--read-only'], { env });
  await session.until('it is down');
  await session.keys(':');
  await session.type('action checks.flag.raise flag@console');
  await session.keys('Enter');
  await session.until('this console is read-only: it has no actions');
  expect(existsSync(join(folder, 'flag'))).toBe(false);
});
