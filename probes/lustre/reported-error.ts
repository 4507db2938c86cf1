/** Kinds as in the rules for all formats. */
export interface ReportedError {
  kind: 'notReachable' | 'notPermitted' | 'notFound' | 'timedOut' | 'usage' | 'unsupported' | 'other';
  message: string;
}

const kinds: readonly [RegExp, ReportedError['kind']][] = [
  [/permission denied|operation not permitted/i, 'notPermitted'],
  [/timed out/i, 'timedOut'],
  [/no such (?:file|device)|not found|no suitable lustre mount|no device found/i, 'notFound'],
  [/invalid option|unrecognized|usage:/i, 'usage'],
  [/transport endpoint|resource temporarily|connection|unreachable/i, 'notReachable'],
];

/** The first failure that standard error of `lctl` or `lfs` reports; undefined when it says nothing. */
export const reportedError = (stderr: string | undefined): ReportedError | undefined => {
  const message = (stderr ?? '')
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '');
  if (message === undefined) return undefined;
  return { kind: kinds.find(([form]) => form.test(message))?.[1] ?? 'other', message };
};
