import type { CommandLine, PlanCard } from '../../../src/model/run.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { count } from '../../../src/text/units.ts';

/** One command with what is sent on its standard input. */
interface Sent {
  host: string;
  line: string;
  /** It arms an undo, or only writes down. */
  folded: boolean;
  input: CommandLine[];
}

/** The same with the lines to show, and the hosts to which exactly that is sent, one after the other. */
interface Group {
  line: string;
  input: readonly string[];
  hosts: string[];
}

const sentOf = (commands: readonly CommandLine[]): readonly Sent[] => {
  const each: Sent[] = [];
  for (const command of commands) {
    if (command.stdin === true) each.at(-1)?.input.push(command);
    else each.push({ ...command, folded: command.folded === true, input: [] });
  }
  return each;
};

/** Commands in the order in which they are sent; neighbours of the same bytes, on hosts that differ, stand together. */
const groupsOf = (each: readonly Sent[], inputOf: (one: Sent) => readonly string[]): Group[] => {
  const groups: Group[] = [];
  for (const one of each) {
    const { host, line } = one;
    const input = inputOf(one);
    const last = groups.at(-1);
    const same = last?.line === line && last.input.join('\n') === input.join('\n');
    if (last && same && !last.hosts.includes(host)) last.hosts.push(host);
    else groups.push({ line, input, hosts: [host] });
  }
  return groups;
};

const isSeveral = (commands: readonly CommandLine[]): boolean =>
  new Set(commands.map(({ host }) => host)).size > 1;

/**
 * What changes something, byte for byte and in the order in which it is sent: without what arms an undo or writes down, and of long
 * scripts the lines that they name. A script that stands above already is not repeated.
 */
export const changeLines = ({ commands }: Pick<PlanCard, 'commands'>): readonly string[] => {
  const several = isSeveral(commands);
  const shown = new Set<string>();
  const each = sentOf(commands).filter(({ folded }) => !folded);
  return groupsOf(each, inputShown).flatMap(({ line, input, hosts }) => {
    const script = input.join('\n');
    const isNew = !shown.has(script);
    shown.add(script);
    return [`${several ? `${fold(hosts)}: ` : ''}${line}`, ...(isNew ? input : [])];
  });
};

const inputShown = ({ input }: Sent): readonly string[] => {
  const lines = input.filter(({ folded }) => folded !== true).map(({ line }) => `  < ${line}`);
  const folded = input.length - lines.length;
  return folded === 0 ? lines : [...lines, `  (${count(folded, 'line')} more of this script)`];
};

/**
 * Every command as it will be sent, byte for byte, and how many there are. What is sent again word for word is not written out again:
 * the same command to several hosts names them together, and a script that was shown above is said to be that one (guard 2).
 */
export const commandLines = ({
  commands,
}: Pick<PlanCard, 'commands'>): { all: number; lines: readonly string[] } => {
  const several = isSeveral(commands);
  const shown = new Map<string, string>();
  const each = sentOf(commands);
  const lines = groupsOf(each, ({ input }) => input.map(({ line }) => line)).flatMap(
    ({ line, input, hosts }) => {
      const name = fold(hosts);
      const head = several ? `${name}: ` : '';
      if (input.length === 0) return [`${head}${line}`];
      const script = input.join('\n');
      const before = shown.get(script);
      if (before !== undefined)
        return [`${head}${line}`, `  < the same ${count(input.length, 'line')} as to ${before}`];
      shown.set(script, name);
      return [`${head}${line}`, ...input.map((text) => `  < ${text}`)];
    },
  );
  return { all: each.length, lines };
};
