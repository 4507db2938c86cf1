import { firstLine } from '../../../src/kit/answers.ts';
import { errorSorter, type ReportedError } from '../../../src/kit/reported-error.ts';

const sortError = errorSorter([
  [/permission denied|operation not permitted/i, 'notPermitted'],
  [/timed out/i, 'timedOut'],
  [/no such (?:file|device)|not found|no suitable lustre mount|no device found/i, 'notFound'],
  [/invalid option|unrecognized|usage:/i, 'usage'],
  [/transport endpoint|resource temporarily|connection|unreachable/i, 'notReachable'],
]);

/** The first failure that standard error of `lctl` or `lfs` reports; undefined when it says nothing. */
export const reportedError = (stderr: string | undefined): ReportedError | undefined => {
  const message = firstLine(stderr ?? '');
  return message === '' ? undefined : sortError(message);
};
