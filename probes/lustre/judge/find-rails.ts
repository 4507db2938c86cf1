import type { EvidenceDraft, FindingDraft } from '../../../src/model/finding.ts';
import type { Source } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { evidenceFrom } from '../../../src/kit/findings.ts';
import { count, groupThousands } from '../../../src/text/units.ts';
import type { LnetReading, Rail } from '../readings-lnet.ts';
import { finding, hostSubject, summary, suspectsOf } from './names.ts';

/** LNET_MAX_HEALTH_VALUE (lnet/lib-types.h). */
const fullHealth = 1000;
/** Messages dropped since the last look, and their share of those received, from which they are no leftovers of requests given up. */
const manyDrops = 100;
const dropShare = 0.01;

type LnetSource = Source<LnetReading>;

/** An interface of a server that has others besides. */
interface OnServer {
  source: LnetSource;
  rail: Rail;
  /** How many of the others are up. */
  up: number;
  of: number;
}

export const lnetSources = ({ readings }: Judgement): readonly LnetSource[] =>
  ['lustre.mds-lnet', 'lustre.oss-lnet'].flatMap((probe) => readings.sources<LnetReading>(probe));

/**
 * What servers with several ways into LNet say of them. With a single one, or where none is up, the imports of all others tell;
 * a status that is not known is neither up nor down.
 */
export const railFindings = (judgement: Judgement): FindingDraft[] => {
  const seen = new Set<string>();
  const rails = lnetSources(judgement).flatMap((source) => {
    // An MDS that is an OSS as well is asked as both.
    if (source.state !== 'fresh' || !source.good || seen.has(source.host)) return [];
    seen.add(source.host);
    return besideOthers(source, source.good.value.rails);
  });
  const dead = rails.filter(({ rail }) => rail.status === 'down');
  const living = rails.filter(({ rail }) => rail.status === 'up');
  return [
    ...[...Map.groupBy(dead, ({ rail }) => wordOf(rail)).values()].map(downFinding),
    ...living.flatMap((one) => healthFinding(one, living) ?? dropFinding(one)),
  ];
};

const besideOthers = (source: LnetSource, rails: readonly Rail[]): OnServer[] => {
  const up = rails.filter(({ status }) => status === 'up').length;
  return rails.length < 2 || up === 0 ? [] : rails.map((rail) => ({ source, rail, up, of: rails.length }));
};

const netOf = ({ nid }: Rail): string => nid.slice(nid.indexOf('@') + 1);

/** `o2ib1 on ib1`: the same on all servers where one switch carries it. */
export const wordOf = (rail: Rail): string =>
  rail.interfaces.length === 0 ? netOf(rail) : `${netOf(rail)} on ${rail.interfaces.join(', ')}`;

/** Since LNet was loaded nothing went through it: it is being set up, or was never plugged in. */
const isUnused = ({ sent, received }: Rail): boolean => sent === 0 && received === 0;

export const lineOf = ({ source, rail }: Pick<OnServer, 'source' | 'rail'>): EvidenceDraft => ({
  ...evidenceFrom(
    source,
    `${source.host}: ${rail.nid}${rail.interfaces.length === 0 ? '' : ` (${rail.interfaces.join(', ')})`} ${rail.status}, health ${rail.health ?? '?'}, ${groupThousands(rail.sent ?? 0)} sent, ${groupThousands(rail.received ?? 0)} received, ${groupThousands(rail.dropped ?? 0)} dropped (lnetctl net show)`,
  ),
  words: [rail.nid],
});

/** Whether what stays up serves the same network: else those who have only this one are cut off. */
const sharesNet = ({ source, rail }: OnServer): boolean =>
  (source.good?.value.rails ?? []).some((one) => one.status === 'up' && netOf(one) === netOf(rail));

const downFinding = (list: readonly OnServer[]): FindingDraft => {
  const hosts = [...new Set(list.map(({ source }) => source.host))].sort();
  const [first] = list;
  const word = first ? wordOf(first.rail) : '';
  const unused = list.every(({ rail }) => isUnused(rail));
  const alone = list.filter((one) => !sharesNet(one)).length > 0;
  const left =
    hosts.length === 1 && first ? `${first.up} of ${first.of} left` : 'their other rails carry the load';
  return finding({
    key: `${hosts.join(',')}:${word}`,
    kind: 'rail-down',
    severity: unused ? 'notice' : 'warning',
    subject: hostSubject(hosts[0] ?? ''),
    ...(hosts.length > 1 && { members: hosts.map(hostSubject) }),
    summary: summary(
      fold(hosts),
      unused
        ? `: LNet rail ${word} is down and was never used, ${left}`
        : `: LNet rail ${word} is down, ${left}`,
    ),
    advice: `${hosts.length > 1 ? 'The same rail of several servers: look at its switch first. ' : ''}Look at the link of that interface (ip link, ibstat), its cable and its port. ${alone ? 'Hosts that have no other network in common with the server do not reach it; all others ' : 'The others '}go by what is left, with less bandwidth, and nothing is left if that fails, too. LNet takes it back by itself when its link is up.`,
    evidence: list.slice(0, 12).map(lineOf),
    ...suspectsOf('link-down', hosts.map(hostSubject), 'medium'),
  });
};

/** LNet counts messages that fail against the interface, and sends by those with the higher value. */
const healthFinding = (one: OnServer, living: readonly OnServer[]): FindingDraft[] | undefined => {
  const { source, rail } = one;
  const others = living.filter((other) => other.source === source && other !== one);
  const best = Math.max(0, ...others.map((other) => other.rail.health ?? 0));
  if (rail.health === undefined || rail.health >= fullHealth || rail.health >= best) return undefined;
  return [
    finding({
      key: `${source.host}:${rail.nid}`,
      kind: 'rail-health',
      severity: rail.health === 0 ? 'warning' : 'notice',
      subject: hostSubject(source.host),
      summary: summary(
        source.host,
        `: messages by LNet rail ${wordOf(rail)} fail: health ${rail.health} of ${fullHealth}, ${rail.health === 0 ? 'not used while another is up' : 'others are preferred'}`,
      ),
      advice: `Look at the errors of that interface and of its port at the switch, and ping by it: lnetctl ping --source ${rail.nid} NID. The value rises by itself when messages pass again.`,
      evidence: [one, ...others].map(lineOf),
      ...suspectsOf('link-errors', [hostSubject(source.host)], 'medium'),
    }),
  ];
};

const dropFinding = (one: OnServer): FindingDraft[] => {
  const { source, rail } = one;
  const [last] = source.before;
  const old = last?.value.rails.find(({ nid }) => nid === rail.nid);
  if (!last || !source.good || !old) return [];
  const dropped = (rail.dropped ?? 0) - (old.dropped ?? rail.dropped ?? 0);
  const received = (rail.received ?? 0) - (old.received ?? rail.received ?? 0);
  if (dropped < manyDrops || received < 0 || dropped < received * dropShare) return [];
  const seconds = Math.round((source.good.mono - last.mono) / 1000);
  return [
    finding({
      key: `${source.host}:${rail.nid}`,
      kind: 'rail-drops',
      severity: 'notice',
      subject: hostSubject(source.host),
      summary: summary(
        source.host,
        `: LNet rail ${wordOf(rail)} drops messages: ${groupThousands(dropped)} of ${groupThousands(received)} in ${seconds} s`,
      ),
      advice: `Messages that nobody waits for any more are dropped, too: look first who asks it in vain (${count(dropped, 'message')} in ${seconds} s), then at the errors of the interface.`,
      evidence: [lineOf(one)],
    }),
  ];
};
