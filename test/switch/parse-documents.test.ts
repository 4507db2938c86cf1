import { describe, expect, it } from 'vitest';
import { jsonIn } from '../../probes/switch/read/parse-json.ts';
import { readableLines } from '../../probes/switch/read/parse-lines.ts';
import { findEverywhere, textAt, xmlIn } from '../../probes/switch/read/parse-tree.ts';

describe('JSON in an answer', () => {
  it('is found behind an echo and keeps 64-bit numbers', () => {
    expect(jsonIn('sw1# show x | json\n{"a": 18446744073709551615, "b": 1.5}')).toEqual({
      a: 18446744073709551615n,
      b: 1.5,
    });
  });

  it('gives what is whole when it was cut off', () => {
    expect(jsonIn('{"a": {"b": [1, 2, 33')).toEqual({ a: { b: [1, 2] } });
    expect(jsonIn('{"a": "x", "b": "tru')).toEqual({ a: 'x' });
    expect(jsonIn('[{"n": 1}, {"n": 2')).toEqual([{ n: 1 }, {}]);
  });

  it('ends before a prompt', () => expect(jsonIn('{"a": 1}\nsw1# ')).toEqual({ a: 1 }));

  it.each(['', 'no json', '{master:0}', '{', '}{'])('%s is none that says anything', (answer) =>
    expect([undefined, {}]).toContainEqual(jsonIn(answer)),
  );
});

describe('XML in an answer', () => {
  it('may be several documents in one reply', () => {
    const answer = '<?xml version="1.0"?>\n<r><n>1</n></r>\n<?xml version="1.0"?>\n<r><n>2</n></r>';
    expect(findEverywhere(xmlIn(answer), 'n').map((one) => one.text)).toEqual(['1', '2']);
  });

  it('gives the elements that were closed when it was cut off', () => {
    const [tree] = xmlIn('sw1> show x | display xml\n<a><b>1</b><c>12');
    expect(textAt(tree, 'a', 'b')).toBe('1');
    expect(textAt(tree, 'a', 'c')).toBeUndefined();
  });

  it('does not grow by entities of its own', () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "${'x'.repeat(1000)}">]><x><y>&a;&lt;</y></x>`;
    expect(JSON.stringify(xmlIn(bomb)).length).toBeLessThan(2000);
  });
});

describe('lines of an answer', () => {
  it('are as a screen would show them', () => {
    expect(readableLines('\u001b[1mbold\u001b[0m\r\nabc\bX\r\n--More--\r        \rnext')).toEqual([
      'bold',
      'abX',
      'next',
    ]);
  });

  it('lose a pager prompt, and the line of one that stands alone', () => {
    expect(readableLines('a\n ---- More ---- b\n--More--\nc\n\nd')).toEqual(['a', 'b', 'c', '', 'd']);
  });

  it('lose what the terminal erased in them', () => {
    expect(readableLines('a\n-- MORE --, next page: Space\u001b[2K  b')).toEqual(['a', '  b']);
  });

  it('lose the indentation they share', () => {
    expect(readableLines('    a\n\n      b')).toEqual(['a', '', '  b']);
  });
});
