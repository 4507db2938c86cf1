import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Owner } from '../../src/audit/copied-heads.ts';
import { whoami } from '../../src/audit/place.ts';
import { createAuditLog } from '../../src/remedy/audit-log.ts';
import { createHeadCopy, createSyslogCopy } from '../../src/remedy/head-copy.ts';
import { readSyslogCopies } from '../../src/audit/read-copies.ts';
import { logName } from '../../src/audit/copied-heads.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { answer, operator, realTime, self, transportsOf } from '../remedy/world.ts';
import { auditIn, emptyHome } from './audit-home.ts';

let state: string;
let file: string;
let dir: string;
let site: string;
let owner: Owner;
beforeEach(() => {
  ({ state, file } = emptyHome());
  const folder = emptyFolder('copies');
  dir = join(folder, 'shared');
  mkdirSync(dir);
  chmodSync(folder, 0o700);
  site = join(folder, 'site.yaml');
  writeFileSync(
    site,
    `site: demo\nshared: {host: adm, dir: ${dir}}\nhosts:\n  - {names: adm, transport: local}\n`,
    { mode: 0o600 },
  );
  owner = { host: hostname(), uid: whoami().uid, site: 'demo', folder: dirname(file) };
});

const shell = transportsOf(async ({ script }) => {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', script], { encoding: 'latin1' });
  return answer({ exitCode: status ?? 1, stdout, stderr });
});

/** A log of so many records, each copied. */
const write = async (texts: readonly string[]): Promise<void> => {
  const copy = createHeadCopy({ host: 'adm', dir }, shell, realTime, owner);
  const log = createAuditLog({ file, site: 'demo', operator, console: self, clock: realTime, copy });
  for (const text of texts)
    expect(await log.append({ kind: 'note', detail: { text } })).toMatchObject({ ok: true });
  await log.publish();
  expect(log.warnings()).toEqual([]);
};

const files = ['audit.jsonl', 'audit.jsonl.head', 'begun.jsonl'];
const verify = () => auditIn(state, { verb: 'verify', site });

describe('audit verify and the copies in the shared folder', () => {
  it('an honest log: whole, and how far the copies go', async () => {
    await write(['a', 'b', 'c']);
    const { exit, out } = await verify();
    expect(out).toMatch(
      /audit\.jsonl: whole, 3 records\n.*audit-heads: 3 copied heads are in it, the last of record 3\n$/,
    );
    expect(exit).toBe(0);
  });

  it('a tail that was cut together with its head, deliberately and consistently', async () => {
    await write(['a', 'b']);
    const old = files.map((name) => readFileSync(join(dirname(file), name)));
    await write(['c', 'd']);
    for (const [at, name] of files.entries()) writeFileSync(join(dirname(file), name), old[at] ?? '');
    const { exit, out } = await verify();
    expect(exit).toBe(1);
    expect(out).toMatch(/whole, 2 records/);
    expect(out).toMatch(/records 3 to 4, written from \S+ to \S+, were copied and not in it: it was cut/);
  });

  it('a chain that was computed anew with another text', async () => {
    await write(['a', 'b']);
    rmSync(dirname(file), { recursive: true });
    const forged = createAuditLog({ file, site: 'demo', operator, console: self, clock: realTime });
    for (const text of ['a', 'x']) await forged.append({ kind: 'note', detail: { text } });
    const { exit, out } = await verify();
    expect(exit).toBe(1);
    expect(out).toMatch(
      /records 1 to 2, .* copied as another than it now holds: it was replaced or recomputed/,
    );
  });

  it('a log that was deleted with its folder', async () => {
    await write(['a', 'b']);
    rmSync(join(state, 'faultline'), { recursive: true });
    const { exit, out } = await verify();
    expect(exit).toBe(1);
    expect(out).toMatch(/were copied, and there is no log or it is empty: it was removed/);
    expect(JSON.parse((await auditIn(state, { verb: 'verify', site, json: true })).out)).toMatchObject({
      logs: [{ copies: { problems: [expect.stringContaining('it was removed')] } }],
    });
  });

  it('a folder that is not there, and one that holds no copy, are said; only the first is 1', async () => {
    await write(['a']);
    rmSync(join(dir, 'audit-heads'), { recursive: true });
    expect(await verify()).toMatchObject({
      exit: 0,
      out: expect.stringContaining('holds no copy of this log'),
    });
    rmSync(dir, { recursive: true });
    expect(await verify()).toMatchObject({
      exit: 1,
      out: expect.stringMatching(/not compared with adm:.* is not there/),
    });
  });

  it('lines that somebody else put there are counted and harm nothing', async () => {
    await write(['a']);
    const all = join(dir, 'audit-heads', `${logName(owner)}.jsonl`);
    writeFileSync(all, `\u001b[2J\n{"v":1}\n${readFileSync(all, 'utf8')}`);
    const { exit, out } = await verify();
    expect(exit).toBe(0);
    expect(out).toContain('2 lines are no copy of a head of this log');
    expect(out).not.toContain('\u001b');
  });
});

describe('the syslog of a host', () => {
  /** A host with these programs in front of its own; `logger` writes what `journalctl` finds. */
  const hostWith = (programs: Readonly<Record<string, string>>) => {
    const bin = emptyFolder('bin');
    for (const [name, text] of Object.entries(programs))
      writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    return transportsOf(async ({ script }) => {
      const { status, stdout, stderr } = spawnSync('sh', ['-c', script], {
        encoding: 'latin1',
        env: { PATH: `${bin}:${process.env['PATH']}`, BOOK: join(bin, 'book') },
      });
      return answer({ exitCode: status ?? 1, stdout, stderr });
    });
  };

  it('gets each head of the run, and gives it back', async () => {
    const host = hostWith({ logger: 'echo "$5" >>"$BOOK"', journalctl: 'cat "$BOOK"' });
    const syslog = createSyslogCopy('log1', host, realTime, owner);
    const log = createAuditLog({ file, site: 'demo', operator, console: self, clock: realTime, syslog });
    for (const text of ['a', 'b']) await log.append({ kind: 'note', detail: { text } });
    await log.publish();
    expect(log.warnings()).toEqual([]);
    const { heads, problem } = await readSyslogCopies('log1', logName(owner), host);
    expect(problem).toBeUndefined();
    expect(heads.map(({ seq }) => seq)).toEqual([1, 2]);
    expect((await readSyslogCopies('log1', 'another', host)).heads).toEqual([]);
  });

  it('that takes none is said, and stops nothing', async () => {
    const host = hostWith({ logger: 'echo "logger: socket /dev/log: No such file" >&2; exit 1' });
    const syslog = createSyslogCopy('log1', host, realTime, owner);
    const log = createAuditLog({ file, site: 'demo', operator, console: self, clock: realTime, syslog });
    expect(await log.append({ kind: 'note', detail: {} })).toMatchObject({ ok: true });
    await log.publish();
    expect(log.warnings()).toEqual([
      "the syslog of log1 did not take the copy of the audit log's head: log1: logger: socket /dev/log: No such file",
    ]);
  });
});
