import { memoPerJudgement } from '../../../src/kit/memo.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { settingsOf } from '../settings.ts';
import { sizesOf } from '../verdict/case-of.ts';
import { isJumbo } from '../verdict/frame-sizes.ts';
import { linkStates } from './states.ts';

/** Which of the network's parts a host is says nothing of what it sends. */
const ownRoles = new Set<string>(['switch', 'nic', 'ping-client', 'switch-helper']);

/** Fewer of a kind may be set so for something else. */
const fewest = 2;

/** The most that any NIC of a host carries which is an end of a link: data and management are NICs of one host. */
const largestByHost = memoPerJudgement((judgement): ReadonlyMap<string, number> => {
  const largest = new Map<string, number>();
  for (const end of linkStates(judgement).flatMap(({ a, b }) => [a, b])) {
    const { host } = end.end;
    const { payload } = host === undefined ? {} : sizesOf(end, judgement);
    if (host !== undefined && payload !== undefined)
      largest.set(host, Math.max(largest.get(host) ?? 0, payload));
  }
  return largest;
});

/** `oss1, oss2 and 5 more`. */
const someOf = (names: readonly string[]): string =>
  names.length <= 3 ? names.join(', ') : `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`;

/**
 * Why jumbo frames are meant to reach a host that carries none; undefined: nothing says so, and most hosts on ports that would take them
 * send none. The site file has the jumbo matrix go there, or most hosts of one of its roles carry them.
 */
export const whyJumbo = (name: string, judgement: Judgement): string | undefined => {
  const { site } = judgement;
  const host = site.host(name);
  const largest = largestByHost(judgement);
  if (!host || isJumbo(largest.get(name))) return undefined;
  const { servers } = settingsOf(site).matrix;
  if (servers.some((one) => (one.host ?? one.name) === name)) return `the jumbo matrix goes to ${name}`;
  if (servers.length > 0 && host.roles.includes('ping-client')) return `the jumbo matrix starts at ${name}`;
  for (const role of host.roles.filter((one) => !ownRoles.has(one))) {
    const alike = site.hosts.filter((one) => one.roles.includes(role) && largest.has(one.name));
    const jumbo = alike.filter((one) => isJumbo(largest.get(one.name))).map((one) => one.name);
    if (jumbo.length >= fewest && jumbo.length * 2 > alike.length)
      return `${someOf(jumbo)} (${role} too) carry jumbo frames`;
  }
  return undefined;
};
