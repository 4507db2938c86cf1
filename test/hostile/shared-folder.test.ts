import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { hosts } from '../../probes/hosts/index.ts';
import { memoryHistory } from '../../src/collect/history-memory.ts';
import { createJudge } from '../../src/collect/judge.ts';
import { applyPlans } from '../../src/collect/planned.ts';
import { LONGEST } from '../../src/collect/shared/bounds.ts';
import { PRESENT_MS } from '../../src/collect/shared/book.ts';
import { createFolder } from '../../src/collect/shared/folder.ts';
import { localMemory } from '../../src/collect/shared/local.ts';
import { createShared, type Shared } from '../../src/collect/shared/shared.ts';
import type { RawAnswer, RunRequest } from '../../src/model/answer.ts';
import type { Finding } from '../../src/model/finding.ts';
import { createStore } from '../../src/collect/store.ts';
import { textOf } from '../../src/model/words.ts';
import { createFakeClock } from '../collect/helpers/fake-clock.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { siteOf } from '../helpers/judging.ts';
import { findingOf } from '../helpers/safe-finding.ts';
import { realShWithin } from '../remedy/real-sh.ts';
import { transportsOf } from '../remedy/world.ts';

let dir: string;
let clock: ReturnType<typeof createFakeClock>;
let ids: number;
beforeEach(() => {
  dir = join(emptyFolder('shared'), 'shared');
  mkdirSync(dir);
  clock = createFakeClock();
  ids = 0;
});

/** The host of the folder, whose answers are cut as every transport cuts them. */
const cutting = async (request: RunRequest): Promise<RawAnswer> => {
  const answer = await realShWithin(0)(request);
  const { maxBytes = 1_000_000 } = request;
  if (answer.stdout.length <= maxBytes) return answer;
  return { ...answer, stdout: answer.stdout.slice(0, maxBytes), truncated: true };
};

const consoleOf = (who: string): Shared =>
  createShared({
    folder: createFolder({ host: 'adm', dir }, transportsOf(cutting)),
    local: localMemory(),
    writer: { who, from: `host-${who} 1 x` },
    readOnly: false,
    clock,
    log: () => {},
    makeId: () => `${who}${(ids += 1)}`,
  });

const DAY = 86_400_000;
const base = (at = clock.now()) => ({
  v: 1,
  id: `m${(ids += 1)}`,
  at,
  who: 'mallory',
  from: 'adm9 666 ffff',
});
const write = (lines: readonly object[], file = 'events.jsonl'): void =>
  appendFileSync(join(dir, file), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
const ack = (more: object = {}) => ({
  ...base(),
  kind: 'ack',
  finding: 'slurm:down:x',
  severity: 'critical',
  names: 'n[1-9]',
  until: clock.now() + 3_600_000,
  text: 'known',
  ...more,
});
const window = (names: string, more: object = {}) => ({
  ...base(),
  kind: 'window',
  names,
  until: clock.now() + 3_600_000,
  text: 'work',
  ...more,
});

const finding = (...names: string[]): Finding =>
  findingOf({
    id: 'slurm:down:x',
    system: 'slurm',
    kind: 'down',
    severity: 'critical',
    subject: { kind: 'node', id: names[0] ?? '' },
    members: names.map((id) => ({ kind: 'node', id })),
    summary: 'down',
    evidence: [],
    hurt: {},
    remedies: [],
  });

const severityOf = (shared: Shared, ...names: string[]): string =>
  applyPlans(finding(...names), {
    site: siteOf([]),
    now: clock.now(),
    announced: shared.windows(clock.now()),
  }).severity;

describe('windows in the shared folder', () => {
  it('are asked for names and never expanded: 350 windows of 100,000 names each are a few strings', async () => {
    write(Array.from({ length: 350 }, () => window('n0[1-99999]')));
    const shared = consoleOf('alice');
    const before = process.memoryUsage().heapUsed;
    await shared.readNow();
    expect(severityOf(shared, 'n07', 'n099999')).toBe('notice');
    expect(severityOf(shared, 'n07', 'm1')).toBe('critical');
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100e6);
    expect(shared.windows(clock.now())).toHaveLength(50);
  });

  it('no text is too odd to be asked', async () => {
    write(
      ['n[1-2', ']n[', 'n[9-1]', `n[1-${'9'.repeat(2000)}]`, 'n[1-9]'.repeat(300)].map((one) => window(one)),
    );
    const shared = consoleOf('alice');
    await shared.readNow();
    expect(severityOf(shared, 'x1')).toBe('critical');
    expect(severityOf(shared, 'n5')).toBe('notice');
  });

  it('end within 7 days, whatever they say, and begin no later than they are read', async () => {
    write([window('n1', { at: clock.now() + 900 * DAY, until: clock.now() + 999 * DAY })]);
    const shared = consoleOf('alice');
    await shared.readNow();
    const [one] = shared.windows(clock.now());
    expect(one?.from).toBe(clock.now());
    expect(one?.to).toBe(clock.now() + LONGEST);
    expect(shared.problems()).toEqual([
      expect.stringMatching(
        /^shared folder: mallory \(adm9 666 ffff\) wrote lines that are not from a console: 1 dated in the future, 1 valid for more than 7 d$/,
      ),
    ]);
  });
});

describe('times to come', () => {
  it('an acknowledgement is taken back by what stands after it, and says whose it was', async () => {
    write([ack({ at: clock.now() + 300 * DAY, until: clock.now() + 301 * DAY })]);
    const [one, two] = [consoleOf('alice'), consoleOf('bob')];
    await Promise.all([one.readNow(), two.readNow()]);
    expect(one.findAck(finding('n1'), clock.now())).toMatchObject({ who: 'mallory', at: clock.now() });
    expect(one.badges().join()).toContain(
      'mallory (adm9 666 ffff) wrote lines that are not from a console: 1 dated',
    );
    await one.add({ kind: 'unack', finding: 'slurm:down:x' });
    await two.readNow();
    expect(one.findAck(finding('n1'), clock.now())).toBeUndefined();
    expect(two.findAck(finding('n1'), clock.now())).toBeUndefined();
    const late = consoleOf('carol');
    await late.readNow();
    expect(late.findAck(finding('n1'), clock.now())).toBeUndefined();
  });

  it('consoles agree on the last word, though one of them knew its own before those before it', async () => {
    const [one, two] = [consoleOf('alice'), consoleOf('bob')];
    await two.add({ kind: 'unack', finding: 'slurm:down:x' });
    const { text, severity, until } = ack() as { text: string; severity: 'critical'; until: number };
    await one.add({ kind: 'ack', finding: 'slurm:down:x', names: 'n1', text, severity, until });
    await Promise.all([one.readNow(), two.readNow()]);
    expect(one.findAck(finding('n1'), clock.now())).toMatchObject({ who: 'alice' });
    expect(two.findAck(finding('n1'), clock.now())).toMatchObject({ who: 'alice' });
  });

  it('a presence ends, however often its file is read', async () => {
    const there = { ...base(clock.now() + 300 * DAY), kind: 'console', left: false };
    write([there, { ...there, id: 'again' }], 'consoles.jsonl');
    const shared = consoleOf('alice');
    await shared.readNow();
    expect(shared.listOthers(clock.now())).toEqual(['mallory on adm9']);
    expect(shared.badges().join()).toContain('mallory (adm9 666 ffff)');
    await clock.advance(PRESENT_MS + 1000);
    await shared.readNow();
    expect(shared.listOthers(clock.now())).toEqual([]);
  });

  it('many such writers do not fill the screen', async () => {
    const at = clock.now() + DAY;
    write(Array.from({ length: 40 }, (_, index) => ack({ at, until: at + 1, from: `adm9 ${index} f` })));
    const shared = consoleOf('alice');
    await shared.readNow();
    expect(shared.badges()).toHaveLength(4);
    expect(shared.badges()[3]).toBe('shared folder: 37 more wrote lines that are not from a console');
  });

  it('clocks that are a minute ahead, and acknowledgements of a week, are no trouble', async () => {
    write([ack({ at: clock.now() + 60_000, until: clock.now() + 60_000 + LONGEST })]);
    const shared = consoleOf('alice');
    await shared.readNow();
    expect(shared.badges()).toEqual([]);
  });
});

it('lines that no console writes are a finding that names their writer, and none where there are no such lines', async () => {
  const shared = consoleOf('alice');
  const found = () => {
    const judge = createJudge({
      site: siteOf([]),
      systems: [hosts],
      store: createStore(clock),
      history: memoryHistory(),
      clock,
      log: () => {},
      connections: () => new Map(),
      shared,
    });
    judge.update();
    return judge.findings().map(({ kind, evidence }) => [kind, ...evidence.map(({ text }) => textOf(text))]);
  };
  write([ack()]);
  await shared.readNow();
  expect(found()).toEqual([]);
  write([ack({ at: clock.now() + DAY, until: clock.now() + 2 * DAY })]);
  await shared.readNow();
  expect(found()).toEqual([
    [
      'shared-lines',
      'mallory (adm9 666 ffff) wrote lines that are not from a console: 1 dated in the future',
    ],
  ]);
});

describe('how much there is', () => {
  it('25,000 notes: the latest are kept, of each subject 200, and it says who wrote them', async () => {
    const note = (id: string) => ({ ...base(), kind: 'note', subject: { kind: 'node', id }, text: 'x' });
    write([{ ...note('n1'), text: 'of bob', who: 'bob', from: 'adm2 1 a' }]);
    write(Array.from({ length: 25_000 }, () => note('n2')));
    const shared = consoleOf('alice');
    await shared.readNow();
    expect(shared.notes.notesOf({ kind: 'node', id: 'n2' })).toHaveLength(200);
    expect(shared.notes.listAll().length).toBeLessThanOrEqual(10_000);
    expect(shared.badges().join()).toMatch(/mallory \(adm9 666 ffff\) wrote .*: \d{5} in all/);
  });

  it('more than is read at once is no lasting trouble', async () => {
    const shared = consoleOf('alice');
    write([ack()]);
    await shared.readNow();
    appendFileSync(join(dir, 'events.jsonl'), `${'x'.repeat(999)}\n`.repeat(6_000));
    write([{ ...base(), kind: 'unack', finding: 'slurm:down:x' }]);
    await shared.readNow();
    await shared.readNow();
    expect(shared.findAck(finding('n1'), clock.now())).toBeUndefined();
    expect(shared.badges().join()).toContain('not understood');
  });

  it('a note on a thousand nodes is no flood', async () => {
    const shared = consoleOf('alice');
    const at = clock.now();
    write(
      Array.from({ length: 2_000 }, (_, index) => ({
        ...base(at),
        kind: 'note',
        subject: { kind: 'node', id: `n${index % 1000}` },
        text: 'moved to row 7',
      })),
    );
    await shared.readNow();
    expect(shared.badges()).toEqual([]);
    expect(shared.notes.listAll()).toHaveLength(2_000);
  });
});
