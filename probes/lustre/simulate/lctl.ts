import type { SimulatedAnswer } from '../../../src/model/simulator.ts';
import { listNids } from './lnet.ts';
import { type Param } from './param.ts';
import { paramsOf } from './params.ts';
import { client, isSince, type SimState } from './state.ts';

/** `lctl get_param`, `set_param`, `dl` of a host; other words are no command of lctl. */
export const lctl = (
  state: SimState,
  host: string,
  words: readonly string[],
  now: number,
): SimulatedAnswer => {
  const [verb, ...rest] = words;
  if (verb === 'get_param') return getParam(state, host, rest, now);
  if (verb === 'set_param') return setParam(state, host, rest, now);
  if (verb === 'list_nids') return listNids(host);
  if (verb === 'dl' || verb === 'device_list') return { stdout: devices(state, host) };
  return { stderr: `${verb ?? ''}: command not found, use "help" for a list\n`, exitCode: 1 };
};

/** A shell-style pattern of one path part each: `*` stops at the dot, as it does at the slash behind it; the dots of an address belong to the name. */
const patternOf = (text: string): RegExp =>
  new RegExp(
    `^${text
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('?', '[^.]')
      .replaceAll('*', '(?:[^.@]*(?:\\.\\d+)*@)?[^.]*')}$`,
  );

const matchParams = (params: readonly Param[], pattern: string): Param[] => {
  const form = patternOf(pattern);
  return params.filter(({ name }) => form.test(name)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
};

const pathOf = (pattern: string): string => pattern.replaceAll('.', '/');

const notFound = (state: SimState, verb: string, pattern: string): string =>
  isSince(state, 2, 12)
    ? `error: ${verb}: param_path '${pathOf(pattern)}': No such file or directory\n`
    : `error: ${verb}: /proc/{fs,sys}/{lnet,lustre}/${pathOf(pattern)}: Found no match\n`;

const getParam = (state: SimState, host: string, words: readonly string[], now: number): SimulatedAnswer => {
  const params = paramsOf(state, host, now);
  const bare = words.includes('-n');
  let stdout = '';
  let stderr = '';
  for (const pattern of words.filter((word) => !word.startsWith('-'))) {
    const found = matchParams(params, pattern);
    if (found.length === 0) stderr += notFound(state, 'get_param', pattern);
    for (const { name, value } of found) stdout += bare ? `${value}\n` : line(state, name, value);
  }
  const failed = stderr !== '';
  return { stdout, stderr, exitCode: failed ? (isSince(state, 2, 12) ? 2 : 3) : 0 };
};

/** From 2.12 on a pair of 80 characters is broken behind the equals sign; values of several lines always are. */
const line = (state: SimState, name: string, value: string): string => {
  const wrapped = value.includes('\n') || (isSince(state, 2, 12) && name.length + value.length >= 80);
  return `${name}=${wrapped ? '\n' : ''}${value}\n`;
};

const setParam = (state: SimState, host: string, words: readonly string[], now: number): SimulatedAnswer => {
  const params = paramsOf(state, host, now);
  let stdout = '';
  let stderr = '';
  let exitCode = 0;
  let mutated = false;
  for (const word of words.filter((one) => !one.startsWith('-'))) {
    const [pattern = '', value = ''] = word.split(/=(.*)/s);
    const found = matchParams(params, pattern);
    if (found.length === 0) {
      stderr += notFound(state, 'set_param', pattern);
      exitCode = isSince(state, 2, 12) ? 2 : 3;
    }
    for (const param of found) {
      const refused = param.write ? param.write(value) : 'Permission denied';
      if (refused === undefined) {
        stdout += `${param.name}=${value}\n`;
        mutated = true;
      } else {
        stderr += `error: set_param: setting '/sys/fs/lustre/${pathOf(param.name)}'='${value}': ${refused}\n`;
        exitCode = refused.startsWith('Numerical') ? 34 : refused.startsWith('Permission') ? 13 : 22;
      }
    }
  }
  return { stdout, stderr, exitCode, mutated };
};

const devices = (state: SimState, host: string): string => {
  const rows: [string, string, string, number][] = [];
  for (const mdt of state.mdts.filter((one) => one.host === host)) {
    const short = mdt.name.slice(state.fs.length + 1);
    rows.push(['UP', 'osd-ldiskfs', `${mdt.name}-osd`, 48]);
    if (mdt.index === 0) rows.push(['UP', 'mgs', 'MGS', state.clients + 17]);
    rows.push(
      ['UP', 'mgc', 'MGC10.10.0.1@o2ib', 5],
      ['UP', 'lod', `${mdt.name}-mdtlov`, 4],
      ['UP', 'mdt', mdt.name, state.clients + 5],
    );
    for (const other of state.mdts)
      if (other !== mdt) rows.push(['UP', 'osp', `${other.name}-osp-${short}`, 5]);
    for (const [at, ost] of state.osts.entries()) {
      const inactive = mdt.imports[at]?.active === false && isSince(state, 2, 9);
      rows.push([inactive ? 'IN' : 'UP', 'osp', `${ost.name}-osc-${short}`, 5]);
    }
  }
  const osts = state.osts.filter((one) => one.oss === host);
  for (const ost of osts) rows.push(['UP', 'osd-ldiskfs', `${ost.name}-osd`, 5]);
  if (osts.length > 0) rows.push(['UP', 'mgc', 'MGC10.10.0.1@o2ib', 5], ['UP', 'ost', 'OSS', 3]);
  for (const ost of osts) {
    const short = ost.name.slice(state.fs.length + 1);
    rows.push(
      ['UP', 'obdfilter', ost.name, state.clients + 7],
      ['UP', 'lwp', `${state.fs}-MDT0000-lwp-${short}`, 5],
    );
  }
  if (host === client) {
    rows.push(['UP', 'mgc', 'MGC10.10.0.1@o2ib', 5], ['UP', 'lov', `${state.fs}-clilov-ffff8f3e5b1c7000`, 4]);
    for (const ost of state.osts) rows.push(['UP', 'osc', `${ost.name}-osc-ffff8f3e5b1c7000`, 5]);
  }
  return rows
    .map(
      ([status, type, name, refs], at) =>
        `${String(at).padStart(3)} ${status} ${type} ${name} ${name}_UUID ${refs}\n`,
    )
    .join('');
};
