import { describe, expect, it } from 'vitest';
import verdicts from './expressions.json' with { type: 'json' };
import { allExpressions, expressionsIn, keyOf, verdictOf, type Verdicts } from './expressions.ts';

const { linear, quadratic, undecided }: Verdicts = verdicts;
const decided = new Set([...linear, ...quadratic, ...Object.keys(undecided)]);

/** Those without a verdict in the list are checked here, each for so long at most, ms; `npm run expressions` takes its time for it. */
const EACH_MS = 20_000;
const MOST = 50;

describe('the regular expressions of the program', () => {
  it('are none worse than quadratic, and each of those that could not be checked says why it does no harm', () => {
    const unknown = allExpressions().filter((one) => !decided.has(keyOf(one)));
    expect(unknown.length, 'too many new expressions; npm run expressions checks them').toBeLessThanOrEqual(
      MOST,
    );
    const bad = unknown
      .map((one) => ({ what: keyOf(one), files: one.files, verdict: verdictOf(one, EACH_MS) }))
      .filter(({ verdict }) => verdict === 'worse' || verdict === 'undecided');
    expect(bad, 'to be mended, or to be decided by npm run expressions').toEqual([]);
    expect(Object.entries(undecided).filter(([, why]) => why.trim() === '')).toEqual([]);
  }, 600_000);

  it('are found wherever they stand', () => {
    const text = [
      'const plain = /a+b/gi;',
      'const word = "[a-z]+";',
      'const glued = new RegExp(`^${word}${plain.source}$`, "m");',
      'const given = (name: string) => new RegExp(String.raw`\\d${name}` + "x");',
      'const all = (source: string) => new RegExp(source);',
      'const dialect = { prompt: "\\\\S+[>#]$", errors: ["^% "], other: "x*" };',
    ].join('\n');
    expect(expressionsIn(text).map(keyOf).toSorted()).toEqual([
      '/\\dwordx/',
      '/^(?:\\S+[>#]$)/i',
      '/^(?:^% )/i',
      '/^[a-z]+a+b$/m',
      '/a+b/gi',
    ]);
    const keys = new Set(allExpressions().map(keyOf));
    expect(linear.filter((key) => keys.has(key)).length).toBeGreaterThan(1000);
  });

  it('a checker tells what is bad from what is not', () => {
    expect(verdictOf({ source: '^(?:\\.[^\\s=]+)*$', flags: '' }, EACH_MS)).toBe('worse');
    expect(verdictOf({ source: '\\s*;[^;]* subtype\\b.*$', flags: 'i' }, EACH_MS)).toBe('worse');
    expect(verdictOf({ source: '\\s+$', flags: '' }, EACH_MS)).toBe('quadratic');
    expect(verdictOf({ source: '^\\s*(\\S+)$', flags: '' }, EACH_MS)).toBe('linear');
  });
});
