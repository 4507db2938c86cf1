import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  FrameError,
  MAX_SCRIPT_BYTES,
  PRELUDE,
  RequestDecoder,
  encode,
  encodeAnswer,
  newNonce,
  readEnding,
} from '../../src/transport/frame.ts';
import { StreamDecoder } from '../../src/transport/frame-stream.ts';

/** Text a script may hold: no NUL, well formed. */
const script = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0'));

/** Cuts bytes at arbitrary places, as a network does. */
const chunked = (bytes: Uint8Array, cuts: readonly number[]): Buffer[] => {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((to, at) => Buffer.from(bytes.subarray(places[at], to)));
};

describe('requests', () => {
  it('come out as they went in, wherever the bytes are cut', () => {
    const request = fc.record(
      { script, seconds: fc.integer({ min: 1, max: 86_400 }), stdin: script },
      { requiredKeys: ['script', 'seconds'] },
    );
    fc.assert(
      fc.property(fc.array(request, { maxLength: 4 }), fc.array(fc.nat(10_000)), (requests, cuts) => {
        const sent = requests.map((one) => ({ ...one, nonce: newNonce() }));
        const bytes = Buffer.from(
          PRELUDE + sent.map((one) => encode(one.script, one.seconds, one.nonce, one.stdin)).join(''),
        );
        const decoder = new RequestDecoder();
        expect(chunked(bytes, cuts).flatMap((chunk) => decoder.push(chunk))).toEqual(sent);
      }),
    );
  });

  it.each([
    ['a NUL byte', 'a\0b'],
    ['text that is not valid', 'a\udc80b'],
    ['more than 100 kB', 'x'.repeat(MAX_SCRIPT_BYTES + 1)],
  ])('with %s are refused', (_, bad) => {
    expect(() => encode(bad, 1, newNonce())).toThrow(FrameError);
  });

  it('may be exactly as long as the limit', () => {
    expect(encode('é'.repeat(MAX_SCRIPT_BYTES / 2), 1, newNonce())).toContain('é');
  });

  it('are refused by the simulated shell when they are anything else', () => {
    expect(() => new RequestDecoder().push(Buffer.from('rm -rf /\n'))).toThrow(FrameError);
    expect(() => new RequestDecoder().push(Buffer.from(`${PRELUDE}rm -rf /\n`))).toThrow(FrameError);
  });

  it("come out behind another version's functions, too", () => {
    const [environment, streams] = PRELUDE.split('\n');
    const nonce = newNonce();
    const decoder = new RequestDecoder();
    const older = `${environment}\n${streams}\nfl() { sh -c "$3"; }\nfs() { sh -c "$3"; }\n`;
    expect(chunked(Buffer.from(older), [10, 200]).flatMap((chunk) => decoder.push(chunk))).toEqual([]);
    expect(decoder.push(Buffer.from(encode('date', 8, nonce)))).toEqual([
      { nonce, seconds: 8, script: 'date' },
    ]);
    const other = `${environment}\n${streams}\nfl() { :; }\nrm -rf /\n`;
    expect(() => new RequestDecoder().push(Buffer.from(other))).toThrow(FrameError);
  });

  it('have a nonce of their own each', () => {
    const nonces = Array.from({ length: 100 }, newNonce);
    expect(new Set(nonces).size).toBe(100);
    expect(nonces.every((nonce) => /^fl[0-9a-f]{32}$/.test(nonce))).toBe(true);
  });
});

describe('answers', () => {
  const bytes = fc.uint8Array({ maxLength: 300 });
  /** Bytes that look like markers: newlines, the letters of a nonce, other nonces. */
  const confusing = fc
    .array(fc.oneof(fc.constantFrom('\n', 'fl', `\n${newNonce()} 0\n`, `${newNonce()}\n`, '\0'), fc.string()))
    .map((parts) => new Uint8Array(Buffer.from(parts.join(''))));

  it('are exact, whatever the bytes, the noise before and after, and the cuts', () => {
    fc.assert(
      fc.property(
        fc.oneof(bytes, confusing),
        confusing,
        fc.array(fc.nat(1000)),
        fc.nat(255),
        (content, noise, cuts, exitCode) => {
          const nonce = newNonce();
          const { stdout } = encodeAnswer(nonce, { stdout: content, exitCode });
          const decoder = new StreamDecoder(nonce, 1_000_000);
          for (const chunk of chunked(Buffer.concat([noise, stdout, noise]), cuts)) decoder.push(chunk);
          expect(decoder.state).toBe('done');
          expect(decoder.content()).toEqual(Buffer.from(content));
          expect(decoder.tail).toBe(` ${exitCode}`);
        },
      ),
    );
  });

  it('are cut at the limit but counted to their end', () => {
    fc.assert(
      fc.property(bytes, fc.nat(300), fc.array(fc.nat(1000)), (content, limit, cuts) => {
        const nonce = newNonce();
        const decoder = new StreamDecoder(nonce, limit);
        const { stderr } = encodeAnswer(nonce, { stderr: content });
        for (const chunk of chunked(stderr, cuts)) decoder.push(chunk);
        expect(decoder.content()).toEqual(Buffer.from(content.subarray(0, limit)));
        expect(decoder.bytes).toBe(content.length);
        expect(decoder.truncated).toBe(content.length > limit);
      }),
    );
  });

  it('that break off keep what had come', () => {
    fc.assert(
      fc.property(bytes, fc.array(fc.nat(1000)), (content, cuts) => {
        const nonce = newNonce();
        const decoder = new StreamDecoder(nonce, 1000);
        const whole = Buffer.concat([Buffer.from(`${nonce}\n`), content]);
        for (const chunk of chunked(whole, cuts)) decoder.push(chunk);
        decoder.end();
        expect(decoder.content()).toEqual(Buffer.from(content));
        expect(decoder.tail).toBeUndefined();
      }),
    );
  });
});

describe('the end of an answer', () => {
  it.each([
    [' 0', { exitCode: 0 }],
    [' 0  ', { exitCode: 0 }],
    [' 3 100.05 100.25', { exitCode: 3, hostMs: 200 }],
    [' 137 99999999.99 100000001.00', { exitCode: 137, hostMs: 1010 }],
    // A clock that went back tells nothing.
    [' 0 100.25 100.05', { exitCode: 0 }],
  ])('%j is read', (tail, expected) => expect(readEnding(tail)).toEqual(expected));

  it.each([
    '',
    ' ',
    ' lost  ',
    ' lost 1.00 2.00',
    ' 0x',
    ' 0 1.00',
    ' 0 1.00 2.00 3.00',
    ' 0 a b',
    '0',
    ' 1234',
  ])('%j is no end of a command', (tail) => expect(readEnding(tail)).toBeUndefined());
});
