import { errorSorter } from '../../../src/kit/reported-error.ts';

/** A failure as `gluster` words it, with its kind: `--xml` failures exit 0. */
export const asError = errorSorter([
  [/connection failed|daemon is operational|transport endpoint|not connected/i, 'notReachable'],
  [/another transaction|locking failed|lock held|unable to (?:get|acquire) lock/i, 'locked'],
  [/does not exist|not found|no volumes present/i, 'notFound'],
  [/timed out/i, 'timedOut'],
  [/permission|not permitted|must be root/i, 'notPermitted'],
  [/^usage:|unrecognized|wrong/i, 'usage'],
]);

export type ReportedError = ReturnType<typeof asError>;

/** The failure of a document that does not hold what was asked: its own words, or those of standard error. */
export const failureText = (stdout: string, stderr: string | undefined): string | undefined => {
  const text = [stderr ?? '', stdout].map((part) => part.trim()).find((part) => part !== '');
  return text !== undefined &&
    !text.startsWith('<') &&
    /fail|error|not |unable|timed out|does not|another transaction/i.test(text)
    ? text
    : undefined;
};
