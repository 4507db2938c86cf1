import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { LogState } from '../../src/audit/audit-read.ts';
import { EMPTY_LOG, type Mark, type Verified } from '../../src/audit/audit-verify.ts';
import type { AuditRecord } from '../../src/model/run.ts';
import { createPublishing } from '../../src/remedy/publish-heads.ts';

const AT = Date.parse('2026-11-22T02:00:00.000Z');
const self = { host: 'adm1', pid: 12, version: '0.1.0', stamp: 'boot/5' };

const recordOf = (seq: number, console: Partial<AuditRecord['console']> = {}): AuditRecord => ({
  seq,
  at: new Date(AT + seq * 1000).toISOString(),
  monoMs: 1,
  prev: '0'.repeat(64),
  hash: String(seq).padStart(64, '0'),
  kind: 'note',
  operator: 'alice',
  uid: 1000,
  console: { ...self, ...console },
  site: 'demo',
  detail: {},
});

const markOf = (seq: number): Mark => ({
  seq,
  hash: String(seq).padStart(64, '0'),
  at: AT + seq * 1000,
});

const logOf = (records: readonly AuditRecord[], over: Partial<Verified> = {}): Verified => ({
  ...EMPTY_LOG,
  records,
  seq: records.at(-1)?.seq ?? 0,
  ...over,
});

/** A log, the copy of its head and a syslog; `got`: the numbers of what each took, in order. */
const published = (
  over: {
    mark?: Mark;
    lost?: string;
    isOurs?: boolean;
    isKnown?: boolean;
    without?: readonly ('copy' | 'syslog')[];
  } = {},
) => {
  const { without = [] } = over;
  const got: string[] = [];
  const now = { log: logOf([recordOf(1), recordOf(2)]) };
  const state = (): LogState => ({
    verified: now.log,
    bytes: 0,
    hash: createHash('sha256'),
    size: 0,
    head: undefined,
    traces: { begun: true, lock: true, sealed: [], none: false },
    version: '',
  });
  const taken = (where: string) => async (marks: readonly Mark[]) => {
    got.push(`${where} ${marks.map(({ seq }) => seq).join(' ')}`);
  };
  const copy = {
    read: async () => {
      got.push('read copy');
      return over.mark;
    },
    findLost: async () => over.lost,
    write: taken('copy'),
    warnings: () => [],
  };
  const publish = createPublishing(
    {
      ...(!without.includes('copy') && { copy }),
      ...(!without.includes('syslog') && { syslog: { write: taken('syslog'), warnings: () => [] } }),
      console: self,
    },
    {
      known: () => (over.isKnown === false ? undefined : state()),
      look: async (full) => {
        got.push(full ? 'checked every line' : 'looked');
        return state();
      },
    },
    async () => over.isOurs ?? true,
  );
  return { publish, got, now };
};

describe('heads of the audit log', () => {
  it('go to the shared folder and to the syslog, the copy being read before the log', async () => {
    const { publish, got } = published();
    await publish(false);
    expect(got).toEqual(['read copy', 'looked', 'copy 1 2', 'syslog 1 2']);
  });

  it('go to the folder from the one on that stands there; of another one of that number, all go', async () => {
    const part = published({ mark: markOf(1) });
    await part.publish(true);
    expect(part.got).toContain('copy 2');
    const other = published({ mark: { ...markOf(2), hash: 'f'.repeat(64) } });
    await other.publish(true);
    expect(other.got).toContain('copy 1 2');
    const same = published({ mark: { ...markOf(2), seq: 7 } });
    await same.publish(true);
    expect(same.got).toContain('copy 1 2');
  });

  it('are at most the last 200 in the folder: a script has a longest length', async () => {
    const { publish, got, now } = published({ without: ['syslog'] });
    now.log = logOf(Array.from({ length: 230 }, (_, at) => recordOf(at + 1)));
    await publish(true);
    const [, , copied = ''] = got;
    expect(copied).toMatch(/^copy 31 32 .* 229 230$/);
    expect(copied.split(' ')).toHaveLength(201);
  });

  it('of this process only go to the syslog, each once: colleagues tell of theirs', async () => {
    const { publish, got, now } = published({ without: ['copy'] });
    now.log = logOf([recordOf(1), recordOf(2, { pid: 13 }), recordOf(3, { stamp: 'boot/6' }), recordOf(4)]);
    await publish(true);
    now.log = logOf([...now.log.records, recordOf(5)]);
    await publish(true);
    await publish(true);
    expect(got.filter((one) => one.startsWith('syslog'))).toEqual(['syslog 1 4', 'syslog 5', 'syslog ']);
  });

  it.each([
    ['a log that is not whole', { problems: [{ line: 2, text: 'was changed' }] }, {}],
    ['a log that holds nothing', { records: [] }, {}],
    ['a log that was never found whole', {}, { isKnown: false }],
  ])('of %s are not copied', async (_, log, over) => {
    for (const atEnd of [true, false]) {
      const { publish, got, now } = published(over);
      now.log = { ...now.log, ...log };
      await publish(atEnd);
      expect(got).toEqual(['read copy', 'looked']);
    }
  });

  it('are copied from a log whose last line a crash cut short', async () => {
    const { publish, got, now } = published();
    now.log = { ...now.log, torn: true, problems: [{ line: 3, text: 'is cut short' }] };
    await publish(true);
    expect(got).toContain('copy 1 2');
  });

  it('are not written over a copy that names what is not in the log', async () => {
    const during = published({ lost: 'record 9 is not in it' });
    await during.publish(false);
    expect(during.got).toEqual(['read copy', 'looked']);
    const after = published({ isOurs: false });
    await after.publish(true);
    expect(after.got).toEqual(['read copy', 'looked']);
    // Who asks at the end of a run is not asked while it goes on, and the other way round.
    const [open, ended] = [published({ isOurs: false }), published({ lost: 'record 9 is not in it' })];
    await open.publish(false);
    await ended.publish(true);
    expect([open.got, ended.got].map((one) => one.at(-1))).toEqual(['syslog 1 2', 'syslog 1 2']);
  });

  it('are nobody’s business where neither is configured', async () => {
    const { publish, got } = published({ without: ['copy', 'syslog'] });
    await publish(true);
    expect(got).toEqual([]);
    const only = published({ without: ['copy'] });
    await only.publish(false);
    expect(only.got).toEqual(['looked', 'syslog 1 2']);
  });

  it('are copied one round after the other; a log that cannot be read stops no later one', async () => {
    const { publish, got, now } = published();
    const whole = now.log;
    now.log = { ...whole, records: undefined as never };
    const first = publish(true);
    await expect(first).resolves.toBeUndefined();
    now.log = whole;
    await Promise.all([publish(true), publish(true)]);
    const round = ['read copy', 'looked', 'copy 1 2'];
    expect(got).toEqual(['read copy', 'looked', ...round, 'syslog 1 2', ...round, 'syslog ']);
  });
});
