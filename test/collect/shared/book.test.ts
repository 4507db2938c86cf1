import { describe, expect, test } from 'vitest';
import { createBook, PRESENT_MS } from '../../../src/collect/shared/book.ts';
import type { SharedEvent } from '../../../src/collect/shared/events.ts';
import type { Finding } from '../../../src/model/finding.ts';
import { findingOf } from '../../helpers/safe-finding.ts';
import type { Severity } from '../../../src/model/subject.ts';

/** All that is written here was. */
const NOW = 5_000;

const base = { v: 1, at: 1_000, who: 'alice', from: 'adm1 12 abcd' } as const;
const ack = (id: string, at: number, more: Partial<Extract<SharedEvent, { kind: 'ack' }>> = {}) => ({
  event: {
    ...base,
    id,
    at,
    kind: 'ack' as const,
    finding: 'slurm:down:x',
    severity: 'warning' as const,
    names: 'node[1-3]',
    until: 10_000,
    text: 'seen',
    ...more,
  },
});
const finding = (severity: Severity, ...names: string[]): Finding =>
  findingOf({
    id: 'slurm:down:x',
    system: 'slurm',
    kind: 'down',
    severity,
    subject: { kind: 'node', id: 'node[1-3]' },
    members: names.map((id) => ({ kind: 'node', id })),
    summary: 'down',
    evidence: [],
    hurt: {},
    remedies: [],
  });

describe('an acknowledgement', () => {
  const book = createBook();
  book.add([ack('a', 1_000)], NOW);

  test('holds for the same finding, and when some of its nodes are back', () => {
    expect(book.findAck(finding('warning', 'node1', 'node2', 'node3'), 5_000)).toEqual({
      who: 'alice',
      text: 'seen',
      at: 1_000,
      until: 10_000,
    });
    expect(book.findAck(finding('notice', 'node2'), 5_000)).toBeDefined();
  });

  test('ends when it is worse, about more, or the time is up', () => {
    expect(book.findAck(finding('critical', 'node1'), 5_000)).toBeUndefined();
    expect(book.findAck(finding('warning', 'node1', 'node4'), 5_000)).toBeUndefined();
    expect(book.findAck(finding('warning', 'node1'), 10_000)).toBeUndefined();
  });

  test('is replaced by the next one and can be taken back: by the place in the file, not by the writers’ clocks', () => {
    const other = createBook();
    const back: SharedEvent = { ...base, id: 'b', at: 3_000, kind: 'unack', finding: 'slurm:down:x' };
    other.add([ack('c', 2_000), ack('a', 1_000)], NOW);
    expect(other.findAck(finding('warning', 'node1'), 5_000)?.at).toBe(1_000);
    other.add([{ event: back }], NOW);
    expect(other.findAck(finding('warning', 'node1'), 5_000)).toBeUndefined();
    const turned = createBook();
    turned.add([{ event: back }, ack('c', 2_000), ack('d', 4_000)], NOW);
    expect(turned.findAck(finding('warning', 'node1'), 5_000)?.at).toBe(4_000);
  });
});

test('the same line twice counts once; odd lines are counted', () => {
  const book = createBook();
  const note: SharedEvent = {
    ...base,
    id: 'n',
    kind: 'repair',
    part: 'optic',
    subject: { kind: 'port', id: 'core3:te3/46' },
    text: 'swapped',
  };
  expect(book.add([{ event: note }], NOW)).toBe(true);
  expect(book.add([{ event: note }], NOW)).toBe(false);
  expect(book.add([{ odd: 'broken' }, { odd: 'newer' }], NOW)).toBe(true);
  expect(book.listOdd()).toEqual({ broken: 1, newer: 1, doubts: [] });
  expect(book.notes.notesOf({ kind: 'port', id: 'core3:te3/46' })).toEqual([
    {
      id: 'n',
      kind: 'repair',
      part: 'optic',
      subject: note.subject,
      text: 'swapped',
      who: 'alice',
      at: 1_000,
    },
  ]);
});

test('consoles are on until they leave or fall silent', () => {
  const book = createBook();
  const there = (from: string, at: number, left = false) => ({
    event: { ...base, id: `${from}${at}`, from, at, kind: 'console' as const, left },
  });
  book.add([there('adm1 1 a', 1_000), there('adm2 2 b', 1_000), there('adm3 3 c', 1_000)], NOW);
  book.add([there('adm3 3 c', 2_000, true), there('adm2 2 b', 500)], NOW);
  expect(book.listConsoles(2_000, 'adm1 1 a').map(({ host }) => host)).toEqual(['adm2']);
  expect(book.listConsoles(1_000 + PRESENT_MS, 'adm1 1 a')).toEqual([]);
});
