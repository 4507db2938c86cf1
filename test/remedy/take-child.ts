import { execFile } from 'node:child_process';
import { createInterface } from 'node:readline';
import { createLocalStore } from '../../src/remedy/lock-local.ts';
import { createSharedStore } from '../../src/remedy/lock-shared.ts';
import { judgeLock } from '../../src/remedy/lock-verdict.ts';
import { createLocks } from '../../src/remedy/locks.ts';
import { endProof } from '../../src/remedy/process-stamp.ts';
import { answer, operator, realTime, self, transportsOf } from './world.ts';

/**
 * `node take-child.ts FOLDER local|shared LOG`: says `ready`, and with each line tries to take the lock of `lag Po98`, says what came of
 * it, and holds it until it is killed. Everything that an ended console had begun is known.
 */
const [folder = '', kind = '', log = ''] = process.argv.slice(2);
let ids = 0;
const newId = (): string => `${process.pid}-${(ids += 1)}`;
const sh = transportsOf(
  ({ script }) =>
    new Promise((resolve) => {
      execFile('sh', ['-c', script], { env: { ...process.env, LC_ALL: 'C' } }, (error, stdout, stderr) =>
        resolve(answer({ exitCode: typeof error?.code === 'number' ? error.code : 0, stdout, stderr })),
      );
    }),
);
const local = createLocalStore(`${folder}/own`, realTime, newId);
const locks = createLocks({
  site: 'test',
  local,
  ...(kind === 'shared' && { shared: createSharedStore({ host: 'adm', dir: folder }, sh, newId) }),
  operator,
  console: self,
  clock: realTime,
  makeId: newId,
});
const place = { file: log, id: '1' };
const judging = {
  parts: { proofOfEnd: endProof(self), operator },
  log: place,
  listActive: () => new Set<string>(),
  settle: async () => ({ state: 'settled', text: 'nothing was begun' }) as const,
};
process.stdout.write('ready\n');
for await (const _ of createInterface({ input: process.stdin })) {
  const taken = await locks.take('lag Po98', {
    purpose: 'race',
    holdMs: 60_000,
    run: `r-${process.pid}`,
    log: place,
    judge: (standing, own) => judgeLock(judging, standing, own),
  });
  process.stdout.write(
    `${taken.state === 'taken' ? `taken ${taken.former?.how ?? 'free'}` : taken.reason}\n`,
  );
}
