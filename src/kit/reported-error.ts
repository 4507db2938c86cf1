/** A failure in a tool's own words, with its kind as the rules for all formats name it (docs/formats.md). */
export interface ReportedError<Kind extends string = string> {
  kind: Kind | 'other';
  message: string;
}

/** Sorts failures by a tool's words: the first form that fits says the kind. The text decides, never the exit code. */
export const errorSorter =
  <Kind extends string>(kinds: readonly (readonly [form: RegExp, kind: Kind])[]) =>
  (message: string): ReportedError<Kind> => ({
    kind: kinds.find(([form]) => form.test(message))?.[1] ?? 'other',
    message: message.trim(),
  });
