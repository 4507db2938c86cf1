import type { Excerpt, RawEvidence } from '../../../src/model/evidence.ts';
import { clock, clockTime } from '../../../src/text/ages.ts';
import { count, groupThousands } from '../../../src/text/units.ts';
import { ruleLine } from '../../frame.ts';
import { memoPerObject } from '../../keep.ts';
import { blank, cell, type Painted } from '../../paint.ts';
import { themeKey, type Theme } from '../../theme.ts';
import type { EvidencePage } from '../../overlays.ts';
import { prose, rawLines } from './text-lines.ts';

/** A script that asks is long; its begin says what it asks. */
const COMMAND_LINES = 3;

interface Line {
  text: Painted;
  /** The finding or row rests on it. */
  mark?: true;
}

/** All lines of the evidence, and the numbers of those that are marked: there it opens. */
export const evidencePage = memoPerObject(
  ({ answers, name, whole }: EvidencePage, theme: Theme, width: number, now: number) => {
    const lines = [
      ...plainLines(nothingNamed(theme, answers, name, width)),
      ...answers.flatMap((answer) => answerLines(theme, answer, { name, whole }, width, now)),
    ];
    return {
      lines: lines.map(({ text }) => text),
      marks: lines.flatMap(({ mark }, at) => (mark ? [at] : [])),
    };
  },
  (_, theme, width) => `${width}|${themeKey(theme)}`,
);

/** Said before all else: without it a page that marks nothing looks as if the key had done nothing. */
const nothingNamed = (
  theme: Theme,
  answers: readonly RawEvidence[],
  name: string,
  width: number,
): readonly Painted[] => {
  const texts = answers.flatMap(({ stdout, reading }) => [stdout, reading]).filter(({ lines }) => lines > 0);
  if (name === '' || texts.length === 0 || texts.some(({ marked }) => marked !== 'nothing')) return [];
  const subject = answers.length === 1 ? 'The answer does' : `The ${count(answers.length, 'answer')} do`;
  return [...prose(theme, `${subject} not name ${name}: no line is marked.`, width, 'warning'), blank(width)];
};

const plainLines = (lines: readonly Painted[]): readonly Line[] => lines.map((text) => ({ text }));

const answerLines = (
  theme: Theme,
  answer: RawEvidence,
  page: Pick<EvidencePage, 'name' | 'whole'>,
  width: number,
  now: number,
): readonly Line[] => {
  const { probe, host, ended, endedWell, at, durationMs, command, others = [] } = answer;
  const day = clock(at).startsWith(clockTime(at, now)) ? '' : `, ${clockTime(at, now)}`;
  const asked = `asked ${clock(at)}${day}, took ${groupThousands(Math.round(durationMs))} ms`;
  const earlier =
    page.whole || others.length === 0 ? '' : `; ${count(others.length, 'earlier answer')} folded`;
  const lines = rawLines(theme, command, width, 'bold');
  const kept = page.whole ? lines : lines.slice(0, COMMAND_LINES);
  const right = { text: ended, style: endedWell ? 'dim' : 'warning' } as const;
  return [
    ...plainLines([ruleLine(theme, `${probe} on ${host}`, right, width, false)]),
    ...plainLines(prose(theme, `${asked}${earlier}`, width, 'dim')),
    ...plainLines(kept),
    ...foldLine(theme, lines.length - kept.length, width),
    ...excerptLines(theme, 'stdout', answer.stdout, page.name, width),
    ...excerptLines(theme, 'stderr', answer.stderr, '', width),
    ...excerptLines(theme, 'reading', answer.reading, page.name, width),
    { text: blank(width) },
  ];
};

const foldLine = (theme: Theme, lines: number, width: number): readonly Line[] =>
  lines <= 0 ? [] : [{ text: cell(theme, `  … ${count(lines, 'line')}`, width, 'dim') }];

/** What the marks of a text are: said, so that nobody takes a mention for the proof. */
const markedText = ({ marked, lines }: Excerpt, name: string): string => {
  if (lines === 0) return 'empty';
  const all = count(lines, 'line');
  if (name === '' || marked === 'all') return all;
  if (marked === 'values') return `${all}, marked: what is said of ${name}`;
  return marked === 'names' ? `${all}, marked: where it names ${name}` : `${all}, none names ${name}`;
};

const excerptLines = (
  theme: Theme,
  title: string,
  excerpt: Excerpt,
  name: string,
  width: number,
): readonly Line[] => [
  { text: cell(theme, ` ${title}: ${markedText(excerpt, name)}`, width, 'accent') },
  ...excerpt.parts.flatMap((part): readonly Line[] => {
    if ('folded' in part) return foldLine(theme, part.folded, width);
    return part.lines.flatMap(({ text, mark }) => {
      if (mark === undefined) return plainLines(rawLines(theme, text, width));
      // A sign beside the emphasis: without colour, too, it is seen what is marked.
      return rawLines(theme, text, width, 'bold', cell(theme, '> ', 2, 'accent')).map((line) => ({
        text: line,
        mark: true as const,
      }));
    });
  }),
  ...(excerpt.cut === undefined
    ? []
    : [
        {
          text: cell(
            theme,
            `  ${groupThousands(excerpt.cut)} characters more are not shown`,
            width,
            'warning',
          ),
        },
      ]),
];

/** The lines of an excerpt as text, with how many are left out. */
export const excerptTexts = ({ parts }: Excerpt): readonly string[] =>
  parts.flatMap((part) =>
    'folded' in part ? [`(${count(part.folded, 'line')})`] : part.lines.map(({ text }) => text),
  );
