import { dropUndefined } from '../../kit/known.ts';
import type { CommandLine } from '../command-line.ts';
import { UsageError } from '../io.ts';
import { inventoryKinds, type Inventory } from '../options.ts';

interface Flags {
  yes: boolean;
  output?: string;
  sshConfig?: string;
  from?: string[];
}

/** `--from ansible FILE HOST...`: hosts may stand behind the file. */
const splitFrom = (from: readonly string[] | undefined): { from?: Inventory; hosts: readonly string[] } => {
  if (from === undefined) return { hosts: [] };
  const [word, file, ...hosts] = from;
  const kind = inventoryKinds.find((one) => one === word);
  if (kind === undefined || file === undefined)
    throw new UsageError(
      '--from takes a kind and a file; write --from ansible inventory.ini, or --from netbox devices.json',
    );
  return { from: { kind, file }, hosts };
};

export const addInit = ({ root, commands, after, start }: CommandLine): void => {
  root
    .command('init')
    .description('ask the cluster what there is, and write the site file')
    .argument('[host...]', 'hosts to ask first: a Slurm controller, a login node, a switch')
    .option('--yes', 'ask hosts without a question', false)
    .option('--output <file>', 'the site file to write; else ~/.config/faultline/site.yaml')
    .option('--ssh-config <file>', 'an OpenSSH configuration in place of your own')
    .option('--from <kind-and-file...>', 'hosts of an inventory: --from ansible FILE, --from netbox FILE')
    .addHelpText('after', after.init)
    .action(async (typed: string[], { from: given, ...flags }: Flags) => {
      const { hosts, from } = splitFrom(given);
      await start(commands.init, {
        hosts: [...typed, ...hosts],
        yes: flags.yes,
        ...dropUndefined({ output: flags.output, sshConfig: flags.sshConfig, from }),
      });
    });
};
