import type { CommandLine } from './command-line.ts';
import { requireKnownWord } from './options.ts';

/** `faultline help act`, `faultline help keys`. */
export const addHelp = ({ root, commands, start }: CommandLine): void => {
  root
    .command('help')
    .description('a command, or: keys, site, exit-codes, roles, platforms')
    .argument('[topic]')
    .action(async (topic: string | undefined) => {
      if (topic === undefined) return root.outputHelp();
      const command = root.commands.find((sub) => sub.name() === topic);
      if (command) return command.outputHelp();
      await start(commands.help, { topic, commands: commandNames(root) });
    });
};

/** The script for a shell, and what it asks at each Tab. */
export const addCompletion = ({ root, commands, names, start }: CommandLine): void => {
  root
    .command('completion')
    .description('what bash, zsh or fish reads to complete words: source <(faultline completion bash)')
    .argument('<shell>', 'bash, zsh or fish')
    .action(async (shell: string) =>
      start(commands.completion, { shell: requireKnownWord('shell', shell, ['bash', 'zsh', 'fish']) }),
    );
  root
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action(async (words: string[]) =>
      start(commands.complete, { root, words, names: { ...names, commands: () => commandNames(root) } }),
    );
};

const commandNames = (root: CommandLine['root']): string[] =>
  root
    .createHelp()
    .visibleCommands(root)
    .map((command) => command.name());
