import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { run as status } from '../../src/commands/status.ts';
import { createAuditLog } from '../../src/remedy/audit-log.ts';
import { createWorld, lostAnswer, node, operator, realTime, self } from '../remedy/world.ts';
import { auditIn, emptyHome } from './audit-home.ts';
import { fakeIo } from './fake-io.ts';

let state: string;
let file: string;
beforeEach(() => {
  ({ state, file } = emptyHome());
});

const audit = (over = {}) => auditIn(state, over);

/** n1 was resumed; of n3 it is not known what came of it. */
const fill = async (at = file): Promise<void> => {
  const world = createWorld(3);
  const engine = world.engine({
    audit: createAuditLog({ file: at, site: 'demo', operator, console: self, clock: realTime }),
  });
  const act = async (id: string): Promise<void> => {
    const planned = await engine.plan('fake.resume', [node(id)], {});
    if ('refused' in planned) throw new Error(planned.refused.reason);
    const confirmed = await engine.confirm(planned.card.id, planned.card.confirmText);
    if ('run' in confirmed) await engine.awaitEnd(confirmed.run);
  };
  await act('n1');
  world.act = () => {
    world.broken = { kind: 'connect', message: 'ctl1 is unreachable' };
    return lostAnswer();
  };
  await act('n3');
};

describe('faultline audit seal', () => {
  it('begins a new log beside the damaged one, says what goes along, and all verbs know of it', async () => {
    await fill();
    writeFileSync(file, readFileSync(file, 'latin1').replace('"outcome":"done"', '"outcome":"dome"'));
    const before = await audit({ verb: 'verify' });
    expect(before.exit).toBe(1);
    expect(before.out).toContain(
      `to go on after you have looked: faultline audit seal --file ${file} --reason "why"`,
    );
    const sealed = await audit({ verb: 'seal', reason: 'a bad sector' });
    expect(sealed).toMatchObject({ exit: 0, err: '' });
    expect(sealed.out).toMatch(/was wrong: line 2 is not a record/);
    expect(sealed.out).toContain(`the old log is in ${join(state, 'faultline/demo/sealed-1')}`);
    expect(sealed.out).toContain('goes along, outcome unknown: fake.resume on n3');
    const after = await audit({ verb: 'verify' });
    expect(after).toMatchObject({ exit: 0 });
    expect(after.out).toMatch(
      /audit\.jsonl: whole, 1 record\n.*sealed-1\/audit\.jsonl: sealed at .* a bad sector; it is as it was sealed/,
    );
    expect((await audit()).out).toMatch(/sealed +.* sealed-1\/audit\.jsonl was sealed: a bad sector/);
    const report = await audit({ verb: 'report' });
    expect(report.out).toMatch(/## Outcome unknown.*\n\n- \*\*node\*\* `n\d`: `fake.resume`/);
    expect(report.out).toContain('`n3`: `fake.resume` by `alice`');
    expect(report.out).toMatch(/: sealed `sealed-1\/audit\.jsonl was sealed: a bad sector`/);
    expect((await audit({ verb: 'report', since: '2999-01-01' })).out).toContain('`n3`');
    expect(JSON.parse((await audit({ verb: 'verify', json: true })).out)).toMatchObject({
      logs: [{ file, verified: true, sealed: [{ changed: false }] }],
    });
    rmSync(join(state, 'faultline/demo/sealed-1/audit.jsonl'));
    expect(await audit({ verb: 'verify' })).toMatchObject({
      exit: 1,
      out: expect.stringContaining('it is gone'),
    });
    expect(await audit()).toMatchObject({ exit: 1, err: expect.stringContaining('it is gone') });
  });

  it.each([
    ['emptied', () => truncateSync(file), 'the log is empty, and its head names record 4'],
    ['deleted', () => rmSync(file), 'the log is gone: its head names record 4'],
    [
      'deleted with its head',
      () => {
        rmSync(file);
        rmSync(`${file}.head`);
      },
      'the log and its head are gone',
    ],
    ['without its head', () => rmSync(`${file}.head`), 'the head file beside the log is missing'],
  ])('verify tells of a log that was %s, and seal finds it', async (_, change, says) => {
    await fill();
    change();
    const verified = await audit({ verb: 'verify' });
    expect(verified.exit).toBe(1);
    expect(verified.out).toContain(says);
    expect((await audit({ verb: 'report' })).out).toMatch(/\*\*The audit log is damaged:\*\*/);
    expect(await audit({ verb: 'seal', reason: 'r' })).toMatchObject({
      exit: 0,
      out: expect.stringContaining('goes along, outcome unknown: fake.resume on n3'),
    });
    expect((await audit({ verb: 'verify' })).exit).toBe(0);
  });

  it('a log that is whole is left: 1, and --whole seals it', async () => {
    await fill();
    const before = readFileSync(file);
    expect(await audit({ verb: 'seal', reason: 'r', file })).toMatchObject({
      exit: 1,
      err: expect.stringMatching(/whole, 4 records: nothing to seal; --whole seals it all the same/),
    });
    expect(readFileSync(file)).toEqual(before);
    expect(await audit({ verb: 'seal', reason: 'r', file, whole: true })).toMatchObject({ exit: 0 });
    expect(readFileSync(join(state, 'faultline/demo/sealed-1/audit.jsonl'))).toEqual(before);
  });

  it('wants a reason, one log, and a place', async () => {
    await expect(audit({ verb: 'seal' })).rejects.toThrow(/say why with --reason/);
    await expect(audit({ verb: 'seal', reason: ' ' })).rejects.toThrow(/say why with --reason/);
    await expect(audit({ verb: 'seal', reason: 'r' })).rejects.toThrow(/no audit log is damaged; name/);
    await fill();
    await expect(audit({ verb: 'seal', reason: 'r' })).rejects.toThrow(
      /no audit log is damaged \(.*audit\.jsonl\)/,
    );
    const second = join(state, 'faultline', 'other', 'audit.jsonl');
    await fill(second);
    for (const one of [file, second]) truncateSync(one);
    await expect(audit({ verb: 'seal', reason: 'r' })).rejects.toThrow(
      /more than one: .*demo.*other.*--file or --site/,
    );
    expect(
      await audit({ verb: 'seal', reason: 'r', file: join(state, 'none', 'audit.jsonl') }),
    ).toMatchObject({
      exit: 1,
      err: expect.stringMatching(/not sealed: ENOENT/),
    });
  });

  it('--site finds the place of a log of which nothing is left', async () => {
    const site = join(state, 'site.yaml');
    writeFileSync(site, 'site: gone\nhosts: [{names: n1, roles: [compute]}]\n', { mode: 0o600 });
    expect(await audit({ verb: 'seal', reason: 'r', site })).toMatchObject({ exit: 1 });
    expect(readdirSync(join(state, 'faultline', 'gone'))).toEqual([]);
    expect(await audit({ verb: 'seal', reason: 'r', site, whole: true })).toMatchObject({
      exit: 0,
      out: expect.stringContaining('a new log; there was none before'),
    });
    expect(existsSync(join(state, 'faultline', 'gone', 'audit.jsonl'))).toBe(true);
  });

  it('status says that the log is damaged', async () => {
    const site = join(state, 'site.yaml');
    writeFileSync(site, 'site: demo\nhosts: [{names: n1, roles: [compute]}]\n', { mode: 0o600 });
    await fill();
    truncateSync(file);
    const fake = fakeIo('', { XDG_STATE_HOME: state, HOME: state });
    await status({ json: false, demo: false, site, system: 'iperf' }, fake.io);
    expect(fake.err()).toContain(
      `the audit log is damaged, earlier runs may be missing: ${file}: the log is empty`,
    );
  });
});
