import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { emptyFolder } from '../helpers/folder.ts';

type Taker = ChildProcessByStdio<Writable, Readable, null>;

const script = new URL('./take-child.ts', import.meta.url).pathname;
/** Scripts in `*.sh` are modules to it, too. */
const hooks = new URL('../../scripts/shell-hooks.ts', import.meta.url).pathname;
const all: Taker[] = [];
afterEach(() => {
  for (const child of all.splice(0)) child.kill('SIGKILL');
});

const line = async (child: Taker): Promise<string> => {
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  return chunk.toString().trim();
};

/** A console that stands ready to take the lock. */
const taker = async (folder: string, kind: string): Promise<Taker> => {
  const child: Taker = spawn(process.execPath, ['--import', hooks, script, folder, kind, '/x/audit.jsonl'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  all.push(child);
  expect(await line(child)).toBe('ready');
  return child;
};

const take = (child: Taker): Promise<string> => {
  const said = line(child);
  child.stdin.write('go\n');
  return said;
};

describe.each(['local', 'shared'])('guard 12 a dead lock, %s, and many real consoles', (kind) => {
  it('exactly one takes it over, three times running', async () => {
    const folder = emptyFolder('race');
    const consoles = await Promise.all(Array.from({ length: 6 }, () => taker(folder, kind)));
    let holder = consoles.pop();
    if (holder === undefined) throw new Error('no console');
    expect(await take(holder)).toBe('taken free');
    for (let round = 0; round < 3; round++) {
      // While its holder lives nobody has it.
      for (const said of await Promise.all(consoles.map(take)))
        expect(said).toMatch(/its console may be at work: ask alice|this console itself/);
      holder.kill('SIGKILL');
      await once(holder, 'exit');
      const said = await Promise.all(consoles.map(take));
      // Between the removal of the dead lock and the new one a third console may find no lock at all: it is the one then.
      const taken = said.filter((text) => text.startsWith('taken'));
      expect(taken).toEqual([expect.stringMatching(/^taken (takeOver|free)$/)]);
      holder = consoles.splice(said.indexOf(taken[0] ?? ''), 1)[0] ?? holder;
    }
    const locks = readdirSync(join(folder, kind === 'local' ? 'own' : 'locks'));
    expect(locks).toHaveLength(1);
  });
});
