import { wrap } from '../../text/width.ts';

/** What a page is made of; the same page is printed by `faultline help`, installed as a manual page and kept as Markdown. */
export type Part =
  | { heading: string }
  | { text: string }
  | { list: readonly (readonly [term: string, text: string])[] }
  | { code: readonly string[] };

/** One line that says what it is about, then its parts. */
export interface Page {
  title: string;
  summary: string;
  parts: readonly Part[];
}

/** As a terminal shows it, wrapped at so many columns. */
export const pageAsText = ({ title, summary, parts }: Page, columns = 80): string[] => [
  ...wrap(`${title}: ${summary}`, columns),
  ...parts.flatMap((part) => {
    if ('heading' in part) return ['', part.heading];
    if ('text' in part) return ['', ...wrap(part.text, columns)];
    if ('code' in part) return ['', ...part.code.map((line) => `  ${line}`)];
    return ['', ...part.list.flatMap(([term, text]) => listItem(term, text, columns))];
  }),
];

/** Where the text of a list begins, when its term is short enough. */
const INDENT = 24;

const listItem = (term: string, text: string, columns: number): string[] => {
  const [first = '', ...rest] = wrap(text, columns - INDENT);
  const below = rest.map((line) => `${' '.repeat(INDENT)}${line}`);
  return term.length + 4 > INDENT
    ? [`  ${term}`, `${' '.repeat(INDENT)}${first}`, ...below]
    : [`  ${term}`.padEnd(INDENT) + first, ...below];
};

/** As `man` reads it (man(7)). */
export const pageAsRoff = (
  page: Page,
  { name, section, version }: { name: string; section: number; version: string },
): string =>
  [
    `.TH ${name.toUpperCase()} ${section} "" "faultline ${version}" "Faultline"`,
    '.SH NAME',
    `${roffText(name)} \\- ${roffText(page.summary)}`,
    ...(page.parts[0] && 'heading' in page.parts[0] ? [] : ['.SH DESCRIPTION']),
    ...page.parts.flatMap((part) => {
      if ('heading' in part) return [`.SH ${roffText(part.heading.toUpperCase())}`];
      if ('text' in part) return ['.PP', roffText(part.text)];
      if ('code' in part) return ['.PP', '.nf', '.RS 4', ...part.code.map(roffText), '.RE', '.fi'];
      return part.list.flatMap(([term, text]) => ['.TP', `.B ${roffText(term)}`, roffText(text)]);
    }),
    '',
  ].join('\n');

/** A line that begins with a point or an apostrophe would be a request; a hyphen is one that can be copied (groff_char(7)). */
const roffText = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('\n', ' ')
    .replace(/^(?=[.'])/, '\\&');

/** As Markdown, lists as tables with these titles. */
export const pageAsMarkdown = ({ title, summary, parts }: Page, titles: readonly [string, string]): string =>
  [
    `# ${title}`,
    summary,
    ...parts.map((part) => {
      if ('heading' in part) return `## ${part.heading}`;
      if ('text' in part) return part.text;
      if ('code' in part) return ['```', ...part.code, '```'].join('\n');
      const rows = part.list.map(([term, text]) => `| \`${term}\` | ${text.replaceAll('|', '\\|')} |`);
      return [`| ${titles[0]} | ${titles[1]} |`, '| --- | --- |', ...rows].join('\n');
    }),
    '',
  ].join('\n\n');
