import type { Answer } from '../../../src/model/answer.ts';
import type { HostView } from '../../../src/model/site.ts';
import type { AskContext } from '../../../src/model/system.ts';
import { findPart, type Section, findSection, sectionsOf } from '../../../src/kit/sections.ts';
import { parsePeers, parsePool, type Peers } from './parse-peers.ts';
import type { PeerProcess, PeerReading, PoolPeer } from '../readings.ts';
import { processState } from './words.ts';

/** Reads the answer of the peer script. */
export const readPeer = (
  answer: Answer,
  _host: HostView,
  context: AskContext,
): { value: PeerReading; notUnderstood: number } => {
  const sections = sectionsOf(answer, 'asking glusterd');
  const info = new Map(
    (findSection(sections, 'info')?.body ?? '').split('\n').map((line) => {
      const [key = '', value = ''] = line.split('=');
      return [key.trim(), value.trim()] as const;
    }),
  );
  const clock = Number(findSection(sections, 'clock')?.rest);
  const version = /(\d+\.\d+(?:\.\d+)*)/.exec(findSection(sections, 'version')?.body ?? '')?.[1];
  const opVersion = Number(info.get('operating-version'));
  const uuid = info.get('UUID');
  const { pool, silent, notUnderstood } = poolOf(sections);
  const processes = linesOf(sections, 'processes').flatMap(processOf);
  const hook = linesOf(sections, 'hooks').flatMap(hookOf)[0];
  return {
    value: {
      daemon: daemonOf(findSection(sections, 'glusterd')?.rest ?? 'none'),
      ...(clock > 0 && { clockMs: clockOff(clock * 1000, context.now, answer.durationMs) }),
      ...(version !== undefined && { version }),
      ...(uuid !== undefined && uuid !== '' && { uuid }),
      ...(opVersion > 0 && { opVersion }),
      ...(pool && { pool }),
      ...(silent !== undefined && { silent }),
      ...(hook && { hook }),
      processes,
      pidFiles: linesOf(sections, 'pidfiles').flatMap((line) => {
        const [, pid, volume = '', brick = ''] =
          /^(\d+) \S*\/vols\/([^/]+)\/(?:run\/)?(\S+)\.pid$/.exec(line) ?? [];
        return pid === undefined ? [] : [{ volume, brick, pid: Number(pid) }];
      }),
      rebalances: rebalancesOf(linesOf(sections, 'rebalances')),
    },
    notUnderstood,
  };
};

/**
 * A clock in whole seconds that was read at some moment between the question and the end of the answer: how far it is off for
 * certain, ms; 0 where it may be right. A slow host is no fast clock.
 */
const clockOff = (readMs: number, askedAt: number, durationMs: number): number => {
  const least = readMs - (askedAt + durationMs);
  const most = readMs + 1000 - askedAt;
  return least > 0 ? least : Math.min(most, 0);
};

const linesOf = (sections: readonly Section[], word: string): string[] =>
  (findSection(sections, word)?.body ?? '').split('\n').filter((line) => line.trim() !== '');

/** `/var/lib/glusterd/vols/home0/node_state.info:status=4`. */
const rebalancesOf = (lines: readonly string[]): NonNullable<PeerReading['rebalances']> => {
  const values = lines.flatMap((line) => {
    const [, volume, key, value] =
      /\/vols\/([^/]+)\/node_state\.info:(status|failures)=(\d+)$/.exec(line) ?? [];
    return volume === undefined ? [] : [{ volume, key, value: Number(value) }];
  });
  return [...Map.groupBy(values, ({ volume }) => volume)].flatMap(([volume, own]) => {
    const valueOf = (key: string): number | undefined => own.find((one) => one.key === key)?.value;
    const [status, failures] = [valueOf('status'), valueOf('failures')];
    return status === undefined ? [] : [{ volume, status, ...(failures !== undefined && { failures }) }];
  });
};

/** `     12 /bin/sh /var/lib/glusterd/hooks/1/set/pre/S10x.sh --volname=home0`. */
const hookOf = (line: string): NonNullable<PeerReading['hook']>[] => {
  const [, ageS, file] = /^\s*(\d+)\s.*?(\S+\/hooks\/\S+)/.exec(line) ?? [];
  return file === undefined ? [] : [{ file, ageS: Number(ageS) }];
};

const daemonOf = (text: string): PeerReading['daemon'] => {
  const [pid = '', letter = '', start = '', age = ''] = text.split(' ');
  if (pid === 'none' || letter === '' || processState(letter) === 'gone') return { state: 'down' };
  return {
    // With a letter that is not known it counts as up only when it answers (pool.ts).
    state: processState(letter) === 'stopped' ? 'stopped' : 'up',
    pid: Number(pid),
    start: Number(start),
    ageS: Math.max(0, Number(age)),
  };
};

/** `pool list` says who is connected, itself included; `peer status` says who was rejected. Exit codes are not believed. */
const poolOf = (
  sections: readonly Section[],
): { pool?: PoolPeer[]; silent?: string; notUnderstood: number } => {
  const text = findSection(sections, 'pool')?.body;
  if (text === undefined) return { silent: 'it was not asked for its pool', notUnderstood: 0 };
  if (findPart(sections, 'pool')?.code === 124)
    return { silent: 'no answer to pool list within 5 s', notUnderstood: 0 };
  const found = tryRead(() => parsePool({ stdout: text }));
  if (!found || found.error)
    return {
      silent: (found?.error?.message ?? text.trim()).split('\n')[0] || 'an empty answer',
      notUnderstood: 0,
    };
  const states =
    tryRead(() => parsePeers({ stdout: findSection(sections, 'peers')?.body ?? '' }))?.peers ?? [];
  const pool = found.peers.map((peer) => {
    const state = states.find((one) => one.uuid === peer.uuid)?.state;
    return {
      uuid: peer.uuid,
      host: peer.host,
      connected: peer.connected,
      ...(state !== undefined && { state }),
    };
  });
  return { pool, notUnderstood: found.notUnderstood ?? 0 };
};

const tryRead = (read: () => Peers): Peers | undefined => {
  try {
    return read();
  } catch {
    // Text of another kind: the caller shows it as what glusterd said.
    return undefined;
  }
};

/** A line of `ps`. Bricks name themselves by `--brick-name`, the rest by their volume file. */
const processOf = (line: string): PeerProcess[] => {
  const [, pid, state = '', age, args = ''] = /^\s*(\d+)\s+(\S+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
  if (pid === undefined) return [];
  const volfile = /--volfile-id[ =](\S+)/.exec(args)?.[1] ?? '';
  const path = /--brick-name (\S+)/.exec(args)?.[1];
  const base = { pid: Number(pid), state, ageS: Number(age) };
  if (path !== undefined) {
    const volume = volfile.split('.')[0] ?? '';
    return [{ ...base, kind: 'brick', path, ...(volume !== '' && { volume }) }];
  }
  const selfHeal = /^(?:shd\/(\S+)|gluster\/glustershd)$/.exec(volfile);
  if (selfHeal)
    return [{ ...base, kind: 'selfHeal', ...(selfHeal[1] !== undefined && { volume: selfHeal[1] }) }];
  if (volfile === 'gluster/quotad') return [{ ...base, kind: 'quota' }];
  const rebalance = /^rebalance\/(\S+)$/.exec(volfile)?.[1];
  if (rebalance !== undefined) return [{ ...base, kind: 'rebalance', volume: rebalance }];
  // Our own questions are no transactions.
  if (/^(?:\S*\/)?gluster /.test(args))
    return /^(?:\S*\/)?gluster (?:pool list|peer status|volume info|volume heal \S+ info)/.test(args) ||
      args.includes('--print-statedumpdir')
      ? []
      : [{ ...base, kind: 'command', text: args.slice(0, 200) }];
  return [];
};
