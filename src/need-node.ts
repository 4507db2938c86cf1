import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What `package.json` asks for. */
const OLDEST = 24;

/** Ends an older Node with what to start instead, exit 64: in the middle of the program it would be a stack. */
export const needNode = (program: string): void => {
  const { node } = process.versions;
  if (Number(node.split('.')[0]) >= OLDEST) return;
  const brought = fileURLToPath(new URL('../node_modules/.bin/node', program));
  const instead = existsSync(brought)
    ? `start it with ${brought} ${fileURLToPath(program)}`
    : `install Node ${OLDEST} and start it with that`;
  process.stderr.write(
    `faultline needs Node ${OLDEST} or newer, and ${process.execPath} is ${node}; ${instead}\n`,
  );
  process.exit(64);
};
