/** Kinds as in the rules for all formats. */
export interface ReportedError {
  kind: 'notReachable' | 'notPermitted' | 'notFound' | 'locked' | 'timedOut' | 'usage' | 'other';
  message: string;
}

const kinds: readonly [RegExp, ReportedError['kind']][] = [
  [/connection failed|daemon is operational|transport endpoint|not connected/i, 'notReachable'],
  [/another transaction|locking failed|lock held|unable to (?:get|acquire) lock/i, 'locked'],
  [/does not exist|not found|no volumes present/i, 'notFound'],
  [/timed out/i, 'timedOut'],
  [/permission|not permitted|must be root/i, 'notPermitted'],
  [/^usage:|unrecognized|wrong/i, 'usage'],
];

/** A failure as `gluster` words it, with its kind. The text decides, never the exit code (`--xml` failures exit 0). */
export const asError = (message: string): ReportedError => ({
  kind: kinds.find(([form]) => form.test(message))?.[1] ?? 'other',
  message: message.trim(),
});

/** The failure of a document that does not hold what was asked: its own words, or those of standard error. */
export const failureText = (stdout: string, stderr: string | undefined): string | undefined => {
  const text = [stderr ?? '', stdout].map((part) => part.trim()).find((part) => part !== '');
  return text !== undefined &&
    !text.startsWith('<') &&
    /fail|error|not |unable|timed out|does not|another transaction/i.test(text)
    ? text
    : undefined;
};
