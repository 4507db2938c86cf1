import type { RawAnswer } from '../../model/answer.ts';
import { decode } from '../../text/bytes.ts';
import { isPlain, makeSafe } from '../../text/safe.ts';
import { withWords } from '../../text/shell.ts';
import ownersText from './owners.sh';

/** Those that are named; the rest is a number. */
const SHOWN = 3;

/** Whose the folder and the files in it are, as `oddOwners` reads it. */
export const ownersScript = (dir: string): string => withWords(ownersText, dir);

/**
 * What is odd about it, to be told: `events.jsonl is of eve (12345), who is not in its group hpc: see what it says and who made it`.
 * Undefined: the answer was not understood.
 */
export const oddOwners = ({
  exitCode,
  stdout,
}: Pick<RawAnswer, 'exitCode' | 'stdout'>): readonly string[] | undefined => {
  const lines = decode(stdout)
    .split('\n')
    .filter((line) => line !== '');
  if (exitCode !== 0 || lines.at(-1) !== 'end') return undefined;
  const oddLines = lines.slice(0, -1).map(oddOwner);
  const more = oddLines.length - SHOWN;
  return [
    ...oddLines.slice(0, SHOWN),
    ...(more > 0 ? [`files of ${more} more accounts that are not in its group`] : []),
  ];
};

const oddOwner = (line: string): string => {
  const mode = /^open (\d{3,4})$/.exec(line)?.[1];
  if (mode !== undefined)
    return `everybody on its host may write there (mode ${mode}): sudo chmod 2770 there, then see whose files they are`;
  const [, uid, name, group, file = ''] = /^of (\d+) (\S+) (\S+) (?:\.\/)?(.*)$/.exec(line) ?? [];
  if (uid === undefined) return makeSafe(line, 200);
  const what = isPlain(file) && file.length < 200 ? file : 'a file whose name is not plain';
  const who =
    name === 'UNKNOWN'
      ? `number ${uid}, which is no account there`
      : `${makeSafe(name ?? '', 40)} (${uid}), who is not in its group ${makeSafe(group ?? '', 40)}`;
  return `${what} is of ${who}: see what it says and who made it`;
};
