import type { CommandLine, PlanCard } from '../../../src/model/run.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { count } from '../../../src/text/units.ts';

/** One command with what is sent on its standard input, and the hosts to which exactly that is sent, one after the other. */
interface Group {
  line: string;
  input: readonly string[];
  hosts: string[];
}

/** Commands in the order in which they are sent; neighbours of the same bytes, on hosts that differ, stand together. */
const groupsOf = (commands: readonly CommandLine[]): Group[] => {
  const each: { host: string; line: string; input: string[] }[] = [];
  for (const { host, line, stdin } of commands) {
    if (stdin === true) each.at(-1)?.input.push(line);
    else each.push({ host, line, input: [] });
  }
  const groups: Group[] = [];
  for (const { host, line, input } of each) {
    const last = groups.at(-1);
    const same = last?.line === line && last.input.join('\n') === input.join('\n');
    if (last && same && !last.hosts.includes(host)) last.hosts.push(host);
    else groups.push({ line, input, hosts: [host] });
  }
  return groups;
};

/**
 * What is done, before all that stands around it: of a change that is held, where an undo is proven and armed first, the commands of its
 * last host, which are the change itself and no note of it; of others the first command.
 */
export const changeLines = (card: Pick<PlanCard, 'commands' | 'hold'>): readonly string[] => {
  const { hold } = card;
  const commands = card.commands.filter(({ note }) => note !== true);
  if (hold === undefined) return commandLines(card).lines.slice(0, 1);
  const host = commands.at(-1)?.host;
  const change = commands.slice(commands.findLastIndex((command) => command.host !== host) + 1);
  return change.map(({ line, stdin }) => (stdin ? `  < ${line}` : `${host}: ${line}`));
};

/**
 * Every command as it will be sent, byte for byte, and how many there are. What is sent again word for word is not written out again:
 * the same command to several hosts names them together, and a script that was shown above is said to be that one (guard 2).
 */
export const commandLines = ({
  commands,
}: Pick<PlanCard, 'commands'>): { all: number; lines: readonly string[] } => {
  const several = new Set(commands.map(({ host }) => host)).size > 1;
  const shown = new Map<string, string>();
  const lines = groupsOf(commands).flatMap(({ line, input, hosts }) => {
    const name = fold(hosts);
    const head = several ? `${name}: ` : '';
    if (input.length === 0) return [`${head}${line}`];
    const script = input.join('\n');
    const before = shown.get(script);
    if (before !== undefined)
      return [`${head}${line}`, `  < the same ${count(input.length, 'line')} as to ${before}`];
    shown.set(script, name);
    return [`${head}${line}`, ...input.map((text) => `  < ${text}`)];
  });
  return { all: commands.filter(({ stdin }) => stdin !== true).length, lines };
};
