import type { Finding } from '../model/finding.ts';
import { cableEnds, mayCross } from './paths.ts';
import { hostOf, namesOf, standsWith, switchesOf, uplinksOf, type Topology } from './topology.ts';

/** One kind of cause explains one kind of effect when `when` holds for the two. Kinds are `system:kind`. */
export interface Rule {
  /** By this name the site file switches it off (`rules: {off: [NAME]}`). */
  name: string;
  cause: string;
  effect: string;
  when(cause: Finding, effect: Finding, topology: Topology): boolean;
}

const coversAll = (cause: Finding, effect: Finding): boolean => namesOf(effect).isSubsetOf(namesOf(cause));
const sharesOne = (cause: Finding, effect: Finding): boolean =>
  !namesOf(effect).isDisjointFrom(namesOf(cause));
const always = (): boolean => true;
/** The effect is known by the host it hangs on: `lustre:unreachable:oss4`. */
const namedAfter = (cause: Finding, effect: Finding): boolean =>
  namesOf(cause).has(effect.id.slice(effect.id.lastIndexOf(':') + 1));
const sameSubject = (cause: Finding, effect: Finding): boolean => cause.subject.id === effect.subject.id;
const coversOrStandsWith = (cause: Finding, effect: Finding, topology: Topology): boolean =>
  coversAll(cause, effect) || standsWith(cause, effect, topology);

/** All of the effect hangs on a switch that the cause is about. */
const hangsOn = (cause: Finding, effect: Finding, topology: Topology): boolean => {
  const switches = namesOf(cause);
  return [...namesOf(effect)].every(
    (name) => !switches.has(name) && switchesOf(name, topology).some((one) => switches.has(one)),
  );
};

/** All of the effect hangs on ports that the cause says are out: the port itself, or members of its LAG. */
const hangsOnPort = (cause: Finding, effect: Finding, topology: Topology): boolean => {
  const isOut = (port: string): boolean =>
    cause.subject.kind === 'port' ? cause.subject.id === port : isMemberOut(cause, port);
  return [...namesOf(effect)].every((name) => {
    const ports = uplinksOf(name, topology);
    return ports.length > 0 && ports.every(isOut);
  });
};

/** `te3/46 reads down, te3/48 reads down` on the switch of the LAG. */
const isMemberOut = ({ subject, evidence }: Finding, port: string): boolean =>
  hostOf(subject.id) === hostOf(port) &&
  evidence.some(({ text }) =>
    text.split(', ').some((one) => `${hostOf(port)}:${one.split(' reads ')[0]}` === port),
  );

/** One end of the path hangs on the switch of the bad link. */
const passes = (cause: Finding, effect: Finding, topology: Topology): boolean =>
  [...namesOf(effect)].some((name) => switchesOf(name, topology).includes(hostOf(cause.subject.id)));

/** `nfs1:/home` names the server of a mount; so does the kernel's line. */
const mountsOf = (effect: Finding): ReadonlySet<string> =>
  new Set([
    ...[effect.summary, ...effect.evidence.map(({ text }) => text)].flatMap((text) =>
      [...text.matchAll(/([A-Za-z0-9][A-Za-z0-9.-]*):\//g)].flatMap(([, server]) => server ?? []),
    ),
    ...serversIn(effect),
  ]);

/**
 * Nodes drained because a mount was lost. Where the server is named and it is known on what it hangs, the way of each node there must
 * cross the bad link; a way beside it is another fault, also for nodes on the link's own switch. Else all hang on that switch.
 */
const lostMountBehind = (cause: Finding, effect: Finding, topology: Topology): boolean => {
  if (!/nfs|mount|stale/i.test(`${effect.id} ${effect.summary}`)) return false;
  const servers = [...mountsOf(effect)].filter((name) => switchesOf(name, topology).length > 0);
  const ends = cableEnds(cause.subject.id, topology);
  if (ends === undefined || servers.length === 0) return hangsOn(cause, effect, topology);
  return [...namesOf(effect)].every((name) =>
    servers.every((server) =>
      mayCross(ends, switchesOf(name, topology), switchesOf(server, topology), topology),
    ),
  );
};

/** The switches at both ends of a bad link: that of its subject, and those whose counters are its evidence. */
const endsOf = ({ subject, evidence }: Finding): ReadonlySet<string> =>
  new Set([hostOf(subject.id), ...evidence.flatMap(({ host }) => host ?? [])]);

/** What does not answer, or the host that says so, hangs on an end of the bad link: a server is named in the kernel's own line. */
const acrossLink = (cause: Finding, effect: Finding, topology: Topology): boolean => {
  const ends = endsOf(cause);
  return [...namesOf(effect), ...serversIn(effect)].some((name) =>
    switchesOf(name, topology).some((one) => ends.has(one)),
  );
};

/** `nfs: server nfs1 not responding`, `lockd: cannot monitor nfs1`. */
const serversIn = ({ evidence }: Finding): readonly string[] =>
  evidence.flatMap(({ text }) => /\b(?:server|monitor) ([A-Za-z0-9.-]+)/.exec(text)?.[1] ?? []);

/** The kernel of the effect's host names the cause as the server that does not answer. */
const isServer = (cause: Finding, effect: Finding): boolean =>
  serversIn(effect).some((name) => namesOf(cause).has(name));

/** A command that waits for what cannot be reached ends by its time, not by itself. */
const timedOut = (_: Finding, effect: Finding): boolean =>
  effect.evidence.some(({ text }) => /\btimed out after\b/.test(text));

/** A port that a console shut is missing in its own LAG. */
const namesPort = (cause: Finding, effect: Finding): boolean => {
  const [host = '', port = ''] = cause.subject.id.split(':');
  return hostOf(effect.subject.id) === host && effect.evidence.some(({ text }) => text.includes(`${port} `));
};

/** What stands out among its kind is what the cause is about: an OST that is kept empty is the one by which space is uneven. */
const standsOut = (cause: Finding, effect: Finding): boolean => {
  const names = namesOf(cause);
  return effect.evidence.some(({ text }) => {
    const name = /^emptiest: ([^,]+),/.exec(text)?.[1];
    return name !== undefined && names.has(name);
  });
};

const isHost = (cause: Finding, effect: Finding): boolean =>
  cause.subject.kind === 'host' && effect.subject.kind === 'pair' && sharesOne(cause, effect);

const rule = (
  name: string,
  causes: readonly string[],
  effects: readonly string[],
  when: Rule['when'],
): Rule[] => causes.flatMap((cause) => effects.map((effect) => ({ name, cause, effect, when })));

const silent = ['site:hosts-unreachable', 'site:host-unreachable'];
const outOfService = ['slurm:not-responding', 'slurm:down-group'];

/** What follows from what, over all systems; grows with them. The first that fits wins: the broadest causes stand first. */
export const rules: readonly Rule[] = [
  ...rule('lost-together', ['slurm:lost-together'], [...silent, ...outOfService], coversOrStandsWith),
  ...rule('unreachable-alike', ['site:hosts-unreachable'], ['site:host-unreachable'], coversAll),
  ...rule('behind-switch', ['site:host-unreachable'], [...silent, ...outOfService], hangsOn),
  ...rule(
    'uplink-down',
    ['switch:lag-member-out', 'switch:shut-by-us'],
    [...silent, ...outOfService, 'gluster:peer-disconnected'],
    hangsOnPort,
  ),
  // A node that is known to be out of service need not be reachable.
  ...rule(
    'out-of-service',
    [...outOfService, 'slurm:rebooting', 'slurm:drained-group'],
    ['site:host-unreachable'],
    coversAll,
  ),
  ...rule('controller-host', ['site:host-unreachable'], ['slurm:controller-unreachable'], coversAll),
  // The controller waits for each silent node in turn (incident 14).
  ...rule(
    'controller-waits',
    ['slurm:lost-together', 'slurm:not-responding'],
    ['slurm:controller-slow'],
    always,
  ),
  ...rule(
    'partition-share',
    ['slurm:lost-together', 'slurm:drained-group', ...outOfService],
    ['slurm:partition-below-limit'],
    sharesOne,
  ),
  ...rule('same-drain', ['slurm:drained-group'], ['slurm:draining'], coversAll),
  ...rule('server-unreachable', silent, ['lustre:unreachable', 'lustre:recovery'], namedAfter),
  ...rule('server-unreachable', silent, ['lustre:unread', 'lustre:health'], coversAll),
  // I/O on the OSTs of a lost OSS waits, and so does every command that touches them.
  ...rule('client-hangs', ['lustre:unreachable'], ['lustre:unread'], timedOut),
  ...rule('server-unreachable', silent, ['site:nfs', 'site:lockd'], isServer),
  ...rule('client-unreachable', silent, ['lustre:client-cut', 'lustre:evicted'], namedAfter),
  ...rule(
    'peer-unreachable',
    [...silent, 'gluster:glusterd-down', 'gluster:glusterd-silent', 'gluster:glusterd-stopped'],
    ['gluster:peer-disconnected'],
    coversAll,
  ),
  ...rule(
    'peer-unreachable',
    silent,
    ['gluster:glusterd-down', 'gluster:glusterd-silent', 'gluster:brick-down'],
    coversAll,
  ),
  ...rule(
    'not-healed',
    ['gluster:brick-down', 'gluster:self-heal-down'],
    ['gluster:heal-pending'],
    sameSubject,
  ),
  ...rule('emptied-ost', ['lustre:flag-ignored', 'lustre:flags'], ['lustre:imbalance'], standsOut),
  ...rule('shut-member', ['switch:shut-by-us', 'switch:not-restored'], ['switch:lag-member-out'], namesPort),
  // One bad member of a LAG: small packets are luckier than jumbo ones, and only some pairs hash onto it (incident 1).
  ...rule('bad-link', ['switch:bad-link'], ['switch:matrix-jumbo', 'switch:fec'], always),
  ...rule('bad-link', ['switch:bad-link'], ['site:nfs'], acrossLink),
  ...rule('bad-link', ['switch:bad-link'], ['iperf:bimodalPort', 'iperf:loss'], passes),
  ...rule(
    'bad-link',
    ['switch:bad-link'],
    ['slurm:drained-group', 'gluster:peer-disconnected'],
    lostMountBehind,
  ),
  ...rule(
    'interrupts',
    ['iperf:interrupts'],
    ['bimodalTime', 'interrupts', 'oneWay', 'oneStream', 'dropped'].map((kind) => `iperf:${kind}`),
    isHost,
  ),
];

/** By these names the site file switches rules off; it is told when a name there is none. */
export const ruleNames: readonly string[] = [...new Set(rules.map(({ name }) => name))];

/** The rules in force on a site. */
export const rulesOf = (off: readonly string[]): readonly Rule[] =>
  rules.filter(({ name }) => !off.includes(name));
