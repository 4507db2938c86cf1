import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { evidenceFrom } from '../../../src/kit/findings.ts';
import type { WaysReading } from '../readings-lnet.ts';
import { hurtMounts } from './hurt-clients.ts';
import { lnetSources } from './find-rails.ts';
import { lustreOf } from './join.ts';
import { finding, foldTargets, fsOf, hostSubject, suspectsOf, summary, targetSubject } from './names.ts';
import { mdtReachOf, reachOf } from './reach.ts';

/** A target that a host has lost, and by which NIDs it looks for it. */
interface Way {
  target: string;
  host: string;
  probe: string;
  nids: readonly string[];
}

/** A server that has targets mounted, and its own NIDs. */
interface Served {
  host: string;
  nids: readonly string[];
  targets: readonly string[];
}

/**
 * Servers that are looked for by NIDs which are not theirs: by those of before a change of addresses, or by those of the partner that the
 * target was made for. The configuration log on the MGS holds them, and no restart of the server mends it (Operations Manual, "Changing
 * a Server NID").
 */
export const nidFindings = (judgement: Judgement): FindingDraft[] => {
  const ways = waysOf(judgement);
  return ways.length === 0
    ? []
    : lnetServers(judgement).flatMap((server) => nidFinding(server, ways, judgement));
};

const waysOf = ({ readings }: Judgement): Way[] =>
  ['lustre.mds-ways', 'lustre.client-ways'].flatMap((probe) =>
    readings
      .sources<WaysReading>(probe)
      .flatMap(({ host, state, good }) =>
        state === 'fresh' && good ? good.value.ways.map((way) => ({ ...way, host, probe })) : [],
      ),
  );

/** The servers whose NIDs are known, with what they have mounted. */
export const lnetServers = (judgement: Judgement): Served[] => {
  const { systems } = lustreOf(judgement);
  const mounted = systems.flatMap(({ osts, mdts }) => [
    ...osts.flatMap(({ name, oss, own, ownStale }) =>
      own && !ownStale && oss !== undefined ? [{ name, host: oss }] : [],
    ),
    ...mdts.flatMap(({ name, host, mdt, stale }) =>
      mdt && !stale && host !== undefined ? [{ name, host }] : [],
    ),
  ]);
  const nids = new Map(
    lnetSources(judgement).flatMap(({ host, state, good }) =>
      state === 'fresh' && good && good.value.nids.length > 0 ? [[host, good.value.nids] as const] : [],
    ),
  );
  return [...nids].map(([host, list]) => ({
    host,
    nids: list,
    targets: mounted.filter((one) => one.host === host).map(({ name }) => name),
  }));
};

/** Nobody reaches it, and nobody who has lost it looks for it where it is. */
const isMissed = (target: string, ways: readonly Way[], { nids }: Served): boolean => {
  const lost = ways.filter((way) => way.target === target);
  return lost.length > 0 && lost.every((way) => way.nids.every((nid) => !nids.includes(nid)));
};

const nidFinding = (server: Served, ways: readonly Way[], judgement: Judgement): FindingDraft[] => {
  const { host, nids } = server;
  const targets = server.targets.filter((target) => isMissed(target, ways, server)).sort();
  const [first] = targets;
  if (first === undefined) return [];
  const lost = ways.filter(({ target }) => targets.includes(target));
  const asked = [...new Set(lost.flatMap((way) => way.nids))];
  // Of those that the site knows: whose NIDs they are.
  const partner = lnetServers(judgement).find(
    (one) => one.host !== host && asked.some((nid) => one.nids.includes(nid)),
  );
  const system = lustreOf(judgement).systems.find(({ name }) => name === fsOf(first));
  return [
    finding({
      key: host,
      kind: 'nids',
      severity: isOutForAll(targets, judgement) ? 'critical' : 'warning',
      subject: hostSubject(host),
      members: [hostSubject(host), ...targets.map(targetSubject)],
      ...(system && hurtMounts(system)),
      summary: summary(
        host,
        partner
          ? ` has ${foldTargets(targets)} mounted, but they are looked for at ${partner.host} only`
          : ` has other NIDs than it is looked for by: ${nids.join(', ')}, not ${asked.join(', ')}`,
      ),
      advice: partner
        ? `The targets do not name ${host} as a server that may have them: mount them on ${partner.host} again, or add its NID (tunefs.lustre --servicenode, then writeconf of the file system).`
        : `If the addresses of ${host} were changed by mistake, give it back the old ones and reload LNet. Else the configuration on the MGS has to learn the new ones: unmount all clients and targets, mount the MGS alone, and for each target: lctl replace_nids TARGET ${nids.join(',')} (or tunefs.lustre --writeconf on all targets); then mount MGS, MDTs, OSTs, clients.`,
      evidence: [
        ...lnetSources(judgement)
          .filter((source) => source.host === host)
          .slice(0, 1)
          .map((source) =>
            evidenceFrom(source, `${host}: its own NIDs are ${nids.join(', ')} (lctl list_nids)`),
          ),
        ...lost.slice(0, 12).map((way) => ({
          ...evidenceFrom(
            judgement.readings.source(way.probe, way.host),
            `${way.host} looks for ${way.target} at ${way.nids.join(', ')} (import, failover_nids)`,
          ),
          words: ['failover_nids'],
        })),
      ],
      breaks: [{ what: 'reach', of: targets.map(targetSubject) }],
      ...suspectsOf('nid-changed', [hostSubject(host)]),
    }),
  ];
};

/** Whether nobody reaches one of these. */
export const isOutForAll = (targets: readonly string[], judgement: Judgement): boolean =>
  lustreOf(judgement).systems.some(
    ({ osts, mdts }) =>
      osts.some((ost) => targets.includes(ost.name) && reachOf(ost) === 'unreachable') ||
      mdts.some((mdt) => targets.includes(mdt.name) && mdtReachOf(mdt) === 'unreachable'),
  );
