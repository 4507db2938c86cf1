/** One test of a sweep: what went from one host to another, as a share of the usual rate of the sweep. */
export interface SweepTest {
  from: string;
  to: string;
  /** bits/s; 0 when the test failed. */
  bps: number;
}

export type SweepAnswer =
  | { kind: 'none'; sure: string; text: string }
  | { kind: 'host'; host: string; sure: string; probability: number; text: string }
  | { kind: 'hosts'; hosts: readonly string[]; sure: string; text: string }
  | { kind: 'unclear'; sure: string; text: string };

/** A test is slow below this share of the sweep's median. */
const slowBelow = 0.75;
/** How often a healthy test is slow all the same, and a bad host's test is not. */
const falseSlow = 0.03;
const missed = 0.1;

/** A pair of bad hosts is told of when each was in so many tests beside the one between them. */
const testsEach = 2;

interface Hypothesis {
  host?: string;
  /** Two hosts, each slow by itself. */
  both?: readonly [string, string];
  text: string;
  prior: number;
  says(test: SweepTest): boolean;
}

/**
 * The one bad host among many, or the two, and how sure that is: Bayes over "all are fine", "one host is slow both ways, sending only,
 * receiving only", "two hosts are slow both ways", "one pair alone is slow". Pure. Each host should be in two tests at least, in both roles.
 */
export const solveSweep = (tests: readonly SweepTest[]): SweepAnswer => {
  const rates = tests.map(({ bps }) => bps).sort((a, b) => a - b);
  const usual = rates[Math.floor(rates.length * 0.6)] ?? 0;
  if (tests.length < 3 || usual <= 0)
    return { kind: 'unclear', sure: '0 %', text: `${tests.length} tests are too few to tell` };
  const isSlow = (test: SweepTest): boolean => test.bps < usual * slowBelow;
  const hosts = [...new Set(tests.flatMap(({ from, to }) => [from, to]))];
  const hypotheses = [
    { text: 'all hosts are alike', prior: 0.5, says: () => false },
    ...hosts.flatMap((host): Hypothesis[] => [
      {
        host,
        text: 'slow in both directions',
        prior: 0.2 / hosts.length,
        says: ({ from, to }) => from === host || to === host,
      },
      { host, text: 'slow when it sends', prior: 0.1 / hosts.length, says: ({ from }) => from === host },
      { host, text: 'slow when it receives', prior: 0.1 / hosts.length, says: ({ to }) => to === host },
    ]),
    ...twoHosts(hosts, tests),
    ...tests.filter(isSlow).map((slow): Hypothesis => ({
      text: `${slow.from} → ${slow.to} alone is slow`,
      prior: 0.1 / tests.length,
      says: (test) => test === slow,
    })),
  ] satisfies Hypothesis[];
  const weights = hypotheses.map(({ prior, says }) =>
    tests.reduce((weight, test) => {
      const bad = says(test);
      return weight * (isSlow(test) ? (bad ? 1 - missed : falseSlow) : bad ? missed : 1 - falseSlow);
    }, prior),
  );
  const all = weights.reduce((sum, one) => sum + one, 0);
  return conclude(hypotheses.map((one, at) => ({ ...one, share: (weights[at] ?? 0) / all })));
};

/** Seldom, and each pair of hosts more seldom still. */
const twoHosts = (hosts: readonly string[], tests: readonly SweepTest[]): Hypothesis[] => {
  const pairs = hosts.flatMap((one, at) =>
    hosts.slice(at + 1).map((other): [string, string] => [one, other]),
  );
  const isOf = ({ from, to }: SweepTest, host: string): boolean => from === host || to === host;
  return pairs
    .filter(([one, other]) =>
      [
        [one, other],
        [other, one],
      ].every(
        ([own = '', apart = '']) =>
          tests.filter((test) => isOf(test, own) && !isOf(test, apart)).length >= testsEach,
      ),
    )
    .map((both) => ({
      both,
      text: 'slow in both directions',
      prior: 0.05 / pairs.length,
      says: (test) => both.some((host) => isOf(test, host)),
    }));
};

const sureText = (share: number): string => (share >= 0.995 ? '>99 %' : `${Math.round(share * 100)} %`);

const conclude = (ranked: readonly (Hypothesis & { share: number })[]): SweepAnswer => {
  const two = ranked.filter(({ both }) => both !== undefined).toSorted((a, b) => b.share - a.share)[0];
  if (two?.both && two.share >= 0.6)
    return { kind: 'hosts', hosts: two.both, sure: sureText(two.share), text: two.text };
  const byHost = Map.groupBy(ranked, ({ host }) => host ?? '');
  const best = [...byHost]
    .filter(([host]) => host !== '')
    .map(([host, of]) => ({ host, share: of.reduce((sum, one) => sum + one.share, 0), of }))
    .sort((a, b) => b.share - a.share)[0];
  const fine = ranked[0]?.share ?? 0;
  if (fine > 0.5) return { kind: 'none', sure: sureText(fine), text: 'no host is slower than the others' };
  if (!best || best.share < 0.6) {
    const first = ranked.toSorted((a, b) => b.share - a.share)[0];
    const named = first?.both ?? (first?.host === undefined ? [] : [first.host]);
    const who = named.length === 0 ? '' : `${named.join(' and ')} ${named.length === 1 ? 'is' : 'are'} `;
    return {
      kind: 'unclear',
      sure: sureText(first?.share ?? 0),
      text: `not clear, likeliest: ${who}${first?.text ?? '?'}`,
    };
  }
  const way = best.of.toSorted((a, b) => b.share - a.share)[0]?.text ?? '';
  return { kind: 'host', host: best.host, sure: sureText(best.share), probability: best.share, text: way };
};
