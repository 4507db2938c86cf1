import part from '../../kit/part.sh';
import { findPart, splitSections } from '../../kit/sections.ts';
import type { Discovery, Printed } from '../../model/discover.ts';
import { quote } from '../../text/shell.ts';

/** A command for a machine with a shell, and who wants to know. */
export interface Question {
  line: string;
  for: readonly { system: string; name: string }[];
}

/** What this program itself wants to know of a machine, besides what the systems ask. */
export const OWN = 'init';

/** How it calls itself and by which addresses others may mean it. */
const ofEach: Readonly<Record<string, string>> = { name: 'uname -n', addresses: 'hostname -I' };

/** Lists of hosts that people keep; asked only where somebody pointed at. */
const ofPointed: Readonly<Record<string, string>> = {
  groups: 'command -v nodeset && nodeset -LL',
  genders: 'cat /etc/genders',
};

const ownQuestions = (isPointedAt: boolean): Discovery['commands'] =>
  isPointedAt ? { ...ofEach, ...ofPointed } : ofEach;

/** What a machine is asked, by what is known of its roles; what several systems want to know is asked once. */
export const questionsFor = (
  discoveries: readonly Discovery[],
  roles: ReadonlySet<string>,
  isPointedAt: boolean,
): Question[] => {
  const all = [{ system: OWN, commands: ownQuestions(isPointedAt) }, ...discoveries].flatMap(
    ({ system, commands }) =>
      Object.entries(commands).flatMap(([name, command]) => {
        const { line, notOf } = typeof command === 'string' ? { line: command, notOf: [] } : command;
        return notOf.some((role) => roles.has(role)) ? [] : [{ system, name, line }];
      }),
  );
  return [...Map.groupBy(all, ({ line }) => line)].map(([line, some]) => ({ line, for: some }));
};

/** Seconds for each command: one that hangs (a dead file system, a stopped daemon) leaves time for the others. */
const EACH_S = 8;

/** The questions as one script that changes nothing; each answer stands between marks, with how the command ended. */
export const scriptOf = (questions: readonly Question[]): string =>
  [
    part,
    ...questions.map(({ line }, at) => `part q${at} timeout -k 1 ${EACH_S} sh -c ${quote(line)}`),
    'say end',
  ].join('\n');

/** What a machine printed, by system and name of the command; empty where no shell answered. */
export type Answers = ReadonlyMap<string, ReadonlyMap<string, Printed>>;

/** A command whose marks stand there twice printed some of its own: nothing is known of it then. */
export const answersIn = (stdout: string, questions: readonly Question[]): Answers => {
  const sections = splitSections(stdout);
  const answers = new Map<string, Map<string, Printed>>();
  for (const [at, { for: wanted }] of questions.entries()) {
    const found = findPart(sections, `q${at}`);
    if (!found || !Number.isInteger(found.code)) continue;
    for (const { system, name } of wanted) {
      const own = answers.get(system) ?? new Map<string, Printed>();
      answers.set(system, own.set(name, found));
    }
  }
  return answers;
};
