const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  '\\': '\\',
  '"': '"',
};

const escapes = (text: string): string =>
  text.replace(/\\(0?[0-7]{1,3}|[ntrabfv\\"])/g, (_, code: string) =>
    code in ESCAPES ? (ESCAPES[code] ?? '') : String.fromCharCode(Number.parseInt(code, 8) & 0xff),
  );

const formatOne = (
  flags: string,
  width: number,
  precision: number | undefined,
  kind: string,
  arg: string,
): string => {
  const text = convertArg(kind, arg, precision);
  if (flags.includes('-')) return text.padEnd(width);
  return flags.includes('0') && 'dxo'.includes(kind) ? text.padStart(width, '0') : text.padStart(width);
};

const convertArg = (kind: string, arg: string, precision: number | undefined): string => {
  if (kind === 'b') return escapes(arg);
  if (kind === 'c') return arg.slice(0, 1);
  if (kind === 'd' || kind === 'i' || kind === 'u') return String(Math.trunc(Number(arg) || 0));
  if (kind === 'x') return Math.trunc(Number(arg) || 0).toString(16);
  if (kind === 'o') return Math.trunc(Number(arg) || 0).toString(8);
  return precision === undefined ? arg : arg.slice(0, precision);
};

/** printf(1) of sh: the format is used again while arguments are left. */
export const printf = (format: string, args: readonly string[]): string => {
  const left = [...args];
  const parts: string[] = [];
  do {
    const before = left.length;
    parts.push(
      format.replace(
        /%([-0+ #]*)(\d*)(?:\.(\d+))?([sdiuxocb%])|\\(?:0?[0-7]{1,3}|[ntrabfv\\"])/g,
        (found, flags: string, width: string, precision: string | undefined, kind: string | undefined) => {
          if (kind === undefined) return escapes(found);
          if (kind === '%') return '%';
          return formatOne(
            flags,
            Number(width),
            precision === undefined ? undefined : Number(precision),
            kind,
            left.shift() ?? '',
          );
        },
      ),
    );
    if (left.length === before) break;
  } while (left.length > 0);
  return parts.join('');
};
