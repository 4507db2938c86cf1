import { makeSafe } from './safe.ts';

const fenceFor = (text: string, least: number): string => {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  return '`'.repeat(Math.max(least, longest + 1));
};

/**
 * Text of machines and people as a Markdown code span: nothing in it is a link, a heading, an image or HTML. Made visible first; the
 * fence is longer than any run of backticks inside. Cut after `limit` characters with the number of those left out.
 */
export const code = (text: string, limit = 500): string => {
  const safe = makeSafe(text, limit);
  const fence = fenceFor(safe, 1);
  const pad = fence.length > 1 || safe === '' ? ' ' : '';
  return `${fence}${pad}${safe}${pad}${fence}`;
};

/** Lines as a fenced block, cut after so many with the number of those left out. */
export const block = (text: string, most = 60): readonly string[] => {
  const all = text.replace(/\n$/, '').split('\n');
  const kept = all.slice(0, most).map((line) => makeSafe(line, 1000));
  const fence = fenceFor(kept.join('\n'), 3);
  const more = all.length > most ? [`(${all.length - most} more lines)`] : [];
  return [fence, ...kept, fence, ...more];
};
