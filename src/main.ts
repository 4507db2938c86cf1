import { cli } from './commands/cli.ts';
import { parts } from './commands/parts.ts';

let unwritten: NodeJS.ErrnoException | undefined;
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has seen enough (`| head`) is no fault, and what is being done to machines goes on to its end.
    if (error.code !== 'EPIPE') unwritten ??= error;
  });
}

const { stdin, stdout, stderr, env } = process;
const code = await cli(process.argv.slice(2), { stdin, stdout, stderr, env }, parts);
await new Promise<void>((resolve) => {
  stdout.write('', () => resolve());
});
if (unwritten) stderr.write(`faultline: the output could not be written: ${unwritten.message}\n`);
// Leaves also when something still hangs on a handle.
process.exit(unwritten && code === 0 ? 74 : code);
