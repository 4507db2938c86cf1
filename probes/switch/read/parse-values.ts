/**
 * Stands behind the last word of an answer that ends without a newline: that word may be cut. It is no character of any
 * text, fits no number, and texts that hold it are left out of the document.
 */
export const CUT = '\uFFFF';

/** Words by which devices say that there is no value (docs/formats.md, rule 1). */
const nothing =
  /^(?:n\/?a|n\\a|-+|[-+]?\s*inf(?:inity)?|none?|not (?:advertised|available|applicable|present|set))?$/i;

/** A cell as text: trimmed; undefined when it is empty or stands for "no value". */
export const text = (cell: string | undefined): string | undefined => {
  const trimmed = cell?.trim();
  return trimmed === undefined || trimmed === '' || /^(?:n\/a|n\\a|-+)$/i.test(trimmed) ? undefined : trimmed;
};

/** A counter of any size: plain digits or digits grouped by threes. Anything else (`67,00`, `--`) is no value. */
export const count = (cell: string | undefined): bigint | undefined => {
  const trimmed = cell?.trim() ?? '';
  if (/^\d{1,40}$/.test(trimmed)) return BigInt(trimmed);
  return /^\d{1,3}(?:,\d{3}){1,12}$/.test(trimmed) ? BigInt(trimmed.replaceAll(',', '')) : undefined;
};

/** A decimal number at the start of a cell (`-006.0906 dBm`, `3.29 V`); undefined for `N/A`, `- Inf dBm` and the like. */
export const decimal = (cell: string | undefined): number | undefined => {
  const trimmed = cell?.trim() ?? '';
  if (nothing.test(trimmed)) return undefined;
  const match = /^[-+]?\d{1,12}(?:\.\d{1,12})?(?:[eE][-+]?\d{1,3})?(?![\d.:/,\uFFFF]|-\w)/.exec(trimmed);
  return match ? Number(match[0]) : undefined;
};

/** The bytes of a base64 text, undefined when it is none. */
export const base64 = (cell: string | undefined): Uint8Array | undefined => {
  const packed = cell?.replaceAll(/\s/g, '') ?? '';
  if (packed === '' || packed.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(packed)) return undefined;
  return Uint8Array.from(atob(packed), (char) => char.charCodeAt(0));
};

/** A MAC address as devices print it: `14:18:77:09:ae:00`. */
export const macAddress = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(':');

/** `"Ethernet4"` without its quotes, `\"` undone; other text as it is. */
export const removeQuotes = (value: string | undefined): string | undefined => {
  const trimmed = value?.trim();
  if (trimmed === undefined || trimmed.length < 2 || !trimmed.startsWith('"') || !trimmed.endsWith('"'))
    return trimmed;
  return trimmed.slice(1, -1).replaceAll(String.raw`\"`, '"');
};
