import type { RawAnswer } from '../../model/answer.ts';
import { decode } from '../../text/bytes.ts';
import { isPlain, visible } from '../../text/safe.ts';
import { quote } from '../../text/shell.ts';

/** More accounts than this are not looked up: somebody put them there to keep us busy. */
const MOST = 20;

/** Those that are named; the rest is a number. */
const SHOWN = 3;

/**
 * Whose the folder and the files in it are. Right are root's, the folder's owner's, our own, and those of accounts that are in the
 * folder's group now: these may write there. `open MODE`: everybody may. `of UID NAME GROUP FILE`: somebody else's; NAME is UNKNOWN for a
 * number without an account. `find` and `id` may miss what goes meanwhile.
 */
export const ownersScript = (dir: string): string =>
  [
    `cd ${quote(dir)} || exit`,
    "set -- $(stat -c '%u %g %G %a' .)",
    '[ $# = 4 ] && find . -maxdepth 0 >/dev/null || exit 4',
    'if echo "$4" | grep -q "[2367]$"; then echo "open $4"; fi',
    `find . -maxdepth 2 ! -user 0 ! -user "$1" ! -user "$(id -u)" -exec stat -c '%u %U' {} + 2>/dev/null | sort -u | head -n ${MOST} | while read -r uid name; do`,
    '  if id -G "$name" 2>/dev/null | tr " " "\\n" | grep -qx "$2"; then continue; fi',
    '  printf "of %s %s %s %s\\n" "$uid" "$name" "$3" "$(find . -maxdepth 2 -user "$uid" 2>/dev/null | head -n 1)"',
    'done',
    'echo end',
  ].join('\n');

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
  const told = lines.slice(0, -1).map(oddOwner);
  const more = told.length - SHOWN;
  return [
    ...told.slice(0, SHOWN),
    ...(more > 0 ? [`files of ${more} more accounts that are not in its group`] : []),
  ];
};

const oddOwner = (line: string): string => {
  const mode = /^open (\d{3,4})$/.exec(line)?.[1];
  if (mode !== undefined)
    return `everybody on its host may write there (mode ${mode}): sudo chmod 2770 there, then see whose files they are`;
  const [, uid, name, group, file = ''] = /^of (\d+) (\S+) (\S+) (?:\.\/)?(.*)$/.exec(line) ?? [];
  if (uid === undefined) return visible(line, 200);
  const what = isPlain(file) && file.length < 200 ? file : 'a file whose name is not plain';
  const who =
    name === 'UNKNOWN'
      ? `number ${uid}, which is no account there`
      : `${visible(name ?? '', 40)} (${uid}), who is not in its group ${visible(group ?? '', 40)}`;
  return `${what} is of ${who}: see what it says and who made it`;
};
