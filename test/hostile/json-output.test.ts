import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FIRST_PREV, encodeLine } from '../../src/audit/audit-line.ts';
import { documentOf } from '../../src/commands/act/text.ts';
import { jsonText } from '../../src/commands/io.ts';
import { run as parse } from '../../src/commands/parse.ts';
import { isPlain, makeSafe } from '../../src/text/safe.ts';
import { auditIn, emptyHome } from '../commands/audit-home.ts';
import { fakeIo } from '../commands/fake-io.ts';

/** C1, DEL, bidi, zero width, the separators of lines and paragraphs, Hebrew, an emoji, a tag, a heap of marks. */
const hostile =
  'a\u0085\u009b31mb\u007f\u202ec\u2066\u200b\ufeff\u2028\u2029\u05d0\u{1f525}\u{e0041}e\u0301\u0302\u0303\u001b[2J';

/** The document in a text whose every line a terminal draws as it is. */
const drawn = (text: string): unknown => {
  expect(text.split('\n').filter((line) => !isPlain(line))).toEqual([]);
  return JSON.parse(text);
};

describe('JSON that is printed', () => {
  it('holds nothing but plain text, and says the same, whatever the texts and keys', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' })), (value) => {
        expect(drawn(jsonText(value, 1))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    expect(drawn(jsonText({ [hostile]: [hostile] }))).toEqual({ [hostile]: [hostile] });
  });

  it('leaves what is plain as it is, also beyond ASCII', () => {
    const plain = { näme: 'Grüße «1 µm» 日本 — ⏎', wide: 2n ** 60n };
    expect(jsonText(plain)).toBe('{"näme":"Grüße «1 µm» 日本 — ⏎","wide":1152921504606846976}');
    expect(jsonText({ text: makeSafe(hostile) })).toBe(JSON.stringify({ text: makeSafe(hostile) }));
  });

  it('parse', async () => {
    const { io, out } = fakeIo(
      `  0 UP mgc ${hostile.replaceAll(/\s/gu, '')} 8bd9c3a1-0000-0000-0000-000000000001 5\n`,
    );
    expect(await parse({ format: 'lustre.devices' }, io)).toBe(0);
    expect(JSON.stringify(drawn(out()))).toContain('\u202e');
  });

  it('audit', async () => {
    const { state, file } = emptyHome();
    const record = {
      seq: 1,
      at: new Date().toISOString(),
      monoMs: 1,
      prev: FIRST_PREV,
      kind: 'note' as const,
      operator: hostile,
      uid: 1,
      console: { host: 'c1', pid: 1, version: '1' },
      site: 'demo',
      detail: { text: hostile },
    };
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${encodeLine(record)}\n`);
    const { out } = await auditIn(state, { json: true });
    expect(JSON.stringify(drawn(out))).toContain('demo');
  });

  it('act', () => {
    const off = { dryRun: false, keepIfVerified: false, demo: false };
    const options = { action: 'fake.resume', targets: [hostile], set: {}, json: true, ...off };
    const done = { outcome: 'refused', refused: { guard: '1 read-only', reason: hostile } } as const;
    expect(JSON.stringify(drawn(jsonText(documentOf(options, hostile, done), 1)))).toContain('\u202e');
  });
});
