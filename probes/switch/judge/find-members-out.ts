import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import { memoPerJudgement } from '../../../src/kit/memo.ts';
import type { EvidenceDraft, FindingDraft } from '../../../src/model/finding.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { portIn, sourceOf, sourcesOf } from '../ask/sources.ts';
import { lagOf, memberIn } from '../links/lags.ts';
import { farEndOf } from '../links/links.ts';
import { isDown } from '../read/link-words.ts';
import { splitId } from '../read/port-states.ts';
import type { LagsReading, Port } from '../readings.ts';
import { settingsOf } from '../settings.ts';
import { flapsOf } from '../verdict/case-of.ts';
import { suspect } from '../verdict/suspects.ts';
import { isKeptOut } from './find-suspended.ts';
import { findShutter } from './shut-by-us.ts';

const finding = findingsOf('switch');

/** A member that should carry traffic and does not: `leaf7:te0/47`, and where its cable leads, as far as known. */
interface OutMember {
  id: string;
  port: string;
  state?: string | undefined;
  far?: string;
}

/** A LAG of one device with members that are out. */
interface ShortLag {
  host: string;
  id: string;
  lag: string;
  of: number;
  working: number;
  out: readonly OutMember[];
  /** LAGs at the other end, by the links of any of its members. */
  across: ReadonlySet<string>;
}

/** Shut by a console at this end or at the other is told by that finding already; and what was read before the link came up is over. */
const isExplained = (portId: string, readAt: number, judgement: Judgement): boolean => {
  const far = farEndOf(portId, judgement);
  return [portId, ...(far ? [far.id] : [])].some(
    (id) =>
      findShutter(id, judgement) !== undefined || (flapsOf(id, judgement).upSince ?? -Infinity) >= readAt,
  );
};

const portAt = (id: string, { readings }: Judgement): Port | undefined => {
  const { host, port } = splitId(id);
  const good = sourceOf(readings, 'counters', host)?.good;
  return good && portIn(good, port);
};

type MemberRow = LagsReading['members'][number];

/** By its device's word; where that is told of others of its LAG and not of this one, by the port itself. */
const isOut = (row: MemberRow, id: string, members: readonly MemberRow[], judgement: Judgement): boolean => {
  const { active, state } = row;
  if (active !== undefined || state !== undefined) return active === false;
  const port = members.some((one) => one.active !== undefined) ? portAt(id, judgement) : undefined;
  return port !== undefined && isDown(port);
};

const shortLags = memoPerJudgement((judgement): readonly ShortLag[] =>
  sourcesOf(judgement.readings, 'lags').flatMap(({ host, good }) =>
    (good?.value.lags ?? []).flatMap(({ lag }): ShortLag[] => {
      const members = good?.value.members.filter((one) => one.lag === lag) ?? [];
      const working = members.filter(({ active }) => active === true).length;
      const farOf = (member: string) => farEndOf(`${host}:${member}`, judgement);
      const out = members.flatMap((one): OutMember[] => {
        const id = `${host}:${one.member}`;
        // Hot-standby is by design as long as another one works; what is kept out with its link is told by itself.
        if (!isOut(one, id, members, judgement) || (working > 0 && one.standing === 'standby')) return [];
        if (isKeptOut(host, memberIn(one), judgement) || isExplained(id, good?.at ?? 0, judgement)) return [];
        const far = farOf(one.member);
        return [{ id, port: one.member, state: one.state, ...(far?.port !== undefined && { far: far.id }) }];
      });
      if (out.length === 0) return [];
      const across = members.flatMap(({ member }) => {
        const far = farOf(member);
        if (far?.host === undefined || far.port === undefined) return [];
        const found = lagOf(judgement, far.host, far.port);
        return found ? [`${far.host}:${found.lag}`] : [];
      });
      return [{ host, id: `${host}:${lag}`, lag, of: members.length, working, out, across: new Set(across) }];
    }),
  ),
);

/**
 * Whether all members that are out of the second are the far ends of such of the first: by the known links, else, where a device forgot its
 * neighbour with the link, because the two LAGs are each other's far ends and no more are out there than here.
 */
const isHolding = (first: ShortLag, second: ShortLag): boolean => {
  if (!first.across.has(second.id) && !second.across.has(first.id)) return false;
  const here = new Set(first.out.map(({ id }) => id));
  const there = new Set(second.out.map(({ id }) => id));
  const open = first.out.filter(({ far }) => far === undefined || there.has(far));
  return (
    second.out.every(({ far }) => far === undefined || here.has(far)) && second.out.length <= open.length
  );
};

const isShutAt = (id: string, judgement: Judgement): boolean => portAt(id, judgement)?.state === 'shut';

/** Where a member that is out was switched off by somebody: its own end, or the far one. */
const shutEnd = (lag: ShortLag, member: OutMember, judgement: Judgement): string | undefined => {
  const known = [member.id, ...(member.far === undefined ? [] : [member.far])];
  const own = known.find((id) => isShutAt(id, judgement));
  if (own !== undefined || member.far !== undefined) return own;
  const open = lag.out.filter(({ far }) => far === undefined);
  const there = shortLags(judgement)
    .filter((one) => isHolding(lag, one) && isHolding(one, lag))
    .flatMap(({ out }) => out.filter(({ far }) => far === undefined));
  // Which of several is which nobody knows: all are shut, or none is known to be.
  const all = there.length === open.length && there.every(({ id }) => isShutAt(id, judgement));
  return all ? there[open.indexOf(member)]?.id : undefined;
};

/** LAGs whose finding this one holds: the other end of the same links is told below it. The end where a port is shut is the one to go to. */
const sameLinks = (lag: ShortLag, judgement: Judgement): readonly ShortLag[] => {
  const weight = ({ out }: ShortLag): number => out.filter(({ id }) => isShutAt(id, judgement)).length;
  return shortLags(judgement).filter((other) => {
    if (other === lag || !isHolding(lag, other)) return false;
    if (!isHolding(other, lag)) return true;
    return (weight(lag) - weight(other) || Number(lag.id < other.id) - 0.5) > 0;
  });
};

const memberText = (id: string): string => id.replace(':', ' ');

/** Why each is out: `te0/47 shut`, `eth13 out (leaf7 te0/47 is shut)`. */
const outText = (lag: ShortLag, shut: ReadonlyMap<OutMember, string>): string => {
  const groups = Map.groupBy(lag.out, (one) => {
    const at = shut.get(one);
    return at === undefined ? 'out' : at === one.id ? 'shut' : `out (${memberText(at)} is shut)`;
  });
  return [...groups].map(([what, group]) => `${group.map(({ port }) => port).join(', ')} ${what}`).join(', ');
};

const shutText = (id: string, judgement: Judgement): EvidenceDraft => {
  const { link, description } = portAt(id, judgement) ?? {};
  const wrote = description === undefined ? '' : `; description: ${description}`;
  return evidenceFrom(
    sourceOf(judgement.readings, 'counters', splitId(id).host),
    `${memberText(id)} is shut (reads ${link ?? 'nothing'})${wrote}`,
  );
};

const findingOf = (lag: ShortLag, judgement: Judgement): FindingDraft => {
  const { host, out, of, working } = lag;
  const source = sourceOf(judgement.readings, 'lags', host);
  const ports = out.map(({ id }): Subject => ({ kind: 'port', id }));
  const shut = new Map(
    out.flatMap((one) => {
      const at = shutEnd(lag, one, judgement);
      return at === undefined ? [] : [[one, at] as const];
    }),
  );
  const all = out.length === of;
  // Somebody meant it, and what is left is what a LAG must keep when a console shuts a member.
  const isMeant = shut.size === out.length && working >= of * settingsOf(judgement.site).lag.keep;
  return finding({
    kind: 'lag-member-out',
    key: lag.id,
    // A LAG that nobody uses is down as a whole on many switches: worth knowing, not more.
    severity: all || isMeant ? 'notice' : 'warning',
    subject: { kind: 'lag', id: lag.id },
    summary: all
      ? `${host} ${lag.lag} down: none of its ${of} members carries traffic`
      : `${host} ${lag.lag} has ${working} of ${of} members: ${outText(lag, shut)}`,
    ...(shut.size > 0 && { advice: 'Looks deliberate; restore the port when the work is over.' }),
    evidence: [
      {
        ...evidenceFrom(
          source,
          out.map(({ port, state }) => `${port} reads ${state ?? 'nothing'}`).join(', '),
        ),
        about: ports,
      },
      ...[...new Set(shut.values())].map((id) => shutText(id, judgement)),
      ...sameLinks(lag, judgement).map((other): EvidenceDraft => ({
        ...evidenceFrom(
          sourceOf(judgement.readings, 'lags', other.host),
          `the other end, ${memberText(other.id)}, lists ${other.out.map(({ port }) => port).join(', ')} out`,
        ),
        about: [{ kind: 'lag', id: other.id }],
        values: { sameLinks: true },
      })),
    ],
    suspects: out.map((one) =>
      suspect(shut.get(one) ?? one.id, 'down', shut.has(one) ? { shut: true } : undefined),
    ),
    breaks: [{ what: 'reach', of: ports }],
    remedies: ports.map((port) => ({ action: 'switch.restore', subjects: [port] })),
  });
};

/** Members of a LAG that should carry traffic and do not; of the two ends of the same links one is told below the other. */
export const membersOut = (judgement: Judgement): readonly FindingDraft[] =>
  shortLags(judgement).map((lag) => findingOf(lag, judgement));
