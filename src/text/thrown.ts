/** What an error says, or whatever else was thrown. */
export const thrownText = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Node's and the operating system's name of an error, as `ENOENT`; undefined: it has none. */
export const thrownCode = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;
