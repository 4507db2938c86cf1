import type { SimulatedAnswer } from '../../../src/model/simulator.ts';
import { isRecovering, isSince, kbAvail, mount, type SimOst, type SimState } from './state.ts';

/** `lfs df`, `lfs find --ost`, `lfs fid2path`, `lfs_migrate` on the client. */
export const lfs = (state: SimState, words: readonly string[], now: number): SimulatedAnswer => {
  const [verb, ...rest] = words;
  if (verb === 'df') return df(state, rest, now);
  if (verb === 'find') return find(state, rest);
  if (verb === 'fid2path') return fid2path(state, rest);
  return { stderr: `lfs: ${verb ?? ''}: unknown command\n`, exitCode: 1 };
};

const flagsOf = (state: SimState, ost: SimOst): string =>
  isSince(state, 2, 13) ? `${ost.degraded ? 'D' : ''}${ost.noPrecreate ? 'N' : ''}` : '';

const df = (state: SimState, words: readonly string[], now: number): SimulatedAnswer => {
  const lazy = words.includes('-l') || words.includes('--lazy');
  // Without -l it waits for every OST that is away.
  if (!lazy && state.osts.some((ost) => isRecovering(ost, now))) return { delayMs: Infinity };
  const row = (name: string, total: number, used: number, avail: number, tail: string): string =>
    `${name.padEnd(20)} ${String(total).padStart(11)} ${String(used).padStart(11)} ${String(avail).padStart(11)} ${`${Math.ceil((100 * used) / (used + avail))}%`.padStart(4)} ${tail}\n`;
  let text = 'UUID                   1K-blocks        Used   Available Use% Mounted on\n';
  for (const { name, index } of state.mdts)
    text += row(`${name}_UUID`, 2_929_687_500, 484_400_000, 2_297_287_500, `${mount}[MDT:${index}]`);
  const totals = [0, 0, 0];
  for (const ost of state.osts) {
    if (isRecovering(ost, now)) {
      if (!isSince(state, 2, 9)) text += `${ost.name}_UUID: Resource temporarily unavailable\n`;
      continue;
    }
    const flags = flagsOf(state, ost);
    const avail = kbAvail(ost);
    text += row(
      `${ost.name}_UUID`,
      ost.kbTotal,
      ost.kbUsed,
      avail,
      `${mount}[OST:${ost.index}]${flags === '' ? '' : ` ${flags}`}`,
    );
    for (const [at, value] of [ost.kbTotal, ost.kbUsed, avail].entries())
      totals[at] = (totals[at] ?? 0) + value;
  }
  const [total = 0, used = 0, avail = 0] = totals;
  const head = isSince(state, 2, 10) ? 'filesystem_summary:' : 'filesystem summary:';
  return { stdout: `${text}\n${row(`${head} `, total, used, avail, mount)}\n` };
};

const find = (state: SimState, words: readonly string[]): SimulatedAnswer => {
  const at = words.findIndex((word) => word === '--ost' || word === '-O' || word === '--obd');
  const wanted = words[at + 1] ?? '';
  const path = words.findLast((word) => word.startsWith('/')) ?? mount;
  const ost = state.osts.find(
    ({ name, index }) => wanted.replace(/_UUID$/, '') === name || wanted === String(index),
  );
  if (at < 0 || !ost) return { stderr: `error: find: unknown OST '${wanted}'\n`, exitCode: 1 };
  const end = words.includes('-print0') || words.includes('-0') ? '\0' : '\n';
  const below = path.endsWith('/') ? path : `${path}/`;
  return {
    stdout: ost.files
      .filter((file) => file.startsWith(below))
      .map((file) => file + end)
      .join(''),
    delayMs: 800,
  };
};

const fid2path = (state: SimState, words: readonly string[]): SimulatedAnswer => {
  const fid = words.find((word) => /^\[?0x[0-9a-f]+:0x[0-9a-f]+:0x[0-9a-f]+\]?$/.test(word));
  const number = Number.parseInt(fid?.split(':')[1]?.slice(2) ?? '', 16);
  const files = state.osts.flatMap((ost) => ost.files);
  const file = files[number % Math.max(1, files.length)];
  if (fid === undefined || file === undefined)
    return { stderr: 'lfs fid2path: error on FID: Invalid argument\n', exitCode: 22 };
  return { stdout: `${file}\n` };
};

const banner =
  'lfs_migrate is currently NOT SAFE for moving in-use files.\nUse it only when you are sure migrated files are unused.\n\n';

/** `lfs_migrate -y`: the files named on standard input get new objects where the allocator puts them. */
export const migrate = (state: SimState, stdin: string): SimulatedAnswer => {
  const names = stdin.split(/[\0\n]/).filter((name) => name !== '');
  let stdout = '';
  let stderr = banner;
  for (const name of names) {
    const from = state.osts.find(({ files }) => files.includes(name));
    if (!from) {
      stderr += `${name}: cannot stat: No such file or directory, skipped\n`;
      continue;
    }
    const open = state.osts.filter((ost) => ost !== from && !ost.degraded && takes(state, ost));
    const to = open[from.files.length % Math.max(1, open.length)] ?? from;
    const kb = Math.round(Math.max(0, from.kbUsed - 1_048_576) / Math.max(1, from.files.length));
    from.files = from.files.filter((file) => file !== name);
    to.files.push(name);
    from.kbUsed -= kb;
    to.kbUsed += kb;
    from.objects -= Math.min(
      from.objects - 3_000,
      Math.round(from.objects / Math.max(1, from.files.length + 1)),
    );
    for (const mdt of state.mdts) {
      const own = mdt.imports[from.index];
      if (own) own.destroys += 40;
    }
    stdout += `${name}: done\n`;
  }
  return { stdout, stderr, delayMs: names.length * 20, mutated: names.length > 0 };
};

const takes = (state: SimState, ost: SimOst): boolean =>
  state.mdts.every(({ imports }) => imports[ost.index]?.active === true && imports[ost.index]?.max !== 0);
