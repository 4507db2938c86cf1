import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { oneTest } from '../../probes/iperf/act/guards.ts';
import { parseFacts } from '../../probes/iperf/read/parse-facts.ts';
import { parseRuns } from '../../probes/iperf/read/parse-runs.ts';
import { answerOfParts } from '../helpers/answer.ts';
import { anyWord } from '../helpers/words.ts';
import { World } from './world.ts';

const now = 1_763_683_300;
/** What the host of two tests answers, with these words in its files: its parts. `tested`: with a test of its own. */
const answer = (words: {
  tool?: string;
  mode?: string;
  sweep?: string;
  server?: string;
  tested?: boolean;
}): [word: string, text: string][] => {
  const { tool = 'iperf3', mode = 'forward', sweep, server, tested = true } = words;
  const folder = '/var/tmp/faultline-tasks';
  const run = `id=${now}-1\nclient=wn-d-01\nserver=wn-d-02\ntool=${tool}\nseconds=60\nstreams=1\nmode=${mode}\nwindow=\nsweep=\nstarted=${now}\nrtt=\n--- out\n`;
  const part = `id=sweep-7\nhosts=4\ntests=6\nrounds=3\nround=1\nslot=8\nstarted=${now}\nupdated=${now}\nstate=${sweep}\n`;
  return [
    ['clock', `${now}\n`],
    ['runs', tested ? `==> ${folder}/iperf-wn-d-01:wn-d-02.1.run <==\n${run}` : ''],
    ['servers', server === undefined ? '' : `==> ${folder}/iperf-wn-d-01:wn-d-02.server <==\n${server}\n`],
    ['sweep', sweep === undefined ? '' : `==> ${folder}/iperf-sweep.task <==\n${part}`],
    ['others', ''],
  ];
};

/** What the guard says when wn-d-01 answers this. */
const guarded = async () => {
  const world = new World('quiet');
  await world.poll();
  const guard = oneTest(['wn-d-01'], world.judgement());
  expect(guard.check(world.judgement())).toEqual({ ok: true, text: expect.stringMatching(/^none\b/) });
  return (parts: readonly [string, string][]): boolean => {
    const { value, notUnderstood } = parseRuns(answerOfParts(...parts), now * 1000);
    world.readings.good('iperf.results', 'wn-d-01', value, world.now);
    const source = world.readings.source('iperf.results', 'wn-d-01');
    if (source?.good) world.readings.put({ ...source, good: { ...source.good, notUnderstood } });
    world.now += 1;
    return guard.check(world.judgement()).ok;
  };
};

describe('for any word in the files of tests', () => {
  it('a host with a test that may run is not free', async () => {
    const isFree = await guarded();
    fc.assert(
      fc.property(anyWord(['iperf3', 'iperf2']), anyWord(['forward', 'reverse', 'both']), (tool, mode) => {
        expect(isFree(answer({ tool, mode }))).toBe(false);
      }),
    );
    expect(isFree(answer({ server: 'port=5301' }))).toBe(false);
    expect(isFree(answer({ server: 'prt=5301' }))).toBe(false);
  });

  it('a host with a part in a sweep is free only with the words that say it is over', async () => {
    const isFree = await guarded();
    const over = answer({ tested: false });
    expect(isFree(over)).toBe(true);
    fc.assert(
      fc.property(anyWord(['armed', 'running', 'done', 'cancelled', 'expired']), (sweep) => {
        expect(isFree(answer({ sweep, tested: false }))).toBe(
          ['done', 'cancelled', 'expired'].includes(sweep),
        );
      }),
    );
  });

  it('a part of the answer that did not come is not a part in which nothing runs', async () => {
    const isFree = await guarded();
    const over = answer({ tested: false });
    expect(isFree(over)).toBe(true);
    for (const part of ['runs', 'servers', 'sweep', 'others']) {
      expect(isFree(over.filter(([word]) => word !== part))).toBe(false);
      // Nor one that came twice: which of the two is ours is not known.
      expect(isFree([...over, [part, '']])).toBe(false);
    }
  });
});

describe('for any word of ethtool and pgrep', () => {
  it('adaptive-rx is on or off by these words only, irqbalance runs or not by these codes only', () => {
    fc.assert(
      fc.property(anyWord(['on', 'off', 'n/a']), fc.nat(255), (word, code) => {
        const facts = parseFacts(
          answerOfParts(['coalesce', `Adaptive RX: ${word}  TX: ${word}\n`], ['balance', '', code]),
        );
        expect(facts.adaptiveRx).toBe(/^on$/.test(word) ? true : /^off$/.test(word) ? false : undefined);
        expect(facts.irqbalance).toBe(code === 0 ? true : code === 1 ? false : undefined);
      }),
    );
  });
});
