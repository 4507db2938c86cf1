import { describe, expect, it } from 'vitest';
import { causes } from '../../../probes/switch/causes.ts';
import { findings } from '../../../probes/switch/judge/findings.ts';
import type { Finding } from '../../../src/model/finding.ts';
import type { LinkEnds } from '../../../src/model/site.ts';
import { findingOf } from '../../helpers/safe-finding.ts';
import { judgementOf, siteOf, Sources, start } from '../../helpers/judging.ts';

type State = 'up' | 'down' | 'dark' | 'shut';

/** The states of the members of leaf7 po12 and of spine2 po21, link by link; `led`: links whose far ends are known. */
interface World {
  leaf: readonly State[];
  spine: readonly State[];
  led?: readonly number[];
  description?: string;
  /** Links of which spine2 lists the member without a word. */
  wordless?: readonly number[];
}

const judged = ({ leaf, spine, led, description, wordless = [] }: World): readonly Finding[] => {
  const readings = new Sources();
  const at = start + 10_000;
  const put = (host: string, lag: string, name: (n: number) => string, states: readonly State[]) => {
    const ports = states.map((state, n) => ({
      port: name(n),
      name: name(n),
      link: state === 'up' ? 'connected' : state === 'shut' ? 'disabled' : 'notconnect',
      state,
      ...(state === 'shut' && description !== undefined && { description }),
      counts: {},
    }));
    for (const when of [start, at]) readings.good('switch.counters', host, { ports }, when, 20, 2);
    const members = states.map((state, n) => ({
      lag,
      member: name(n),
      ...(!(host === 'spine2' && wordless.includes(n)) && {
        state: state === 'up' ? 'P' : 'D',
        active: state === 'up',
      }),
    }));
    readings.good('switch.lags', host, { lags: [{ lag }], members }, at);
  };
  put('leaf7', 'po12', (n) => `te0/${45 + n}`, leaf);
  put('spine2', 'po21', (n) => `eth${11 + n}`, spine);
  const known = led ?? leaf.flatMap((state, n) => (state === 'up' ? [n] : []));
  const site = siteOf(
    [
      { name: 'leaf7', roles: ['switch'], platform: 'dell_ftos' },
      { name: 'spine2', roles: ['switch'], platform: 'arista_eos' },
    ],
    { links: known.map((n): LinkEnds => ({ from: `leaf7:te0/${45 + n}`, to: `spine2:eth${11 + n}` })) },
  );
  return findings(judgementOf({ readings, site, now: at, mono: 10_000 }))
    .filter(({ kind }) => kind === 'lag-member-out')
    .map(findingOf);
};

/** Findings that no other one explains. */
const unfolded = (all: readonly Finding[]): readonly Finding[] => {
  const rule = causes.find(({ name }) => name === 'same-links');
  const nowhere = { switchesOf: () => [], mayCross: () => 'not known' as const };
  return all.filter(
    (one) => !all.some((other) => other !== one && rule?.explain(other, one, nowhere) !== undefined),
  );
};

const told = (world: World) =>
  unfolded(judged(world)).map(({ severity, summary }) => `${severity} ${String(summary)}`);

const up = 'up' as const;

describe('a member that is out', () => {
  it('is told once for both ends, by the LAGs where the devices forgot their neighbours', () => {
    expect(judged({ leaf: [up, up, 'dark', up], spine: [up, up, 'dark', up] })).toHaveLength(2);
    expect(told({ leaf: [up, up, 'dark', up], spine: [up, up, 'dark', up] })).toEqual([
      'warning leaf7 po12 has 3 of 4 members: te0/47 out',
    ]);
  });

  it('and by the link itself where it is known, also when the LAGs have no other link', () => {
    expect(told({ leaf: ['dark', up], spine: ['dark', up], led: [0] })).toEqual([
      'warning leaf7 po12 has 1 of 2 members: te0/45 out',
    ]);
  });

  it('that somebody shut is a notice at the end where it was shut, with what was written there', () => {
    const world: World = { leaf: [up, up, 'dark', up], spine: [up, up, 'shut', up], description: 'CHG-991' };
    expect(told(world)).toEqual(['notice spine2 po21 has 3 of 4 members: eth13 shut']);
    const [first] = unfolded(judged(world));
    expect(first?.evidence.map(({ text }) => String(text))).toContain(
      'spine2 eth13 is shut (reads disabled); description: CHG-991',
    );
    expect(first?.suspects?.[0]).toMatchObject({ subject: { id: 'spine2:eth13' }, values: { shut: true } });
  });

  it('of several, one of them shut, stays a warning', () => {
    const world: World = { leaf: [up, up, up, 'shut', 'dark', up], spine: [up, up, up, 'dark', 'dark', up] };
    expect(told(world)).toEqual(['warning leaf7 po12 has 4 of 6 members: te0/48 shut, te0/49 out']);
  });

  it('and shut stays a warning where fewer are left than a LAG must keep', () => {
    expect(told({ leaf: ['shut', 'shut', up], spine: ['dark', 'dark', up] })).toEqual([
      'warning leaf7 po12 has 1 of 3 members: te0/45, te0/46 shut',
    ]);
  });

  it('is not told below another link: two faults stay two', () => {
    // Each end lists another link, both of them known.
    const world: World = { leaf: ['dark', up, up], spine: [up, 'dark', up], led: [0, 1, 2] };
    expect(told(world)).toHaveLength(2);
  });

  it('nor where more are out at one end than at the other', () => {
    const world: World = { leaf: [up, up, 'dark', up], spine: [up, up, 'dark', 'dark'], led: [0, 1] };
    expect(told(world)).toEqual(['warning spine2 po21 has 2 of 4 members: eth13, eth14 out']);
  });

  it('is out by its port where its device tells no word of it, and is not where that tells none of any', () => {
    const world: World = { leaf: [up, up, 'dark', up], spine: [up, up, 'shut', up], wordless: [2] };
    expect(told(world)).toEqual(['notice spine2 po21 has 3 of 4 members: eth13 shut']);
    expect(told({ ...world, wordless: [0, 1, 2, 3] })).toEqual([
      'warning leaf7 po12 has 3 of 4 members: te0/47 out',
    ]);
    expect(told({ ...world, spine: [up, up, up, up], wordless: [1] })).toEqual([
      'warning leaf7 po12 has 3 of 4 members: te0/47 out',
    ]);
  });

  it('nor between LAGs of which no link is known', () => {
    expect(told({ leaf: [up, 'dark'], spine: [up, 'dark'], led: [] })).toHaveLength(2);
  });
});
