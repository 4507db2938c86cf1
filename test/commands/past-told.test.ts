import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { realClock } from '../../src/collect/clock.ts';
import { createCollectorThread, workerStart } from '../../src/commands/collector-thread.ts';
import { openSite } from '../../src/commands/open-site.ts';
import { run } from '../../src/commands/status.ts';
import { startDemo, type Demo } from '../../src/demo/start.ts';
import type { FromWorker } from '../../src/model/wire.ts';
import { createAuditLog } from '../../src/remedy/audit-log.ts';
import { createSharedActions } from '../../src/remedy/shared-actions.ts';
import { createTransports } from '../../src/transport/pool.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { self } from '../remedy/world.ts';
import { fakeIo } from './fake-io.ts';

const AGO = 49 * 3_600_000;
const subject = { kind: 'ost', id: 'scratch-OST0007' } as const;
let demo: Demo;
let state: string;
let env: Record<string, string>;
let log: string;

beforeAll(async () => {
  demo = await startDemo({ incident: 'ost-drain', log: () => {} });
  state = emptyFolder('faultline-past');
  env = { PATH: process.env['PATH'] ?? '', XDG_STATE_HOME: state, HOME: state };
  log = join(state, 'faultline', 'demo', 'audit.jsonl');
});
afterAll(() => demo.close());

const status = async (json: boolean): Promise<string> => {
  const { io, out } = fakeIo('', env);
  await run({ json, site: demo.siteFile, system: 'lustre', demo: false }, io);
  return out();
};

/** What a console of this account wrote two days ago: an OST was marked degraded. */
const writeLog = async (): Promise<void> => {
  const audit = createAuditLog({
    file: log,
    site: 'demo',
    operator: { name: 'alice', uid: 1000 },
    console: self,
    clock: { ...realClock, now: () => Date.now() - AGO },
  });
  const of = { run: 'r-1', action: 'lustre.degrade', target: subject.id };
  const detail = {
    title: 'Degrade',
    verb: 'degrade',
    danger: 'reversible',
    subject,
    parameters: {},
    exceeded: [],
    commands: [{ host: 'oss1', script: 'lctl set_param ...', deadlineMs: 1000 }],
    boundMs: 1000,
    verify: { text: 'it is so', reads: [], deadlineMs: 1000 },
    undo: null,
    undoText: '',
    lockGroups: [],
  };
  await audit.append({ kind: 'intent', ...of, detail });
  await audit.append({ kind: 'result', ...of, outcome: 'done', detail: { subject, text: 'it is so' } });
};

describe('who left a flag behind is said by what can do nothing', () => {
  test('status knows of nobody before; a colleague’s run is read from the shared folder', async () => {
    expect(await status(false)).toContain('scratch-OST0007 kept from new objects: degraded');
    expect(await status(true)).toContain('set by no run that is known here');
    expect(existsSync(log)).toBe(false);
    const { site, close } = await openSite({ site: demo.siteFile }, { env });
    const transports = createTransports({ site, clock: realClock, log: () => {}, env });
    if (!site.shared) throw new Error('the demo has a shared folder');
    const actions = createSharedActions(site.shared, transports, realClock);
    const past = { run: 'r-2', verb: 'degrade', subject: `ost ${subject.id}`, by: 'bob' };
    expect(await actions.tell({ ...past, at: Date.now() - AGO }, 'key of r-2')).toBeUndefined();
    expect(await status(false)).toContain('kept from new objects: degraded, for 2 d by bob: left behind?');
    await actions.tell({ ...past, at: Date.now() - AGO }, 'key of r-2', true);
    await transports.close();
    await close();
  }, 60_000);

  test('status and the wall read the audit log of their account, and leave it as it is', async () => {
    await writeLog();
    const before = readFileSync(log, 'utf8');
    expect(await status(false)).toContain('kept from new objects: degraded, for 2 d by alice: left behind?');
    expect(await status(true)).toMatch(/last degrade: alice at \d{4}-\d\d-\d\d \d\d:\d\d"/);

    const { site, close } = await openSite({ site: demo.siteFile }, { env });
    const seen: FromWorker[] = [];
    const thread = createCollectorThread({
      readOnly: true,
      start: Promise.resolve(workerStart(site, env, false)),
      log: () => {},
      receive: (message) => {
        seen.push(message);
        if (message.type === 'update') thread.send({ type: 'ack', seq: message.seq });
      },
      onDied: (why) => seen.push({ type: 'log', line: why }),
    });
    thread.start();
    await expect
      .poll(() => JSON.stringify(seen), { timeout: 30_000, interval: 200 })
      .toContain('kept from new objects: degraded, for 2 d by alice: left behind?');
    await thread.close();
    await close();
    expect(readFileSync(log, 'utf8')).toBe(before);
  }, 90_000);

  test('an audit log that cannot be read is told, and nothing is said of whom', async () => {
    rmSync(log);
    mkdirSync(log);
    const { io, out, err } = fakeIo('', env);
    await run({ json: false, site: demo.siteFile, system: 'lustre', demo: false }, io);
    expect(err()).toMatch(/not read: the audit log: .*not a regular file|EISDIR/);
    expect(out()).not.toMatch(/by alice|no run that is known/);
  }, 60_000);
});
