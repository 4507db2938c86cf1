import { describe, expect, it } from 'vitest';
import { createDueSystems, type Change, type News } from '../../src/collect/due-systems.ts';
import { probeOf, systemOf } from './helpers/fake-site.ts';

const giver = systemOf('giver', [probeOf('giver.a')], { publishes: ['node.busy'] });
const taker = systemOf('taker', [probeOf('taker.a')], { needs: ['node.busy'] });

const newsOf = (changed: Readonly<Record<string, Change>> = {}, toldCount = 0): News => ({
  changed: new Map(Object.entries(changed)),
  connections: new Map(),
  toldCount,
});

/** Judged so long ago, at this cost. */
const last =
  (sinceMs: number, costMs = 0) =>
  () => ({ sinceMs, costMs });

const idsOf = (systems: readonly { id: string }[]): readonly string[] => systems.map(({ id }) => id);

describe('which systems are judged', () => {
  it('the one whose probe reads otherwise, at once where that is cheap', () => {
    const due = createDueSystems([giver, taker], 0);
    expect(idsOf(due.listDue(newsOf({ 'giver.a': 'value' }), last(1)))).toEqual(['giver']);
    expect(idsOf(due.listDue(newsOf(), last(1)))).toEqual([]);
  });

  it('a dear one rests by what it cost, no longer than two seconds, and is not forgotten', () => {
    const due = createDueSystems([giver], 0);
    expect(due.listDue(newsOf({ 'giver.a': 'value' }), last(999, 25))).toEqual([]);
    expect(due.isBehind('value')).toBe(true);
    expect(idsOf(due.listDue(newsOf(), last(1000, 25)))).toEqual(['giver']);
    expect(due.listDue(newsOf({ 'giver.a': 'value' }), last(1999, 900))).toEqual([]);
    expect(idsOf(due.listDue(newsOf(), last(2000, 900)))).toEqual(['giver']);
  });

  it('what fails or grows old waits half a second at most, also behind a value that waits longer', () => {
    const due = createDueSystems([giver], 0);
    expect(due.listDue(newsOf({ 'giver.a': 'value' }), last(100, 900))).toEqual([]);
    expect(due.isBehind('state')).toBe(false);
    expect(due.listDue(newsOf({ 'giver.a': 'state' }), last(499, 900))).toEqual([]);
    expect(due.isBehind('state')).toBe(true);
    expect(idsOf(due.listDue(newsOf({ 'giver.a': 'again' }), last(500, 900)))).toEqual(['giver']);
  });

  it('what reads as before waits five seconds, and everything is judged every fifteen', () => {
    const due = createDueSystems([giver], 0);
    expect(due.listDue(newsOf({ 'giver.a': 'again' }), last(4999))).toEqual([]);
    expect(due.isBehind('value')).toBe(false);
    expect(idsOf(due.listDue(newsOf(), last(5000)))).toEqual(['giver']);
    expect(due.listDue(newsOf(), last(14_999))).toEqual([]);
    expect(idsOf(due.listDue(newsOf(), last(15_000)))).toEqual(['giver']);
  });

  it('facts that are others come to those that need them, once', () => {
    const due = createDueSystems([giver, taker], 0);
    due.noteFacts(new Set(['node.busy']), [giver]);
    expect(idsOf(due.listDue(newsOf(), last(1)))).toEqual(['taker']);
    expect(due.listDue(newsOf(), last(1))).toEqual([]);
    due.noteFacts(new Set(['node.busy']), [giver, taker]);
    due.noteFacts(new Set(['host.uplink']), [giver]);
    expect(due.listDue(newsOf(), last(1))).toEqual([]);
  });

  it('what is told concerns all, whatever they cost', () => {
    const due = createDueSystems([giver, taker], 0);
    expect(idsOf(due.listDue(newsOf({}, 1), last(1, 900)))).toEqual(['giver', 'taker']);
  });
});
