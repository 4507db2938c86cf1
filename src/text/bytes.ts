const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** UTF-8 to text; each byte that is not valid UTF-8 becomes the lone surrogate U+DCNN, so nothing is lost. */
export const decode = (bytes: Uint8Array): string => {
  try {
    return decodeStrict(bytes);
  } catch {
    return decodeLossless(bytes);
  }
};

/**
 * Longer texts Node lays outside the thread's own heap, where 13 MB every ten seconds leave holes that are never given back
 * (measured: 14 MB for each parsing thread).
 */
const SLICE = 512 * 1024;

const decodeStrict = (bytes: Uint8Array): string => {
  if (bytes.length <= SLICE) return strict.decode(bytes);
  const parts: string[] = [];
  for (let from = 0, to = 0; from < bytes.length; from = to) {
    to = boundary(bytes, from + SLICE);
    parts.push(strict.decode(bytes.subarray(from, to)));
  }
  return parts.join('');
};

/** Where a character begins, at most three bytes before; in bytes that are no text anywhere. */
const boundary = (bytes: Uint8Array, at: number): number => {
  const isInside = (place: number): boolean => ((bytes[place] ?? 0) & 0xc0) === 0x80;
  return [at, at - 1, at - 2, at - 3].find((place) => !isInside(place)) ?? at;
};

const decodeLossless = (bytes: Uint8Array): string => {
  const parts: string[] = [];
  let from = 0;
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    if (at > from) parts.push(strict.decode(bytes.subarray(from, at)));
    parts.push(String.fromCharCode(0xdc00 + (bytes[at] ?? 0)));
    at += 1;
    from = at;
  }
  if (at > from) parts.push(strict.decode(bytes.subarray(from, at)));
  return parts.join('');
};

/**
 * Length of the valid UTF-8 sequence at a place, 0 when there is none (RFC 3629: no overlong forms, no surrogates, nothing
 * above U+10FFFF). By hand, because a megabyte of binary would throw half a million times.
 */
const sequenceLength = (bytes: Uint8Array, at: number): number => {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  const length = lead >= 0xf5 ? 0 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  const second = bytes[at + 1] ?? 0;
  if (second < (lowest[lead] ?? 0x80) || second > (highest[lead] ?? 0xbf)) return 0;
  for (let next = at + 2; next < at + length; next++) {
    if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0;
  }
  return length;
};

const lowest: Readonly<Record<number, number>> = { 0xe0: 0xa0, 0xf0: 0x90 };
const highest: Readonly<Record<number, number>> = { 0xed: 0x9f, 0xf4: 0x8f };
