import { spawn } from 'node:child_process';
import { makeSafe } from '../text/safe.ts';
import { expand } from '../text/nodeset.ts';
import type { Told } from '../model/site.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** All groups of one command or site file have this long together: sources of ClusterShell run commands of their own, ms. */
const DEADLINE_MS = 5000;

/** Bytes of an answer: 100,000 folded names are far below. */
const MOST_BYTES = 4_000_000;

/** So many groups are asked for; each is a start of Python. */
const MOST_GROUPS = 64;

/**
 * What ClusterShell's `nodeset` says of groups (`gpu` of the default source, `rack:r7` of another). `nodeset` answers with nothing and
 * exit 0 for a group that is not there, so an empty one counts as unknown: what is taken away must not be empty by a mistyped name.
 */
export const askNodeset = async (
  names: readonly string[],
  env: Environment,
  deadlineMs = DEADLINE_MS,
): Promise<ReadonlyMap<string, Told>> => {
  const until = performance.now() + deadlineMs;
  const ask = (...words: string[]): Promise<Answer> => run(words, env, until - performance.now());
  const answersByName = new Map<string, Told>();
  for (const name of names.slice(0, MOST_GROUPS)) answersByName.set(name, await askOne(name, ask));
  for (const name of names.slice(MOST_GROUPS))
    answersByName.set(name, {
      why: `more than ${MOST_GROUPS} groups of other sources are not asked for`,
      known: [],
    });
  return answersByName;
};

const askOne = async (name: string, ask: (...words: string[]) => Promise<Answer>): Promise<Told> => {
  const answer = await ask('-f', `@${name}`);
  if ('problem' in answer) return { why: answer.problem, known: [] };
  const folded = answer.text.trim();
  if (folded === '') {
    const source = name.includes(':') ? (name.split(':')[0] ?? '') : undefined;
    const list = await ask(...(source === undefined ? ['-l'] : ['-l', '-s', source]));
    const known = 'text' in list ? [...list.text.matchAll(/^@(\S+)$/gm)].map(([, one]) => one ?? '') : [];
    return { why: 'ClusterShell has none of that name, or it is empty', known };
  }
  try {
    return expand(folded);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { why: makeSafe(`nodeset's answer was not understood: ${error.message}`, 300), known: [] };
  }
};

type Answer = { text: string } | { problem: string };

/** Never rejects; whatever the command left behind is ended with it when the time is over. */
const run = (words: readonly string[], env: Environment, ms: number): Promise<Answer> =>
  new Promise((resolve) => {
    if (ms <= 0) {
      resolve({ problem: lateText });
      return;
    }
    // Of a group of its own: what a source's own command hangs on holds our pipe open.
    const child = spawn('nodeset', words, {
      env: { ...env, LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let out = '';
    let err = '';
    const end = (answer: Answer): void => {
      clearTimeout(timer);
      if (child.pid !== undefined && child.exitCode === null) killGroup(child.pid);
      child.stdout.destroy();
      child.stderr.destroy();
      resolve(answer);
    };
    const timer = setTimeout(() => end({ problem: lateText }), ms);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      if (out.length > MOST_BYTES) end({ problem: `nodeset printed more than ${MOST_BYTES} bytes` });
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err = (err + text).slice(0, 2000);
    });
    child.on('error', (error: NodeJS.ErrnoException) =>
      end({
        problem:
          error.code === 'ENOENT'
            ? 'ClusterShell is not installed here (no nodeset)'
            : `nodeset can't be run (${error.code ?? error.message})`,
      }),
    );
    child.on('close', (code) =>
      end(code === 0 ? { text: out } : { problem: `nodeset failed (${saidBy(err, code)})` }),
    );
  });

const lateText = `ClusterShell did not answer for ${DEADLINE_MS / 1000} s (its sources run commands; try: nodeset -L)`;

/** `Unknown group source: "bad"`. */
const saidBy = (err: string, code: number | null): string => {
  const lines = err.split('\n').filter((line) => line.trim() !== '');
  const own = lines.find((line) => line.startsWith('nodeset: ')) ?? lines.at(-1) ?? `exit ${code}`;
  return makeSafe(own.replace(/^nodeset: /, ''), 200);
};

const killGroup = (pid: number): void => {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
};
