import { expect, it } from 'vitest';
import { exitCodeOf } from '../../src/commands/status/report.ts';
import type { RankedFinding } from '../../src/model/finding.ts';
import type { System } from '../../src/model/system.ts';
import { systems } from '../../src/systems.ts';
import { askWith, demoSite } from './whole-site.ts';

/** Every word that a system says of its findings replaced: nobody may go by them. */
const reworded = (system: System): System => ({
  ...system,
  findings: (judgement) =>
    system.findings(judgement).map((finding) => ({
      ...finding,
      summary: 'something',
      ...(finding.advice !== undefined && { advice: 'do something' }),
      evidence: finding.evidence.map((line) => ({ ...line, text: 'some proof' })),
    })),
});

/** All but the texts. */
const bare = (finding: RankedFinding): unknown => {
  const { summary: _summary, advice: _advice, evidence, ...rest } = finding;
  return { ...rest, evidence: evidence.map(({ text: _text, ...line }) => line) };
};

it('other words change nothing but the words: order, folding, remedies and exit codes stay', async () => {
  const site = await demoSite();
  const plain = (await askWith(site, ['night'])).findings();
  const other = (await askWith(site, ['night'], { judging: systems.map(reworded) })).findings();
  expect(other.map(bare)).toEqual(plain.map(bare));
  expect(plain.filter(({ explainedBy }) => explainedBy !== undefined).length).toBeGreaterThan(5);
  expect(exitCodeOf(other, false)).toBe(exitCodeOf(plain, false));
});
