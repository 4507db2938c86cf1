import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { memoPer } from '../../../src/kit/memo.ts';
import { cut } from '../../../src/text/width.ts';
import { eachPool, type PoolView, type TrustedPool } from '../pools.ts';
import { volumesOf } from './pool.ts';

/** Names of volumes that several pools have. */
const namedTwice = memoPer((judgement: Judgement): ReadonlySet<string> => {
  const pools = eachPool(judgement);
  if (pools.length < 2) return new Set();
  const names = pools.flatMap((one) => (volumesOf(one.judgement)?.volumes ?? []).map(({ name }) => name));
  return new Set(names.filter((name, at) => names.indexOf(name) !== at));
});

/** The id of a pool's volume: its name, and where another pool has one of the same name `home0@gl1`. `@` is in no volume's name. */
export const volumeId = (name: string, { name: pool }: TrustedPool, judgement: Judgement): string =>
  namedTwice(judgement).has(name) ? `${name}@${pool}` : name;

/** The pool that a subject is of, with what it is called there; several where its name alone does not tell. */
export const poolsOfSubject = (
  subject: Subject,
  judgement: Judgement,
): readonly (PoolView & { subject: Subject })[] => {
  const pools = eachPool(judgement);
  const { kind, id } = subject;
  if (pools.length < 2) return pools.map((one) => ({ ...one, subject }));
  const has = ({ pool, judgement: own }: PoolView, name: string): boolean =>
    kind === 'volume'
      ? (volumesOf(own)?.volumes ?? []).some((volume) => volume.name === name)
      : pool.hosts.includes(kind === 'brick' ? (id.split(':')[0] ?? '') : id);
  const [, name = id, of] = (kind === 'volume' && /^([^@]+)@(.+)$/.exec(id)) || [];
  return pools
    .filter((one) => (of === undefined || one.pool.name === of) && has(one, name))
    .map((one) => ({ ...one, subject: { kind, id: name } }));
};

/** A finding of one of several pools: volumes by the ids that they have in the site, and the pool named where a name alone misleads. */
export const nameInPool = (
  found: FindingDraft,
  pool: TrustedPool,
  judgement: Judgement,
  isDouble: boolean,
): FindingDraft => {
  const rename = (subject: Subject): Subject =>
    subject.kind === 'volume' ? { ...subject, id: volumeId(subject.id, pool, judgement) } : subject;
  const renameAll = <T extends { of: readonly Subject[] }>(list: readonly T[]): T[] =>
    list.map((one) => ({ ...one, of: one.of.map(rename) }));
  const { subject, members, breaks, lacks, suspects, remedies } = found;
  const misleads = isDouble || rename(subject).id !== subject.id;
  return {
    ...found,
    subject: rename(subject),
    ...(misleads && {
      id: `${found.id}@${pool.name}`,
      summary: cut(`pool ${pool.name}: ${found.summary}`, 100),
    }),
    ...(members && { members: members.map(rename) }),
    ...(breaks && { breaks: renameAll(breaks) }),
    ...(lacks && { lacks: renameAll(lacks) }),
    ...(suspects && { suspects: suspects.map((one) => ({ ...one, subject: rename(one.subject) })) }),
    remedies: remedies.map((one) => ({ ...one, subjects: one.subjects.map(rename) })),
  };
};
