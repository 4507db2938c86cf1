import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Source } from '../../../src/model/reading.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { flapsOf } from '../verdict/case-of.ts';
import { findLag, type Lag, lagOf, type Member, membersText, workingMembers } from '../links/lags.ts';
import type { LinkEnd } from '../links/link.ts';
import { farEndOf } from '../links/links.ts';
import type { Standing } from '../read/member-states.ts';
import { portIn, sourceOf, sourcesOf } from '../ask/sources.ts';
import { suspect } from '../verdict/suspects.ts';

const finding = findingsOf('switch');

/** LACP lets a member in after up to three of its slow periods of 30 s (IEEE 802.1AX). */
const settledMs = 100_000;

/** Words that mean a link which is there and is not let in. */
const keptOut: ReadonlySet<Standing> = new Set(['suspended', 'individual', 'unfit']);

/** A node that reboots, or was taken out of service, speaks no LACP for a while: that is no fault of its link. */
const isAway = (far: LinkEnd | undefined, { facts }: Judgement): boolean => {
  if (far?.host === undefined) return false;
  const node = { kind: 'node', id: far.host } as const;
  return facts.find('node.rebooting', node) !== undefined || facts.find('node.drained', node) !== undefined;
};

/**
 * Whether a member has its link and carries nothing: because its link is up and its device says that it does not work, or by a word that
 * means so. A standby is none: it waits by design.
 */
export const isKeptOut = (host: string, member: Member, judgement: Judgement): boolean => {
  const { port, active, standing } = member;
  if (active !== false || standing === 'standby') return false;
  const counters = sourceOf(judgement.readings, 'counters', host)?.good;
  const link = counters && portIn(counters, port)?.state;
  if (link !== undefined && link !== 'up') return false;
  return link === 'up' || (standing !== undefined && keptOut.has(standing));
};

/** Nothing to tell of it yet: LACP may still negotiate, or whoever is at the far end is away. */
const isExcused = (host: string, { port }: Member, judgement: Judgement): boolean => {
  const { upSince } = flapsOf(`${host}:${port}`, judgement);
  if (upSince !== undefined && judgement.now - upSince < settledMs) return true;
  return isAway(farEndOf(`${host}:${port}`, judgement), judgement);
};

const wordOf = ({ port, state, standing }: Member): string =>
  `${port} reads ${state ?? 'nothing'}${standing === undefined || standing === state ? '' : ` (${standing})`}`;

/** What the far end says of the same cable. */
const farWord = (far: LinkEnd | undefined, judgement: Judgement): string | undefined => {
  if (far?.host === undefined || far.port === undefined) return undefined;
  const lag = lagOf(judgement, far.host, far.port);
  if (!lag) return `${far.host} lists ${far.port} in no LAG`;
  const member = lag.members.find(({ port }) => port === far.port);
  return lag.guessed || !member ? undefined : `far end: ${far.host} ${wordOf(member)} in ${lag.lag}`;
};

const advice = (out: readonly Member[]): string =>
  out.some(({ standing }) => standing === 'individual')
    ? 'No LACP comes from the far side: see that its port is in a LAG that speaks LACP. Shut no other member before this one works.'
    : 'LACP keeps out a member whose link is up: compare LACP mode, group, speed and VLANs at both ends. Shut no other member before this one works.';

const findingOf = (lag: Lag, out: readonly Member[], source: Source, judgement: Judgement): FindingDraft => {
  const { host, lag: name, members } = lag;
  const { readings, site } = judgement;
  const ends = out.map(({ port }) => farEndOf(`${host}:${port}`, judgement));
  const toSwitch = ends.some(
    (far) => far?.host !== undefined && site.host(far.host)?.roles.includes('switch') === true,
  );
  const working = workingMembers(lag).length;
  const what = out.every(({ standing }) => standing === 'suspended')
    ? 'suspended'
    : `kept out of the LAG though ${out.length === 1 ? 'its link is' : 'their links are'} up`;
  const ports = out.map(({ port }): Subject => ({ kind: 'port', id: `${host}:${port}` }));
  const names = out.map(({ port }) => port).join(', ');
  return finding({
    kind: 'lag-member-suspended',
    key: `${host}:${name}`,
    severity: working === 0 && toSwitch ? 'critical' : 'warning',
    subject: { kind: 'lag', id: `${host}:${name}` },
    summary:
      working === 0
        ? `${host} ${name} carries nothing: ${names} ${what}`
        : `${host} ${name}: ${names} ${what}, ${membersText(lag)} carry traffic`,
    advice: advice(out),
    evidence: [
      { ...evidenceFrom(source, out.map(wordOf).join(', ')), about: ports },
      evidenceFrom(source, `${working} of ${members.length} members carry traffic`),
      ...ends.flatMap((far) => {
        const text = farWord(far, judgement);
        const there = far?.host === undefined ? undefined : sourceOf(readings, 'lags', far.host);
        return text === undefined || !there?.good ? [] : [evidenceFrom(there, text)];
      }),
    ],
    suspects: ports.map(({ id }) => suspect(id, 'suspended')),
    breaks: [{ what: 'reach', of: ports }],
  });
};

/** Members with a link that their device does not let carry traffic: suspended, individual, not negotiated. */
export const suspendedMembers = (judgement: Judgement): readonly FindingDraft[] =>
  sourcesOf(judgement.readings, 'lags').flatMap((source) =>
    (source.good?.value.lags ?? []).flatMap(({ lag: name }): FindingDraft[] => {
      const { host } = source;
      const lag = findLag(judgement, host, name);
      const out = (lag?.members ?? []).filter(
        (one) => isKeptOut(host, one, judgement) && !isExcused(host, one, judgement),
      );
      return lag && out.length > 0 ? [findingOf(lag, out, source, judgement)] : [];
    }),
  );
