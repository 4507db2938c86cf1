import { makeSafe } from '../../src/text/safe.ts';
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type FindingDraft, type RankedFinding, readDraft } from '../../src/model/finding.ts';
import { textOf, wordsOf } from '../../src/model/words.ts';

/** Never called: what must not compile. An expectation that is not met does not compile either. */
export const decisions = ({ summary, advice, evidence, explainedWhy }: RankedFinding): unknown => [
  // @ts-expect-error -- compared with a text
  summary === 'node1 is down',
  // @ts-expect-error -- matched
  summary.includes('down'),
  // @ts-expect-error -- matched by a pattern
  /down/.test(summary),
  // @ts-expect-error -- split
  advice?.split(' reads '),
  // @ts-expect-error -- put into a template, to be matched then
  `${summary}`,
  // @ts-expect-error -- made a text by way of its method
  summary.toString(),
  // @ts-expect-error -- joined to a text
  summary + '',
  // @ts-expect-error -- a line of proof
  evidence.some(({ text }) => text.startsWith('timed out')),
  // @ts-expect-error -- why it is explained
  explainedWhy === 'it is about n1',
  // @ts-expect-error -- a text is no words
  { summary: 'x' } satisfies Pick<RankedFinding, 'summary'>,
];

/** Never called either: what is not safe becomes no words. */
export const unsafe = (said: string): unknown => [
  // @ts-expect-error -- what a machine said, as it said it
  wordsOf(said),
  // @ts-expect-error -- a finding that nobody made safe
  readDraft({ id: said } as FindingDraft),
];

const using = (name: string): string[] =>
  globSync(['src/**/*.ts', 'components/**/*.{ts,tsx}', 'probes/**/*.ts'])
    .filter((path) =>
      new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from '[./]+(?:(?:src/)?model/)?words`).test(
        readFileSync(path, 'utf8'),
      ),
    )
    .toSorted();

it('words are a text when they are drawn', () => {
  expect(textOf(wordsOf(makeSafe('node1 is down')))).toBe('node1 is down');
  expect(textOf(undefined)).toBeUndefined();
});

it('words are taken out only where they are drawn, printed or written down', () => {
  expect(using('textOf')).toEqual([
    'components/alerts.ts',
    'components/dialogs/annotation.ts',
    'components/dialogs/menu/items.ts',
    'components/findings.ts',
    'components/fixed-table.ts',
    'components/open.ts',
    'components/ticket.ts',
    'components/wall-findings.ts',
    'components/wall-sites.ts',
    'src/collect/first-seen.ts',
    'src/collect/fixed-kept.ts',
    'src/collect/host-more.ts',
    'src/collect/look.ts',
    'src/collect/planned.ts',
    'src/collect/timeline.ts',
    'src/commands/act/colleague-lines.ts',
    'src/commands/status/report.ts',
    'src/commands/status/text.ts',
  ]);
});

it('a text becomes words where findings come in, and where the collector adds to them', () => {
  expect(using('wordsOf')).toEqual([
    'src/collect/fixed-kept.ts',
    'src/collect/planned.ts',
    'src/collect/rank.ts',
    'src/model/finding.ts',
  ]);
});
