import type { EvidenceDraft, FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { count } from '../../../src/text/units.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { importState, isConnecting, isProven } from '../read/words.ts';
import type { ClientReading, MdsReading, OssReading } from '../readings.ts';
import { readingsBefore } from './connecting.ts';
import { finding, fsOf, hostSubject, proof, summary, suspectsOf } from './names.ts';
import { serversOf } from './servers.ts';

const probes = ['lustre.mds', 'lustre.oss', 'lustre.client'];

interface Connection {
  host: string;
  probe: string;
  /** Of the device: MGC10.10.0.1@o2ib. */
  name: string;
  state: string;
  /** Seen so once: the host may only just be mounting. */
  connecting: boolean;
  /** File systems that this host serves or mounts. */
  systems: ReadonlySet<string>;
}

const systemsOf = (value: MdsReading | OssReading | ClientReading): ReadonlySet<string> =>
  new Set(
    [...('mdts' in value ? value.mdts : []), ...('osts' in value ? value.osts : [])].map(({ name }) =>
      fsOf(name),
    ),
  );

/** The management server: lost by everybody that was asked, or by single hosts. What is mounted goes on without it. */
export const mgsFindings = (judgement: Judgement): FindingDraft[] => {
  const connections = probes.flatMap((probe) =>
    judgement.readings
      .sources<MdsReading | OssReading | ClientReading>(probe)
      .flatMap(({ host, state, good, before }) =>
        state === 'fresh' && good
          ? good.value.mgcs.map((mgc): Connection => ({
              host,
              probe,
              ...mgc,
              connecting:
                isConnecting(mgc.state) &&
                !readingsBefore(good, before).some(({ value }) =>
                  value.mgcs.some(({ name, state: was }) => name === mgc.name && !isProven(was)),
                ),
              systems: systemsOf(good.value),
            }))
          : [],
      ),
  );
  return [...Map.groupBy(connections, ({ name }) => name).values()].flatMap((group) => {
    const away = group.filter(({ state }) => importState(state) !== 'connected');
    return away.length === 0
      ? []
      : [lostFinding(away, [...group, ...byOtherNid(group, connections)], judgement)];
  });
};

/**
 * Hosts that prove to reach the same MGS by another of its NIDs: a file system has one MGS, so they share one with the group. Names that
 * one host has side by side are of different MGSs, for it keeps one MGC to each.
 */
const byOtherNid = (group: readonly Connection[], all: readonly Connection[]): Connection[] => {
  const hosts = new Set(group.map(({ host }) => host));
  const beside = new Set(all.filter(({ host }) => hosts.has(host)).map(({ name }) => name));
  const systems = new Set(group.flatMap((one) => [...one.systems]));
  return all.filter(
    (one) => !beside.has(one.name) && isProven(one.state) && !systems.isDisjointFrom(one.systems),
  );
};

const lostFinding = (
  away: readonly Connection[],
  all: readonly Connection[],
  judgement: Judgement,
): FindingDraft => {
  const hosts = [...new Set(away.map(({ host }) => host))];
  const others = [...new Set(all.map(({ host }) => host))].filter((host) => !hosts.includes(host));
  const nid = (all[0]?.name ?? '').replace(/^MGC/, '');
  const server = judgement.readings
    .sources<MdsReading>('lustre.mds')
    .find(({ state, good }) => state === 'fresh' && good?.value.mgs)?.host;
  const states = [...new Set(away.map(({ state }) => state))].sort().join('/');
  const everybody = others.length === 0;
  const silent = everybody && server === undefined ? serversOf('lustre.mds', judgement).silent : [];
  // By the same NID others reach it.
  const mounting =
    all.some((one) => one.name === all[0]?.name && isProven(one.state)) &&
    away.every(({ connecting }) => connecting);
  return finding({
    key: everybody ? nid : `${nid}:${fold(hosts)}`,
    kind: 'mgs',
    severity: mounting ? 'notice' : 'warning',
    subject: everybody
      ? server === undefined
        ? { kind: 'site', id: judgement.site.name }
        : { kind: 'host', id: server }
      : { kind: 'host', id: fold(hosts) },
    ...(!everybody && { members: hosts.map((id) => ({ kind: 'host' as const, id })) }),
    summary: everybody
      ? summary(
          `MGS ${nid} unreachable`,
          `: MGC ${states} on ${hosts.length === 1 ? hosts[0] : `all ${count(hosts.length, 'host')} that were read`}`,
        )
      : summary(
          fold(hosts),
          `: MGS ${nid} out of reach (MGC ${states}), ${count(others.length, 'other')} reach it`,
        ),
    advice: `What is mounted goes on; nothing new can be mounted, no parameter set permanently, and recoveries take longer (no imperative recovery). ${server === undefined ? `No MDS that was read runs the MGS: look at ${silent.length === 0 ? 'the host with this NID' : `${fold(silent)}, which ${silent.length === 1 ? 'does' : 'do'} not answer`}.` : `The MGS runs on ${server}: look at the network between.`}`,
    // Of what everybody has lost more is gone than of a host that does not answer.
    ...(everybody && { loss: 1 }),
    ...suspectsOf('host-unreachable', silent.map(hostSubject), 'medium'),
    evidence: all
      .slice(0, 12)
      .map(({ host, probe, name, state }): EvidenceDraft =>
        proof(`${host}: ${name} ${state}`, judgement, probe, host),
      ),
  });
};
