import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { parseSince } from '../../src/commands/options.ts';
import { createAuditLog } from '../../src/remedy/audit-log.ts';
import { code } from '../../src/text/markdown.ts';
import { createWorld, node, operator, realTime, self } from '../remedy/world.ts';
import { auditIn, emptyHome } from './audit-home.ts';

const hostile = '\u001b]0;x\u0007 <img src=x> [a](http://b) `c` **d** \u202e\n# heading';

let state: string;
let file: string;
beforeEach(() => {
  ({ state, file } = emptyHome());
});

const audit = (over = {}) => auditIn(state, over);

/** Runs on the fake cluster that leave one done, one refused and one open target in the log. */
const fill = async (): Promise<void> => {
  const world = createWorld(3);
  const log = createAuditLog({ file, site: 'demo', operator, console: self, clock: realTime });
  const engine = world.engine({ audit: log });
  const act = async (action: string, ids: string[], set = {}): Promise<void> => {
    const planned = await engine.plan(action, ids.map(node), set);
    if ('refused' in planned) return;
    const confirmed = await engine.confirm(planned.card.id, planned.card.confirmText);
    if ('run' in confirmed) await engine.awaitEnd(confirmed.run);
  };
  await act('fake.resume', ['n1']);
  world.nodes['n2'] = { drained: true, reason: hostile };
  world.clock.advance(10_000);
  await act('fake.resume', ['n2']);
  world.act = () => {
    throw new Error('socket gone');
  };
  await act('fake.resume', ['n3']);
  await log.append({ kind: 'lockBroken', detail: { group: 'partition batch', owner: 'bob', text: hostile } });
};

describe('faultline audit', () => {
  it('without any log says so: 0', async () => {
    expect(await audit({ verb: 'verify' })).toMatchObject({
      exit: 0,
      err: expect.stringContaining('no action was taken'),
    });
  });

  it('show is a line for each run, newest first, of safe text', async () => {
    await fill();
    const { exit, out } = await audit();
    expect(exit).toBe(0);
    const lines = out.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^TIME +WHO +WHAT +ON +OUTCOME +RUN +RESULT$/);
    expect(lines.slice(1).map((one) => one.slice(21, 62).replace(/ +/g, ' ').trim())).toEqual([
      'alice lock broken',
      'alice fake.resume n3',
      'alice refused: fake.resume n2',
      'alice fake.resume n1',
    ]);
    expect(out).toMatch(/fake.resume +n1 +done +r-[0-9a-f]+ +\S/);
    expect(out).toMatch(/refused: fake.resume +n2 +refused +n2 was drained for/);
    expect(out).toMatch(/^[^\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]*$/);
    expect(out).toContain('^[]0;x^G');
  });

  it('verify passes, and fails with the line after one byte was changed: 1', async () => {
    await fill();
    expect(await audit({ verb: 'verify' })).toMatchObject({
      exit: 0,
      out: expect.stringContaining(': whole, '),
    });
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('"outcome":"done"', '"outcome":"dome"'));
    const { exit, out } = await audit({ verb: 'verify' });
    expect(exit).toBe(1);
    expect(out).toMatch(/audit\.jsonl:2: is not a record/);
    writeFileSync(file, text.replace('socket gone', 'socket gane'));
    expect((await audit({ verb: 'verify', json: true })).out).toMatch(/"verified": false/);
    appendFileSync(file, '{"seq"');
    expect(await audit()).toMatchObject({ exit: 1, err: expect.stringContaining('cut short') });
  });

  it('report hands over: open first, who did what, refused, besides; hostile text harmless', async () => {
    await fill();
    const { exit, out } = await audit({ verb: 'report' });
    expect(exit).toBe(0);
    expect(out.indexOf('## Outcome unknown')).toBeLessThan(out.indexOf('## Done'));
    expect(out).toMatch(/## Outcome unknown.*\n\n- \*\*node\*\* `n3`: `fake.resume` by `alice`/);
    expect(out).toMatch(/`alice`: `resume 1` \(`fake.resume`\) on `n1`: \*\*done\*\*/);
    expect(out).not.toMatch(/\n# heading|\u001b|\u202e/);
    for (const line of out.split('\n').filter((one) => one.includes('<img')))
      expect(outsideCode(line)).not.toMatch(/<img|\]\(|\*\*d/);
  });

  it('a since in the future leaves the open ones in the hand-over', async () => {
    await fill();
    const { out } = await audit({ verb: 'report', since: '2999-01-01' });
    expect(out).toContain('`n3`');
    expect(out).toContain('nothing was changed');
  });

  it('--json is one document', async () => {
    await fill();
    expect(JSON.parse((await audit({ json: true })).out)).toMatchObject({
      logs: [
        {
          file,
          verified: true,
          runs: [{ title: 'lock broken' }, { on: 'n3' }, { on: 'n2' }, { on: 'n1', outcome: 'done' }],
          records: [{ seq: 1 }, { seq: 2 }, { seq: 3 }, { seq: 4 }, { seq: 5 }, { seq: 6 }],
        },
      ],
    });
  });

  it('--file names one log, and a missing or unreadable one is 1', async () => {
    await fill();
    expect(await audit({ verb: 'verify', file })).toMatchObject({ exit: 0 });
    expect(await audit({ verb: 'verify', file: join(state, 'none') })).toMatchObject({ exit: 1 });
    mkdirSync(join(state, 'folder'));
    expect(await audit({ verb: 'verify', file: join(state, 'folder') })).toMatchObject({ exit: 1 });
  });
});

/** A Markdown line without its code spans. */
const outsideCode = (line: string): string => line.replace(/(`+)(?!`).*?(?<!`)\1(?!`)/g, '');

describe('code', () => {
  it('fences longer than what is inside', () => {
    expect(code('a')).toBe('`a`');
    expect(code('a`b')).toBe('`` a`b ``');
    expect(code('``')).toBe('``` `` ```');
    expect(code('')).toBe('`  `');
    expect(code('a\nb')).toBe('`a⏎b`');
  });
});

describe('parseSince', () => {
  const now = new Date(2026, 10, 20, 2, 41).getTime();
  it('reads clock times as the last time it was that', () => {
    expect(parseSince('02:00', now)).toBe(new Date(2026, 10, 20, 2, 0).getTime());
    expect(parseSince('20:00', now)).toBe(new Date(2026, 10, 19, 20, 0).getTime());
  });
  it('reads durations, days and instants', () => {
    expect(parseSince('3h', now)).toBe(now - 3 * 3_600_000);
    expect(parseSince('2026-11-20', now)).toBe(new Date(2026, 10, 20).getTime());
    expect(parseSince('2026-11-20T01:30', now)).toBe(new Date(2026, 10, 20, 1, 30).getTime());
    expect(parseSince('2026-11-20T01:30Z', now)).toBe(Date.UTC(2026, 10, 20, 1, 30));
  });
  it.each(['', 'yesterday', '25:00', '2026-13-40', '3'])('refuses "%s"', (text) => {
    expect(() => parseSince(text, now)).toThrow(/is not a time/);
  });
});
