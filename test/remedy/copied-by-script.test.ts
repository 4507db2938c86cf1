import { describe, expect, it } from 'vitest';
import type { Mark } from '../../src/audit/audit-verify.ts';
import type { RawAnswer, RunRequest } from '../../src/model/answer.ts';
import type { AuditRecord } from '../../src/model/run.ts';
import { createHeadCopy, createSyslogCopy } from '../../src/remedy/head-copy.ts';
import { answer, transportsOf } from './world.ts';

const HASH = 'a'.repeat(64);
const AT = Date.parse('2026-11-22T02:00:00.000Z');
const owner = { host: 'adm1', uid: 1000, site: 'demo', folder: '/state' };
const mark = (seq: number): Mark => ({ seq, hash: HASH, at: AT });
const marks = (count: number): Mark[] => Array.from({ length: count }, (_, at) => mark(at + 1));
const head = `000000000002 ${HASH} ${AT}\n.\n`;

/** A host that gives these answers, one after the other, on a clock that stands. */
const hostOf = (...answers: RawAnswer[]) => {
  const asked: RunRequest[] = [];
  const time = { now: 1_000 };
  const transports = transportsOf(async (request) => {
    asked.push(request);
    return answers.shift() ?? answer();
  });
  return { asked, transports, time, clock: { mono: () => time.now } };
};

const copyOf = (...answers: RawAnswer[]) => {
  const host = hostOf(...answers);
  return {
    ...host,
    copy: createHeadCopy({ host: 'admin1', dir: '/shared' }, host.transports, host.clock, owner),
  };
};

const hung = answer({ timedOut: true, exitCode: 124 });

describe('the copy of the head in the shared folder', () => {
  it('is read by a question of its own', async () => {
    const { copy, asked } = copyOf(answer({ stdout: head }));
    expect(await copy.read()).toEqual({ seq: 2, hash: HASH, at: AT });
    expect(asked).toMatchObject([{ fresh: true, deadlineMs: 8_000 }]);
    expect(copy.warnings()).toEqual([]);
  });

  it('that is not there is none, and no fault', async () => {
    const { copy } = copyOf(answer());
    expect(await copy.read()).toBeUndefined();
    expect(copy.warnings()).toEqual([]);
  });

  it.each([
    ['is nonsense', answer({ stdout: 'x\n.\n' }), 'it is no copy of a head'],
    ['is half there', answer({ stdout: head.slice(0, 60) }), 'it is no copy of a head'],
    ['was given with an error', answer({ stdout: head, exitCode: 1, stderr: 'EIO' }), 'admin1: EIO'],
    ['cannot be read', answer({ exitCode: 1, stderr: 'EIO' }), 'admin1: EIO'],
  ])('that %s is told until it can be read again', async (_, given, why) => {
    const { copy } = copyOf(given, answer({ stdout: head }));
    expect(await copy.read()).toBeUndefined();
    expect(copy.warnings()).toEqual([
      `the copy of the audit log's head in the shared folder was not read: ${why}`,
    ]);
    expect(await copy.read()).toMatchObject({ seq: 2 });
    expect(copy.warnings()).toEqual([]);
  });

  it('on a folder that hangs is left alone for a minute, to read and to write', async () => {
    for (const first of ['read', 'write'] as const) {
      const { copy, asked, time } = copyOf(hung);
      await (first === 'read' ? copy.read() : copy.write(marks(1)));
      time.now += 59_999;
      await copy.read();
      await copy.write(marks(1));
      expect(asked).toHaveLength(1);
      time.now += 1;
      await copy.read();
      await copy.write(marks(1));
      expect(asked).toHaveLength(3);
    }
  });

  it('that is not taken is told until it is; of no heads nothing is written', async () => {
    const { copy, asked } = copyOf(answer({ exitCode: 1, stderr: 'Read-only file system' }));
    await copy.write([]);
    expect(asked).toEqual([]);
    await copy.write(marks(2));
    expect(copy.warnings()).toEqual([
      "the shared folder did not take the copy of the audit log's head: admin1: Read-only file system",
    ]);
    await copy.write(marks(3));
    expect(copy.warnings()).toEqual([]);
    expect(asked[1]?.script).toContain(`'000000000003 ${HASH} ${AT}'`);
    for (const seq of [1, 2, 3]) expect(asked[1]?.script).toContain(`"seq":${seq},`);
  });

  it('tells that a log is not the one it is of, and how that log ends', async () => {
    const { copy } = copyOf();
    const record = (seq: number, hash = HASH) => ({ seq, hash, kind: 'note' }) as AuditRecord;
    const lost = (records: AuditRecord[], of?: Mark) => copy.findLost({ records }, Promise.resolve(of));
    const knows =
      'admin1:/shared/audit-heads knows of its record 2 of 2026-11-22T02:00:00.000Z, which is not in it; it ';
    const after = ': it was cut, removed or replaced';
    expect(await lost([record(1), record(2)], mark(2))).toBeUndefined();
    expect(await lost([])).toBeUndefined();
    expect(await copy.findLost({ records: [] }, undefined)).toBeUndefined();
    expect(await lost([], mark(2))).toBe(`${knows}holds nothing${after}`);
    expect(await lost([record(1), record(5, 'b')], mark(2))).toBe(`${knows}ends with record 5${after}`);
  });
});

describe('heads in the syslog of a host', () => {
  const syslogOf = (...answers: RawAnswer[]) => {
    const host = hostOf(...answers);
    return { ...host, syslog: createSyslogCopy('log1', host.transports, host.clock, owner) };
  };
  const numbers = (script = ''): number[] =>
    [...script.matchAll(/ (\d{12}) /g)].map(([, seq]) => Number(seq));

  it('are one line each, the last 20 of many: each stands for all before it', async () => {
    const { syslog, asked } = syslogOf();
    await syslog.write([]);
    expect(asked).toEqual([]);
    await syslog.write(marks(25));
    expect(asked).toMatchObject([{ fresh: true, deadlineMs: 8_000 }]);
    expect(numbers(asked[0]?.script)).toEqual(Array.from({ length: 20 }, (_, at) => at + 6));
    expect(asked[0]?.script.split(' &&\n')).toHaveLength(20);
    expect(asked[0]?.script).toMatch(
      /^logger -t faultline-audit -p authpriv\.notice 'head adm1\+1000\+demo\+/,
    );
    expect(syslog.warnings()).toEqual([]);
  });

  it('that are not taken are told until they are', async () => {
    const { syslog } = syslogOf(answer({ exitCode: 127, stderr: 'logger: not found' }));
    await syslog.write(marks(1));
    expect(syslog.warnings()).toEqual([
      expect.stringMatching(
        /^the syslog of log1 did not take the copy of the audit log's head: log1: .*not found/,
      ),
    ]);
    await syslog.write(marks(1));
    expect(syslog.warnings()).toEqual([]);
  });

  it('are not sent for a minute to a host that hung', async () => {
    const { syslog, asked, time } = syslogOf(hung);
    await syslog.write(marks(1));
    expect(syslog.warnings()[0]).toContain('log1 did not answer within 8 s');
    time.now += 59_999;
    await syslog.write(marks(1));
    expect(asked).toHaveLength(1);
    time.now += 1;
    await syslog.write(marks(1));
    expect(asked).toHaveLength(2);
  });
});
