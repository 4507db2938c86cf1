import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excerptOf } from '../../src/collect/excerpt.ts';
import type { Excerpt } from '../../src/model/evidence.ts';

const texts = ({ parts }: Excerpt, marked = false): readonly string[] =>
  parts.flatMap((part) =>
    'folded' in part
      ? []
      : part.lines.flatMap(({ text, mark }) => (marked && mark === undefined ? [] : [text.trim()])),
  );

const marksOf = (lines: readonly string[], names: readonly string[], words: readonly string[] = []) =>
  texts(excerptOf(lines, { names, words }), true);

const filler = (count: number, text = 'filler'): string[] =>
  Array.from({ length: count }, (_, at) => `${text} ${at}`);

const nodeObject = (name: string, state: string): string =>
  JSON.stringify(
    {
      name,
      comment: '',
      ...Object.fromEntries(filler(40).map((key) => [key, 0])),
      state: [state],
      next_state: 'no',
    },
    undefined,
    2,
  );

describe('an answer opened at what matters', () => {
  it('of JSON the object, its name and the values; everything else is folded and counted', () => {
    const lines = ['node11', 'node12', 'node13'].flatMap((name) => nodeObject(name, `S-${name}`).split('\n'));
    const made = excerptOf(lines, { names: ['node12'], words: ['state'] });
    expect(made.marked).toBe('values');
    expect(texts(made, true)).toEqual(['"name": "node12",', '"state": [', '"S-node12"', '],']);
    const shown = made.parts.reduce(
      (sum, part) => sum + ('folded' in part ? part.folded : part.lines.length),
      0,
    );
    expect(shown).toBe(lines.length);
    expect(texts(made)).not.toContain('"name": "node11",');
  });

  it('node1 is not node12, nor n1 node1; a node set names its members', () => {
    const lines = [
      ...filler(40),
      'node12 down',
      'PARTITION batch node[1-3] idle',
      'node1.cluster up',
      'xnode1',
      'node1-2',
    ];
    expect(marksOf(lines, ['node1'])).toEqual(['PARTITION batch node[1-3] idle', 'node1.cluster up']);
    expect(marksOf(lines, ['n1'])).toEqual([]);
  });

  it('a row of a table brings its titles, a section its heading, an indented record its first line', () => {
    const table = [
      ...filler(40),
      '',
      'NAME STATE',
      '---- -----',
      ...filler(9, 'row'),
      'home0 started',
      ...filler(9, 'row'),
    ];
    expect(texts(excerptOf(table, { names: ['home0'], words: [] }))).toEqual(
      expect.arrayContaining(['NAME STATE', '---- -----', 'home0 started']),
    );
    const section = [...filler(40), '', '[features.locks]', 'path=/a', 'owner=gl1', '', '[other]', 'path=/b'];
    expect(texts(excerptOf(section, { names: ['gl1'], words: [] }))).toEqual(
      expect.arrayContaining(['[features.locks]', 'path=/a', 'owner=gl1']),
    );
    const record = [
      ...filler(40),
      'NodeName=node12',
      '   State=IDLE+DRAIN',
      '   Weight=1',
      'NodeName=node13',
      '   State=DOWN',
    ];
    expect(marksOf(record, ['node12'], ['State'])).toEqual(['NodeName=node12', 'State=IDLE+DRAIN']);
  });

  it('of lines that each say one thing only those of the values', () => {
    const lines = [...filler(40), 'f-OST0001.degraded=1', 'f-OST0001.filesfree=9', 'f-OST0002.degraded=0'];
    expect(marksOf(lines, ['f-OST0001'], ['degraded'])).toEqual(['f-OST0001.degraded=1']);
  });

  it('names without values are said to be that; a text that names nothing is opened at its begin with no mark', () => {
    const lines = filler(100);
    expect(excerptOf([...lines, 'node12'], { names: ['node12'], words: ['state'] }).marked).toBe('names');
    const none = excerptOf(lines, { names: ['node12'], words: ['filler'] });
    expect(none).toMatchObject({ marked: 'nothing', parts: [{ at: 1 }, { at: 21, folded: 80 }] });
    expect(texts(none, true)).toEqual([]);
  });

  it('a host’s own answer is all about it: its values are marked wherever they stand', () => {
    const lines = [...filler(50), 'lock_volume=1', ...filler(50)];
    expect(excerptOf(lines, { names: [], words: ['lock_volume'] }).marked).toBe('values');
    expect(excerptOf(lines, { names: [], words: ['slv'] }).marked).toBe('all');
  });

  it('whatever is looked for, no line is lost or told twice, and no name is a pattern', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 12 }), { maxLength: 90 }),
        fc.string({ minLength: 1, maxLength: 4 }),
        fc.boolean(),
        (lines, name, whole) => {
          const { parts } = excerptOf(lines, { names: [name], words: [name] }, whole);
          const seen = parts.flatMap((part) =>
            'folded' in part
              ? lines.slice(part.at - 1, part.at - 1 + part.folded)
              : part.lines.map(({ text }) => text),
          );
          expect(seen).toEqual(lines);
        },
      ),
    );
    expect(marksOf([...filler(40), 'a+b', 'aab'], ['a+b'])).toEqual(['a+b']);
  });
});
