import { expect, it } from 'vitest';
import { exitCodeOf } from '../../src/commands/status/report.ts';
import { createSimulators } from '../../src/registries/simulators.ts';
import type { RankedFinding } from '../../src/model/finding.ts';
import type { System } from '../../src/model/system.ts';
import { systems } from '../../src/registries/systems.ts';
import type { FakeClock } from '../collect/helpers/fake-clock.ts';
import { sequence } from '../collect/helpers/fake-collector.ts';
import { askWith, demoSite } from './whole-site.ts';

/** Every word that a system says of its findings, and of why one explains another, replaced: nobody may go by them. */
const reworded = (system: System): System => ({
  ...system,
  findings: (judgement) =>
    system.findings(judgement).map((finding) => ({
      ...finding,
      summary: 'something',
      ...(finding.advice !== undefined && { advice: 'do something' }),
      evidence: finding.evidence.map((line) => ({ ...line, text: 'some proof' })),
    })),
  causes: (system.causes ?? []).map((one) => ({
    ...one,
    explain: (...asked) => (one.explain(...asked) === undefined ? undefined : 'for some reason'),
  })),
});

/** All but the texts. */
const bare = (finding: RankedFinding): unknown => {
  const { summary: _summary, advice: _advice, explainedWhy: _why, evidence, ...rest } = finding;
  return { ...rest, evidence: evidence.map(({ text: _text, ...line }) => line) };
};

const incidents = [
  ...new Set(createSimulators().flatMap((simulator) => simulator.incidents.map(({ name }) => name))),
].filter((name) => name !== 'quiet' && name !== 'night');

it.each([
  { of: 'night', chosen: ['night'], effects: 5 },
  ...[1, 2, 3].map((seed) => {
    const random = sequence(seed);
    return { of: `seed ${seed}`, chosen: incidents.filter(() => random() < 0.5), effects: 0 };
  }),
])(
  '$of: other words change nothing but the words: order, folding, remedies and exit codes stay',
  async ({ chosen, effects }) => {
    const site = await demoSite();
    const judged = async (judging: readonly System[]): Promise<readonly RankedFinding[]> => {
      const collector = await askWith(site, chosen, { judging });
      // What is asked on demand leads to findings, too.
      const asking = Promise.all(['node1', 'node3'].map((host) => collector.askOnDemand(host)));
      const clock = collector.clock as FakeClock;
      await clock.advance(1000);
      await asking;
      collector.update();
      return collector.findings();
    };
    const plain = await judged(systems);
    const other = await judged(systems.map(reworded));
    expect(other.map(bare)).toEqual(plain.map(bare));
    expect(plain.filter(({ explainedBy }) => explainedBy !== undefined).length).toBeGreaterThanOrEqual(
      effects,
    );
    expect(exitCodeOf(other, false)).toBe(exitCodeOf(plain, false));
  },
);
