import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { emptyFolder } from '../helpers/folder.ts';
import { confirmPlan } from './confirm.ts';
import { start, type Session } from './driver.ts';
import { Hand, openPlan } from './play-incident.ts';
import { faultline } from './run.ts';

let session: Session | undefined;
let file: string;
let env: Readonly<Record<string, string>>;

// The very words of the README, as somebody would copy them.
const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
const copied = /```yaml\n(checks:\n.*?)```/s.exec(readme)?.[1] ?? '';
const act = /^faultline act --with our-checks.yaml (.*)$/m.exec(readme)?.[1]?.split(' ') ?? [];

beforeEach(() => {
  const folder = emptyFolder('readme-checks');
  mkdirSync(join(folder, 'state'));
  file = join(folder, 'our-checks.yaml');
  writeFileSync(file, copied, { mode: 0o600 });
  env = { XDG_CONFIG_HOME: folder, XDG_STATE_HOME: join(folder, 'state') };
});
afterEach(async () => {
  await session?.close();
  session = undefined;
});

const withOurs = () => ['--incident', 'quiet', '--with', file];

test('what the README says of a check and an action is so: status, act, audit', async () => {
  const status = await faultline(['status', ...withOurs(), '--system', 'checks'], env);
  expect(status.code, status.stderr).toBe(2);
  expect(status.stdout).toContain('HELLO CRITICAL - no /tmp/hello');
  const plan = await faultline(['act', ...withOurs(), ...act], env);
  expect(plan.code, plan.stdout + plan.stderr).toBe(4);
  expect(plan.stdout).toContain('touch /tmp/hello');
  const done = await faultline(['act', ...withOurs(), ...act, '--confirm', act.at(-1) ?? ''], env);
  expect(done.code, done.stdout + done.stderr).toBe(0);
  expect(done.stdout).toContain('done and verified: hello is OK: HELLO OK - it is there');
  const audit = await faultline(
    ['audit', 'show', '--file', join(env['XDG_STATE_HOME'] ?? '', 'faultline/simulated-demo/audit.jsonl')],
    env,
  );
  expect(audit.stdout, audit.stderr).toContain(act[0]);
});

test('in the pane of the demo, where its row offers the action and the log has it', async () => {
  session = start(['demo', ...withOurs()], { env, rows: 50 });
  await session.until('HELLO CRITICAL');
  await session.keys(':');
  await session.type('pane checks');
  await session.keys('Enter');
  await session.until(/> ?✖ hello/);
  await openPlan(new Hand(session), { chosen: /> greet \(hello\)/, plan: 'touch /tmp/hello' });
  await confirmPlan(session, 'hello@node1');
  await session.until(/✓ done/);
  await session.keys('Esc');
  await session.keys('L');
  await session.until('checks.hello.greet');
});

test('on the wall of the demo', async () => {
  session = start(['wall', ...withOurs()], { env, columns: 110, rows: 34 });
  await session.until('HELLO CRITICAL');
});

test('a site that is read-only has it all, and no way to act', async () => {
  writeFileSync(file, `readOnly: true\n${copied}`, { mode: 0o600 });
  const refused = await faultline(['act', ...withOurs(), ...act, '--confirm', act.at(-1) ?? ''], env);
  expect(refused.code, refused.stdout + refused.stderr).toBe(4);
  expect(refused.stdout).toContain('read-only');
});

test('a slip in the file is told with its own line', async () => {
  writeFileSync(file, copied.replace('verify: hello', 'verify: helo'), { mode: 0o600 });
  const told = await faultline(['status', ...withOurs()], env);
  expect(told.code).toBe(78);
  expect(told.stderr).toMatch(/our-checks\.yaml:1\d:17: there is no check "helo"; did you mean "hello"\?/);
});

test('a file that can not be taken is named as it was given, not by a place in the simulated site', async () => {
  const missing = await faultline(['status', '--with', `${file}.no`], env);
  expect(missing.code).toBe(78);
  expect(missing.stderr).toContain(`--with ${file}.no: no such file`);
  writeFileSync(file, `site: mine\n${copied}`, { mode: 0o600 });
  const twice = await faultline(['status', ...withOurs()], env);
  expect(twice.stderr).toContain(`"site" is set already on line 1 of the simulated site's file`);
});
