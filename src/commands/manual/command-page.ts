import type { Command } from 'commander';
import type { System } from '../../model/system.ts';
import type { Page, Part } from './page.ts';
import { topics } from './topics.ts';

/** The manual page of the program, from its own command line and topics. */
export const commandPage = (root: Command, systems: readonly System[]): Page => {
  const commands = root.createHelp().visibleCommands(root);
  return {
    title: 'faultline',
    summary: 'console for the people on call for an HPC cluster',
    parts: [
      { heading: 'Synopsis' },
      {
        code: [
          'faultline [OPTION...]',
          ...commands.map((command) => `faultline ${command.name()} ${command.usage()}`),
        ],
      },
      { heading: 'Description' },
      { text: root.description() },
      {
        text: 'Without a command the console is opened on your own site; faultline-site(5) describes its file.',
      },
      { heading: 'Options' },
      { list: optionList(root) },
      ...commands.flatMap((command): Part[] => {
        const options = optionList(command);
        const given = command.registeredArguments.map(
          (argument) => [argument.name(), argument.description] as const,
        );
        return [
          { heading: `Command ${command.name()}` },
          { text: command.description() },
          ...(given.length + options.length > 0 ? [{ list: [...given, ...options] }] : []),
        ];
      }),
      ...['keys', 'exit-codes', 'roles', 'platforms'].flatMap((name): Part[] => {
        const page = topics[name]?.(systems);
        return page ? [{ heading: page.title }, { text: page.summary }, ...page.parts.map(asSubheading)] : [];
      }),
    ],
  };
};

const optionList = (command: Command): (readonly [string, string])[] =>
  command.options
    .filter(({ hidden }) => !hidden)
    .map(({ flags, description }) => [flags, description] as const);

/** Within a page on more than one thing a heading is a line of its own. */
const asSubheading = (part: Part): Part => ('heading' in part ? { text: `${part.heading}:` } : part);
