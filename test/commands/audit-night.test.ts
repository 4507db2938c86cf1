import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../src/collect/history-database.ts';
import { decodeEvent, encodeEvent } from '../../src/collect/shared/events.ts';
import { colleaguesOf, type Colleagues } from '../../src/commands/audit/colleagues.ts';
import { nightSections, type NightParts } from '../../src/commands/audit/night.ts';
import { emptyFolder } from '../helpers/folder.ts';

const now = Date.UTC(2026, 10, 20, 6, 0);
const hour = 3_600_000;
const time = (at: number): string => new Date(at).toISOString().slice(11, 16);
let folder: string;
beforeEach(() => {
  folder = emptyFolder('night');
});
const nobody: Colleagues = { events: [], actions: [], atWork: [], problems: [] };
const sections = async (more: Partial<NightParts>): Promise<string> => {
  const auditFile = join(folder, 'audit.jsonl');
  const parts = { auditFile, ownRuns: new Set<string>(), colleagues: nobody, since: undefined, now, time };
  return (await nightSections({ ...parts, ...more })).join('\n');
};

test('the hand-over says what is open, what went, who left what as it is, and what was noted', async () => {
  const database = openDatabase(join(folder, 'history.db'), 1e9);
  const put = (id: string, value: string, at: number) =>
    database.record([{ series: `finding/${id}`, value }], at);
  put('slurm:old:x', 'warning', now - 30 * hour);
  put('slurm:old:x', 'gone', now - 20 * hour);
  put('slurm:down:n1', 'warning', now - 5 * hour);
  put('slurm:down:n1', 'critical', now - 4 * hour);
  const summary = 'n1 is <b>down</b> `](http://x)';
  database.record([{ series: 'summary/slurm:down:n1', value: summary }], now - 4 * hour);
  put('switch:bad-link:`](http://x)', 'critical', now - 3 * hour);
  put('lustre:locks:y', 'warning', now - 3 * hour);
  put('lustre:locks:y', 'gone', now - 2 * hour);
  database.close();
  const base = { v: 1, who: 'alice', from: 'h 1 x', at: now - hour } as const;
  writeFileSync(
    join(folder, 'events.jsonl'),
    [
      encodeEvent({
        ...base,
        id: 'a',
        kind: 'ack',
        finding: 'slurm:down:n1',
        severity: 'critical',
        names: 'n1',
        until: now + hour,
        text: 'vendor <b>comes</b>',
      }),
      encodeEvent({ ...base, id: 'b', kind: 'note', subject: { kind: 'node', id: 'n1' }, text: '# fan' }),
      'broken',
    ].join('\n'),
  );
  const bobs = { ...base, who: 'bob', from: 'other 1 y' } as const;
  const colleagues: Colleagues = {
    events: [
      {
        ...bobs,
        id: 'c',
        kind: 'ack',
        finding: 'lustre:locks:y',
        severity: 'warning',
        names: 'y',
        until: now - hour / 2,
        text: 'cleared by hand',
      },
      {
        ...bobs,
        id: 'd',
        kind: 'repair',
        part: 'optic',
        subject: { kind: 'port', id: 'sw:te1' },
        text: 'new ![x](y)',
      },
      { ...bobs, id: 'e', kind: 'note', subject: { kind: 'node', id: 'n9' }, text: 'x'.repeat(1700) },
      { ...base, id: 'b', kind: 'note', subject: { kind: 'node', id: 'n1' }, text: '# fan' },
      { ...bobs, id: 'w', kind: 'window', names: 'n[5-6]', until: now + hour, text: 'firmware' },
      { ...bobs, id: 'x', kind: 'window', names: 'n7', until: now + hour, text: 'was over' },
      { ...bobs, id: 'y', kind: 'windowEnd', window: 'x' },
    ],
    actions: [
      { run: 'r-bob', verb: 'drain', subject: 'node n4', at: now - 3 * hour, by: 'bob' },
      { run: 'r-own', verb: 'drain', subject: 'node n5', at: now - 3 * hour, by: 'alice' },
      { run: 'r-old', verb: 'drain', subject: 'node n6', at: now - 30 * hour, by: 'bob' },
    ],
    atWork: ['bob on adm2 is at work on lag core3:Po98 since 05:58: Shut te3/46'],
    problems: ['shared folder: 2 lines not understood'],
  };
  const text = await sections({ colleagues, ownRuns: new Set(['r-own']), since: now - 8 * hour });
  expect(text).toContain(
    '- **critical** `` n1 is <b>down</b> `](http://x) `` (`slurm:down:n1`) since 01:00, left as it is (below)',
  );
  expect(text).toContain('- `slurm:down:n1` by `alice` at 05:00 until 07:00: `vendor <b>comes</b>`');
  expect(text).toContain(
    '- `lustre:locks:y` by `bob` at 05:00 until 05:30, **that time is up**: `cleared by hand`; gone since 04:00',
  );
  expect(text).toContain(
    '- 03:00 `bob`: `drain` on `node n4`, what came of it is in the log of that console (run `r-bob`)',
  );
  expect(text).not.toMatch(/r-own|r-old/);
  expect(text).toContain('- planned work on `n[5-6]` by `bob` at 05:00 until 07:00: `firmware`');
  expect(text).not.toContain('was over');
  expect(text).toContain(
    '- **under way**: `bob on adm2 is at work on lag core3:Po98 since 05:58: Shut te3/46`',
  );
  expect(text).toContain('- 05:00 `bob` on `port sw:te1`: repair (`optic`): `new ![x](y)`');
  expect(text).toContain('x'.repeat(1700));
  expect(text.match(/# fan/g)).toHaveLength(1);
  expect(text).toMatch(/## Not known of colleagues\n\n- `shared folder: 2 lines not understood`/);
  expect(text).toContain('- **critical** `` switch:bad-link:`](http://x) `` since 03:00');
  expect(text).toContain('- `lustre:locks:y` from 03:00 to 04:00');
  expect(text).toContain('- 05:00 `alice` on `node n1`: `# fan`');
  expect(text).not.toContain('slurm:old:x');
});

test('without a history it says so', async () => {
  expect(await sections({})).toMatch(/^\nWhat was found is not known: `no history beside the log/);
});

test('without a site file, or with that of another site, it says that colleagues were not asked', async () => {
  const log = join(folder, 'home', 'audit.jsonl');
  const env = {
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'none'),
    FAULTLINE_SITE: join(folder, 'site.yaml'),
  };
  expect((await colleaguesOf(log, {}, { env })).problems.join()).toMatch(/no site file says where/);
  const site = (name: string): void =>
    writeFileSync(join(folder, 'site.yaml'), `site: ${name}\nhosts:\n  - {names: a}\n`);
  site('office');
  expect((await colleaguesOf(log, {}, { env })).problems.join()).toMatch(
    /is of another site; name this one’s/,
  );
  const simulated = join(folder, 'simulated-demo', 'audit.jsonl');
  expect((await colleaguesOf(simulated, {}, { env })).problems.join()).toMatch(/it was the demo site/);
  site('home');
  expect((await colleaguesOf(log, {}, { env })).problems).toEqual(['the site has no shared folder']);
});

test('whatever colleagues, machines and kernels wrote stays text in the hand-over', async () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 80 }),
    fc.constantFrom(
      '`](http://x) ![](http://x) <img src=x onerror=y>',
      '\u001B]52;c;eA==\u0007\u202E',
      '# a\n```\nb',
    ),
  );
  await fc.assert(
    fc.asyncProperty(hostile, async (text) => {
      const base = { v: 1, at: now - hour, who: 'bob', from: 'h 1 x' } as const;
      const until = now + hour;
      const lines = [
        encodeEvent({
          ...base,
          id: 'a',
          kind: 'ack',
          finding: 'a:b:c',
          severity: 'warning',
          names: 'n',
          until,
          text,
        }),
        encodeEvent({ ...base, id: 'b', kind: 'note', subject: { kind: 'node', id: 'n1' }, text }),
      ];
      const events = lines.flatMap((line) => {
        const read = decodeEvent(line);
        return read && 'event' in read ? [read.event] : [];
      });
      expect(events).toHaveLength(2);
      const made = await sections({
        colleagues: {
          events,
          actions: [{ run: text, verb: text, subject: text, at: now - hour, by: text }],
          atWork: [text],
          problems: [text],
        },
      });
      expect(made).toMatch(/^(?:[^\p{Cc}\p{Cf}\p{Cs}]|\n)*$/u);
      // Outside of code there are only our own words.
      expect(made.replace(/(`+)(?!`)[^]*?[^`]\1(?!`)/g, '')).not.toMatch(/[<[\]!]/);
    }),
    { numRuns: 200 },
  );
});
