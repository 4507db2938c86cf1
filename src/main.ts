import { cli, report } from './commands/cli.ts';
import { parts } from './commands/parts.ts';

let unwritten: NodeJS.ErrnoException | undefined;
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has seen enough (`| head`) is no fault, and what is being done to machines goes on to its end.
    if (error.code !== 'EPIPE') unwritten ??= error;
  });
}

const { stdin, stdout, stderr, env } = process;
const io = { stdin, stdout, stderr, env };
/**
 * Node's own exit codes for these are 1, which is a warning of `status`, and 13, without a word. The word comes after a screen was left:
 * it would be gone with it.
 */
const endBadly = (error: unknown): void => {
  process.once('exit', () => (process.exitCode = report(error, io)));
  process.exit();
};
process.once('uncaughtException', endBadly);
process.once('beforeExit', () => endBadly(new Error('nothing is left to wait for, and it has not ended')));

const code = await cli(process.argv.slice(2), io, parts);
await new Promise<void>((resolve) => {
  stdout.write('', () => resolve());
});
if (unwritten) stderr.write(`faultline: the output could not be written: ${unwritten.message}\n`);
// Leaves also when something still hangs on a handle.
process.exit(unwritten && code === 0 ? 74 : code);
