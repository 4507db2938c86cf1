const opening = /^([^"{\n]+?)(?=Connecting to host |Server listening on \d|iperf 3\.\d)/m;

/** A prefix as a pattern: `Sat Nov 21 22:47:43 2026 ` fits every other time, a title fits itself. */
const shapeOf = (prefix: string): RegExp => {
  const shape = prefix.replace(/[^\w\s]/g, '\\$&');
  return new RegExp(
    `^${/\d/.test(prefix) ? shape.replace(/[a-zA-Z]/g, '[a-zA-Z]').replace(/[\d ]/g, '[\\d ]') : shape}`,
    'gm',
  );
};

/**
 * The output without what iperf3 puts in front of every line on request (`--timestamps`, `-T title`), and with plain line
 * feeds. A line with another beginning stays as it is.
 */
export const plainLines = (stdout: string): string => {
  const text = stdout.replaceAll('\r\n', '\n');
  const prefix = opening.exec(text)?.[1];
  return prefix === undefined ? text : text.replaceAll(shapeOf(prefix), '');
};
