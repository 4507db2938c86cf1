import { expect, test } from 'vitest';
import { encodeEvent, partsOf } from '../../../src/collect/shared/events.ts';
import { localMemory } from '../../../src/collect/shared/local.ts';
import { acknowledge, announce, endAnnouncement, jotNote } from '../../../src/collect/shared/requests.ts';
import { createShared } from '../../../src/collect/shared/shared.ts';
import { createCollector, type Collector } from '../../../src/collect/collector.ts';
import { memoryHistory } from '../../../src/collect/history-memory.ts';
import { doParseJob } from '../../../src/collect/parse-job.ts';
import { makeSafe } from '../../../src/text/safe.ts';
import { createFakeClock, type FakeClock } from '../helpers/fake-clock.ts';
import { fakeTransports, host, unreachable, probeOf, systemOf } from '../helpers/fake-site.ts';
import { siteOf } from '../../helpers/judging.ts';
import { hosts } from '../../../probes/hosts/index.ts';
import { textOf } from '../../../src/model/words.ts';

const node = { kind: 'node', id: 'n1' } as const;
let ids = 0;

/** A collector with one host that can't be reached, so that there is a finding. */
const collectorWithFinding = async (): Promise<Collector> => {
  const clock = createFakeClock();
  const site = siteOf([host('n1')]);
  const system = systemOf('sys', [probeOf('sys.a')]);
  const shared = createShared({
    local: localMemory(),
    writer: { who: 'alice', from: 'h 1 x' },
    readOnly: false,
    clock,
    log: () => {},
    makeId: () => `id${(ids += 1)}`,
  });
  const collector = createCollector({
    site,
    systems: [system, hosts],
    transports: fakeTransports(clock, (name) => unreachable(name)),
    clock,
    history: memoryHistory(),
    readOnly: false,
    once: true,
    log: () => {},
    shared,
    parseElsewhere: async (job) => doParseJob(job, system.probes, site),
  });
  const read = collector.readNow([{ probe: 'sys.a', host: 'n1' }]);
  await clock.advance(1000);
  await read;
  collector.update();
  return collector;
};

test('a note of 10,000 characters is kept whole, in numbered parts that each are one line', async () => {
  const collector = await collectorWithFinding();
  const text = `${'all of it, "quoted" \u001B[2J ünïcode 磁盘 '.repeat(400).slice(0, 9_999)}!`;
  expect(text).toHaveLength(10_000);
  expect(await jotNote(collector, { subjects: [node], text })).toEqual({ kept: 'here' });
  const notes = collector.shared?.notes.notesOf(node) ?? [];
  expect(notes.length).toBeGreaterThan(5);
  notes.forEach((one, index) => expect(one.text).toMatch(new RegExp(`^\\(${index + 1}/${notes.length}\\) `)));
  expect(notes.map((one) => one.text.replace(/^\(\d+\/\d+\) /, '')).join('')).toBe(makeSafe(text, 100_000));
  for (const one of notes)
    expect(
      encodeEvent({ v: 1, id: 'i', at: 1, who: 'a', from: 'h', kind: 'note', subject: node, text: one.text }),
    ).not.toMatch(/more>/);
});

test('a short note is one line, as it was typed', () => {
  expect(partsOf('swapped the fan')).toEqual(['swapped the fan']);
  expect(partsOf('x'.repeat(1800))).toHaveLength(1);
});

test('a note that is a file is refused, as is a reason that is a note', async () => {
  const collector = await collectorWithFinding();
  expect(await jotNote(collector, { subjects: [node], text: 'x'.repeat(100_000) })).toEqual({
    refused: expect.stringMatching(/too long \(56 lines, at most 20\): put it into a file/),
  });
  expect(collector.shared?.notes.listAll()).toEqual([]);
  const finding = collector.findings()[0]?.id ?? '';
  expect(await acknowledge(collector, { finding, text: 'x'.repeat(301), lasts: '4h' })).toEqual({
    refused: 'at most 300 characters here: put what is longer into a note',
  });
});

test('a repair at a port names a part that the verdict knows, in whatever words', async () => {
  const collector = await collectorWithFinding();
  const port = { kind: 'port', id: 'core3:te3/46' } as const;
  const note = (part: string, subject: typeof port | typeof node = port) =>
    jotNote(collector, { subjects: [subject], text: 'swapped it', part });
  expect(await note('opt')).toEqual({
    refused: expect.stringMatching(/^"opt" is no part of a link: cleaned, /),
  });
  expect(collector.shared?.notes.listAll()).toEqual([]);
  for (const known of ['optic', 'far optic', 'new SFP', 'DAC', 'other'])
    expect(await note(known), known).toEqual({ kept: 'here' });
  expect(await note('DIMM', node)).toEqual({ kept: 'here' });
});

test('a finding that is there no more is not acknowledged; one that goes keeps its acknowledgement on record', async () => {
  const collector = await collectorWithFinding();
  const finding = 'hosts:host-unreachable:n1';
  expect(collector.findings().map(({ id }) => id)).toEqual([finding]);
  expect(
    await acknowledge(collector, { finding: 'hosts:host-unreachable:n2', text: 'x', lasts: '4h' }),
  ).toEqual({ refused: 'this finding is not there any more: nothing to acknowledge' });
  expect(await acknowledge(collector, { finding, text: 'switched off', lasts: '4h' })).toEqual({
    kept: 'here',
  });
  collector.update();
  expect(collector.findings()[0]?.acked).toMatchObject({ who: 'alice', text: 'switched off' });
  expect(collector.shared?.acks(collector.clock.now())).toMatchObject([{ finding }]);
});

test('planned work that is announced makes notices of what is found there, until it ends or is ended', async () => {
  const collector = await collectorWithFinding();
  const clock = collector.clock as FakeClock;
  const now = (): [string | undefined, string | undefined] => {
    collector.update();
    const [found] = collector.findings();
    return [found?.severity, /planned until \S+/.exec(textOf(found?.summary) ?? '')?.[0]];
  };
  const subjects = [
    { kind: 'host', id: 'n1' },
    { kind: 'host', id: 'n2' },
  ] as const;
  expect(now()).toEqual(['warning', undefined]);
  expect(await announce(collector, { subjects, text: 'new firmware', lasts: '2h' })).toEqual({
    kept: 'here',
  });
  expect(now()).toEqual(['notice', expect.stringMatching(/^planned until \d\d:00$/)]);
  expect(await endAnnouncement(collector, { subjects: [subjects[1]] })).toEqual({ kept: 'here' });
  expect(now()[0]).toBe('warning');
  expect(await endAnnouncement(collector, { subjects })).toEqual({
    refused: expect.stringMatching(/site file/),
  });
  await announce(collector, { subjects, text: 'again', lasts: '1h' });
  expect(now()[0]).toBe('notice');
  await clock.advance(3_700_000);
  expect(now()[0]).toBe('warning');
});

test('planned work without a reason, without an end, or on what no line can hold is refused', async () => {
  const collector = await collectorWithFinding();
  const many = Array.from({ length: 900 }, (_, n) => ({ kind: 'host', id: `h${n * n}x` }) as const);
  for (const [args, why] of [
    [{ subjects: [node], text: ' ', lasts: '1h' }, /say why/],
    [{ subjects: [node], text: 'x', lasts: '0min' }, /is not a time/],
    [{ subjects: [node], text: 'x', lasts: '30d' }, /at most/],
    [{ subjects: [{ kind: 'node', id: 'n\u001B1' } as const], text: 'x', lasts: '1h' }, /cannot be recorded/],
    [{ subjects: many, text: 'x', lasts: '1h' }, /too many names/],
  ] as const)
    expect(await announce(collector, args)).toEqual({ refused: expect.stringMatching(why) });
  expect(collector.shared?.windows(collector.clock.now())).toEqual([]);
});
