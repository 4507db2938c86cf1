import { NotThisFormat } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import { findError, type SlurmError } from './errors.ts';

/**
 * Records of `Key=value` words as `scontrol show partition` and `show reservation` print them, with or without `-o`:
 * a record starts at column 0 with `start=`. `(null)`, `N/A`, `None` and empty values are left out. For outputs whose
 * values hold no blanks; a line outside records is counted in `notUnderstood`.
 */
const parseRecords = (
  output: string,
  start: string,
): { records: ReadonlyMap<string, string>[]; notUnderstood: number } => {
  const records: Map<string, string>[] = [];
  let notUnderstood = 0;
  for (const line of output.split('\n')) {
    if (line.startsWith(`${start}=`)) records.push(new Map());
    const current = records.at(-1);
    if (line.trim() === '' || /^No \w+ in the system/.test(line)) continue;
    if (!current || (!line.startsWith(' ') && !line.startsWith(`${start}=`))) {
      notUnderstood += 1;
      continue;
    }
    for (const word of line.trim().split(/\s+/)) {
      const at = word.indexOf('=');
      const value = word.slice(at + 1);
      if (at > 0 && !/^(?:|\(null\)|n\/a|none)$/i.test(value)) current.set(word.slice(0, at), value);
    }
  }
  return { records, notUnderstood };
};

/** The same as rows; an output without records must say that there are none, or why. `name`: of what. */
export const readRecords = <T>(
  { stdout, stderr = '', exitCode }: ParseInput,
  start: string,
  name: string,
  rowOf: (record: ReadonlyMap<string, string>) => T,
): { rows: T[]; notUnderstood: number; error?: SlurmError } => {
  const { records, notUnderstood } = parseRecords(stdout, start);
  const isThere = records.length > 0;
  const saysNone = !isThere && new RegExp(`^No ${name} in the system`, 'm').test(stdout);
  // Beside an answer standard error holds what is wrong of slurm.conf (`The option "FastSchedule" is defunct`, read_config.c).
  const isAnswer = (isThere || saysNone) && !exitCode;
  const error = isAnswer ? undefined : findError(`${stderr}\n${isThere ? '' : stdout}`);
  if (error) return { rows: [], notUnderstood: 0, error };
  if (!isThere && !saysNone) throw new NotThisFormat(`no line starts with ${start}=`);
  return { rows: records.map(rowOf), notUnderstood };
};
