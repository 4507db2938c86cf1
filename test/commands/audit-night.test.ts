import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../src/collect/history-database.ts';
import { encodeEvent } from '../../src/collect/shared/events.ts';
import { nightSections } from '../../src/commands/audit/night.ts';

const now = Date.UTC(2026, 10, 20, 6, 0);
const hour = 3_600_000;
const time = (at: number): string => new Date(at).toISOString().slice(11, 16);
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'faultline-night-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the hand-over says what is open, what went, who left what as it is, and what was noted', async () => {
  const database = openDatabase(join(folder, 'history.db'), 1e9);
  const put = (id: string, value: string, at: number): void =>
    database.record([{ series: `finding/${id}`, value }], at);
  put('slurm:old:x', 'warning', now - 30 * hour);
  put('slurm:old:x', 'gone', now - 20 * hour);
  put('slurm:down:n1', 'warning', now - 5 * hour);
  put('slurm:down:n1', 'critical', now - 4 * hour);
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
  const text = (await nightSections(join(folder, 'audit.jsonl'), now - 8 * hour, now, time)).join('\n');
  expect(text).toContain(
    '- **critical** `slurm:down:n1` since 01:00, left as it is by `alice` until 07:00: `vendor <b>comes</b>`',
  );
  expect(text).toContain('- **critical** `` switch:bad-link:`](http://x) `` since 03:00');
  expect(text).toContain('- `lustre:locks:y` from 03:00 to 04:00');
  expect(text).toContain('- 05:00 `alice` on `n1`: `# fan`');
  expect(text).not.toContain('slurm:old:x');
});

test('without a history it says so', async () => {
  const [, line] = await nightSections(join(folder, 'audit.jsonl'), undefined, now, time);
  expect(line).toMatch(/^What was found is not known: `no history beside the log/);
});
