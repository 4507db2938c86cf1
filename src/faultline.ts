import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { keepCompiled } from './threads/compile-cache.ts';

/** What `package.json` asks for. */
const OLDEST = 24;

/** Ends an older Node with what to start instead, exit 64: in the middle of the program it would be a stack. */
const needNode = (program: string): void => {
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

/** The entry of the bundle. Nothing may be imported here by a name that Node 20 does not have. */
needNode(import.meta.url);
keepCompiled();
// V8 lets the space for young objects grow to 134 MB in step with the bursts it sees, and keeps it. The first thread stays at 4 MB;
// those that are made later begin with 2 x 8 (decision 0151).
setFlagsFromString('--semi-space-growth-factor=1');
setFlagsFromString('--min-semi-space-size=8');
// V8's own are 400 and 3,000: a quarter of the start's CPU went into optimizing what soon was not called any more (decision 0153).
setFlagsFromString('--invocation-count-for-maglev=2000');
setFlagsFromString('--invocation-count-for-turbofan=15000');
await import('./main.ts');
