import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { emptyFolder } from '../helpers/folder.ts';
import type { Cluster } from './cluster.ts';
import { reachedOf, startDrain, type Drain } from './drains.ts';
import { openRuns } from './journal.ts';
import { watchStep } from './kills.ts';
import type { Kind } from './kind.ts';
import { CHANGES } from './log-changes.ts';
import { isTooBusy, saidOf, start } from './program.ts';
import { chanceOf, type Chance } from './random.ts';

/** A log with a drain that was done and undone, and one of which nobody knows what became of it; and the same before that one. */
interface Kept {
  state: string;
  older: string;
  shared: string;
}

let kept: Promise<Kept> | undefined;

const prepare = async (cluster: Cluster): Promise<Kept> => {
  const home = cluster.newHome('log');
  const copies = emptyFolder('kept');
  const made = { state: join(copies, 'state'), older: join(copies, 'older'), shared: join(copies, 'shared') };
  const first: Drain = { node: 'node1', reason: 'before', home };
  const done = await startDrain(first).ended;
  cpSync(home.state, made.older, { recursive: true });
  await start(['act', `undo:${done.said?.run?.id}`, 'node1', '--confirm', 'y', '--json'], { env: home.env })
    .ended;
  await cluster.isIdle();
  const second: Drain = { node: 'node2', reason: 'in the middle', home };
  const watched = watchStep(cluster, second, 'effect');
  const started = startDrain(second);
  await watched.reach(started);
  started.kill();
  await started.ended;
  watched.open();
  await cluster.scontrol.settled();
  if (openRuns(home.state).length !== 1) throw new Error('the log to be changed has no open run');
  if (!existsSync(join(cluster.shared, 'audit-heads')))
    throw new Error(`the shared folder did not take the head of the log: ${done.text}`);
  cpSync(home.state, made.state, { recursive: true });
  cpSync(cluster.shared, made.shared, { recursive: true });
  rmSync(join(made.shared, 'locks'), { recursive: true, force: true });
  await cluster.reset();
  return made;
};

/** A machine that is too busy to copy the head in time gets another chance. */
const prepareLog = async (cluster: Cluster, tries = 3): Promise<Kept> => {
  try {
    return await prepare(cluster);
  } catch (error) {
    if (tries === 1) throw error;
    await cluster.reset();
    return prepareLog(cluster, tries - 1);
  }
};

/** The state folder read-only as the program sees it, and a /var/tmp that nobody else sees. */
const readOnly = (state: string): readonly string[] => [
  'unshare',
  '--mount',
  '--propagation',
  'private',
  'sh',
  '-c',
  'mount -t tmpfs tmpfs /var/tmp && mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift && exec "$@"',
  'sh',
  state,
];

/** Somebody changed the log; the next act must not go on as if nothing had been. */
export const logs: Kind<Cluster> = {
  name: 'log',
  about: 'a changed audit log, or a state folder that is not what it was',
  short: 10,
  long: 100,
  try: async (cluster, seed) => {
    const names = Object.keys(CHANGES);
    const chance = chanceOf(seed);
    // Every eleventh is left as it is: one who always refuses holds nothing.
    const name = seed % 11 === 10 ? undefined : names[(seed - 1 - Math.floor(seed / 11)) % names.length];
    kept ??= prepareLog(cluster);
    const before = await kept;
    const home = cluster.newHome('changed');
    mkdirSync(dirname(home.state), { recursive: true });
    cpSync(before.state, home.state, { recursive: true });
    const heads = join(cluster.shared, 'audit-heads');
    rmSync(heads, { recursive: true, force: true });
    cpSync(before.shared, cluster.shared, { recursive: true });
    nameHeadAfter(heads, home.state);
    if (name !== undefined) CHANGES[name]?.({ state: home.state, older: before.older, chance });
    const asItIs = bytesOf(home.state);
    const drain: Drain = { node: chance.pick(['node3', 'node4']), reason: `log ${seed}`, home };
    const within = name === 'the folder read-only' ? readOnly(home.state) : [];
    const verified = await start(['audit', 'verify'], { env: home.env }).ended;
    drain.claim = await startDrain(drain, { within }).ended;
    await cluster.scontrol.settled();
    const { code } = drain.claim;
    const reason = saidOf(drain.claim);
    const what = `${name ?? 'left as it is'}: exit ${code}, ${reason.slice(0, 160)}`;
    if (isTooBusy(drain.claim)) return { what, broke: [], untried: reason };
    if (name === undefined)
      return { what, broke: code === 0 && verified.code === 0 ? [] : ['a whole log is not taken for whole'] };
    const broke: string[] = [];
    const reached = reachedOf(cluster, drain).length;
    if (reached > 0) broke.push(`the act went on (exit ${code}) and sent its command`);
    else if (code !== 4) broke.push(`exit ${code} where 4 is right: ${reason}`);
    if (CHAIN.test(name) && verified.code !== 1)
      broke.push(`audit verify exits ${verified.code}: ${verified.text.trim()}`);
    if (!isKept(home.state, asItIs)) broke.push('what was in the log was overwritten');
    if (reached === 0 && SEALED.test(name)) broke.push(...(await seal(cluster, drain, chance, asItIs)));
    return { what, broke };
  },
};

/** The shared folder keeps the head of the log under the name of the log's own folder: this one's log is a copy. */
const nameHeadAfter = (heads: string, state: string): void => {
  const ending = `+${createHash('sha256').update(state).digest('hex').slice(0, 8)}.head`;
  for (const name of readdirSync(heads))
    renameSync(join(heads, name), join(heads, name.replace(/\+[0-9a-f]{8}\.head$/, ending)));
};

/** What the log and its head alone give away. */
const CHAIN = /^(a bit|the log|the head|the tail|a line|the last|two lines|garbage|a blank)/;

/** What a person can go on from. */
const SEALED = /^(a bit|the log|the head|the tail|a line|the last|two lines|garbage|a blank|a folder|a pipe)/;

const bytesOf = (state: string): string | undefined => {
  const file = join(state, 'audit.jsonl');
  return existsSync(file) && statSync(file).isFile() ? readFileSync(file, 'latin1') : undefined;
};

/** What stood there is still there, under its name or another, in this folder or one below it; lines may have come after it. */
const isKept = (state: string, before: string | undefined): boolean => {
  if (before === undefined || before === '') return true;
  return readdirSync(state, { recursive: true, encoding: 'utf8' }).some((name) => {
    const path = join(state, name);
    return (
      basename(name).startsWith('audit') &&
      statSync(path).isFile() &&
      readFileSync(path, 'latin1').startsWith(before)
    );
  });
};

/** `audit seal` is the way to go on: the old log stays, and the next act comes through. */
const seal = async (
  cluster: Cluster,
  drain: Drain,
  chance: Chance,
  before: string | undefined,
): Promise<string[]> => {
  const { env, state } = drain.home;
  const sealed = await start(['audit', 'seal', '--reason', 'trial'], { env }).ended;
  if (sealed.code !== 0) return [`audit seal exits ${sealed.code}: ${sealed.text.trim().slice(0, 200)}`];
  const broke = isKept(state, before) ? [] : ['audit seal did not keep the old log'];
  const again: Drain = { ...drain, reason: `${drain.reason} again ${chance.whole(1, 99)}` };
  const claim = await startDrain(again).ended;
  if (claim.code !== 0)
    broke.push(`after audit seal the next act does not come through: exit ${claim.code}, ${saidOf(claim)}`);
  if (reachedOf(cluster, again).length !== 1) broke.push('after audit seal nothing was sent');
  return broke;
};
