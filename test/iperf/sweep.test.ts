import { describe, expect, it } from 'vitest';
import { roundsOf } from '../../probes/iperf/sweep/plan.ts';
import { solveSweep, type SweepTest } from '../../probes/iperf/sweep/solve.ts';

const hosts = Array.from({ length: 16 }, (_, at) => `h${at + 1}`);

const sweep = (rate: (from: string, to: string) => number): SweepTest[] =>
  roundsOf(hosts)
    .flat()
    .map(({ from, to }) => ({ from, to, bps: rate(from, to) }));

describe('rounds', () => {
  it.each([3, 4, 5, 7, 16, 33])(
    'of %i hosts: nobody is in two tests at once, all send and receive',
    (count) => {
      const some = Array.from({ length: count }, (_, at) => `h${at + 1}`);
      const rounds = roundsOf(some);
      for (const round of rounds) {
        const busy = round.flatMap(({ from, to }) => [from, to]);
        expect(new Set(busy).size).toBe(busy.length);
      }
      const all = rounds.flat();
      expect(new Set(all.map(({ from, to }) => `${from}:${to}`)).size).toBe(all.length);
      for (const host of some) {
        expect(all.some(({ from }) => from === host)).toBe(true);
        expect(all.some(({ to }) => to === host)).toBe(true);
      }
    },
  );

  it('take few rounds for 16 hosts', () => {
    expect(roundsOf(hosts).length).toBeLessThanOrEqual(6);
  });
});

it('no two tests of a round share an uplink', () => {
  const uplink = (host: string): string => `sw:${Math.ceil(Number(host.slice(1)) / 4)}`;
  const rounds = roundsOf(hosts, uplink);
  expect(rounds.flat()).toHaveLength(32);
  for (const round of rounds) {
    const taken = round.flatMap(({ from, to }) => [...new Set([uplink(from), uplink(to)])]);
    expect(new Set(taken).size).toBe(taken.length);
  }
});

describe('the one bad host', () => {
  it.each(hosts)('%s, slow in both directions', (bad) => {
    const answer = solveSweep(sweep((from, to) => (from === bad || to === bad ? 2e9 : 9.4e9)));
    expect(answer).toMatchObject({ kind: 'host', host: bad, text: 'slow in both directions' });
    expect(answer.sure).toMatch(/^>99 %|9\d %$/);
  });

  it('slow only when it receives', () => {
    const answer = solveSweep(sweep((_from, to) => (to === 'h7' ? 4e9 : 9.4e9)));
    expect(answer).toMatchObject({ kind: 'host', host: 'h7', text: 'slow when it receives' });
  });

  it.each([6, 16])('two of %i, each slow with everybody: both, and nobody else', (count) => {
    const bad = ['h5', 'h6'];
    const tests = roundsOf(hosts.slice(0, count))
      .flat()
      .map(({ from, to }) => ({ from, to, bps: bad.some((one) => one === from || one === to) ? 1e9 : 6e9 }));
    expect(solveSweep(tests)).toMatchObject({
      kind: 'hosts',
      hosts: bad,
      text: 'slow in both directions',
      sure: expect.stringMatching(/^(>99|\d\d) %$/),
    });
  });

  it('not two: where only the test between them is slow, and where one of them was hardly tested', () => {
    const between = (from: string, to: string): boolean =>
      from !== to && ['h1', 'h2'].includes(from) && ['h1', 'h2'].includes(to);
    expect(solveSweep(sweep((from, to) => (between(from, to) ? 1e9 : 6e9))).kind).not.toBe('hosts');
    const few = [
      ['a', 'b', 1],
      ['a', 'c', 6],
      ['b', 'c', 6],
      ['c', 'd', 6],
    ].map(([from, to, bps]) => ({ from: String(from), to: String(to), bps: Number(bps) * 1e9 }));
    expect(solveSweep(few).kind).not.toBe('hosts');
  });

  it('is nobody when all are alike, and a failed test counts as slow', () => {
    expect(solveSweep(sweep(() => 9.4e9))).toMatchObject({ kind: 'none' });
    expect(solveSweep(sweep((from, to) => (from === 'h3' || to === 'h3' ? 0 : 9.4e9)))).toMatchObject({
      host: 'h3',
    });
  });

  it('is not sure of one slow test, nor of too few', () => {
    const one = solveSweep(sweep((from, to) => (from === 'h2' && to === 'h3' ? 3e9 : 9.4e9)));
    expect(one.kind).not.toBe('host');
    expect(solveSweep([{ from: 'a', to: 'b', bps: 1 }]).kind).toBe('unclear');
    // Of four tests one was slow: who is meant is said, and that it is not clear.
    const few = [1, 2, 3, 0].map((to, from) => ({
      from: `h${from}`,
      to: `h${to}`,
      bps: from === 0 ? 4.7e9 : 9.4e9,
    }));
    expect(solveSweep(few)).toMatchObject({
      kind: 'unclear',
      text: expect.stringMatching(
        /^not clear, likeliest: h[01] is slow when it (?:sends|receives)$|^not clear, likeliest: h0 → h1 alone is slow$/,
      ),
    });
  });

  it('stays found with one healthy test that was slow by chance', () => {
    const answer = solveSweep(
      sweep((from, to) => (from === 'h5' || to === 'h5' || (from === 'h11' && to === 'h12') ? 2e9 : 9.4e9)),
    );
    expect(answer).toMatchObject({ kind: 'host', host: 'h5' });
  });
});
