import { quote, shellCommand } from '../../text/shell.ts';
import type { Needs } from './needs.ts';

const MARK = 'faultline-doctor';

/** One command of the script and what it said. */
export interface Section {
  exitCode: number;
  /** Both streams, trimmed. */
  text: string;
}

const section = (key: string, command: string): string[] => [`${command} 2>&1`, `echo "${MARK} ${key} $?"`];

/** The script that looks at a host: each command, then a line with its name and exit code. Changes nothing. */
export const doctorScript = (needs: Needs): string =>
  [
    ...section('clock', 'date +%s'),
    ...section('user', 'id -un'),
    ...section('kernel', 'uname -sr'),
    ...needs.commands.flatMap((name, at) => section(`tool${at}`, `command -v ${quote(name)}`)),
    ...needs.versions.flatMap((argv, at) => section(`version${at}`, shellCommand(argv))),
    ...section('sudo', 'sudo -n true'),
    ...(needs.folder === undefined
      ? []
      : [
          // Its own entry says why it can't be had: not there, no folder, closed to this login.
          ...section('folder', `ls -d ${quote(needs.folder)}/.`),
          ...section('writable', `test -w ${quote(needs.folder)}`),
          ...section('mode', `stat -c %a ${quote(needs.folder)}`),
          ...section('mounted', `findmnt -no OPTIONS -T ${quote(needs.folder)}`),
          ...section('room', `stat -f -c '%a %c %d' ${quote(needs.folder)}`),
        ]),
  ].join('\n');

/** What the script printed, by section; sections that never came are missing. */
export const readSections = (stdout: string): ReadonlyMap<string, Section> => {
  const sections = new Map<string, Section>();
  let lines: string[] = [];
  for (const line of stdout.split('\n')) {
    const match = new RegExp(`^(.*)${MARK} ([a-z]+\\d*) (\\d+)$`).exec(line);
    if (!match) {
      lines.push(line);
      continue;
    }
    // A last line without its line feed stands before the mark.
    lines.push(match[1] ?? '');
    sections.set(match[2] ?? '', { exitCode: Number(match[3]), text: lines.join('\n').trim() });
    lines = [];
  }
  return sections;
};
