import type { SiteView } from '../../model/site.ts';
import { subjectKey, type Subject, type SubjectKind } from '../../model/subject.ts';
import { nearestWord } from '../../text/nearest.ts';
import { makeSafe } from '../../text/safe.ts';
import { expandSet, isSet, type Groups } from '../../text/set-arithmetic.ts';
import { UsageError } from '../io.ts';

/**
 * Targets as typed to canonical subjects, each once, in the order typed; sets of nodes and hosts are expanded (guard 5: what reaches a plan
 * are explicit names). Throws UsageError for wildcards, sets of other kinds and names that the site does not know.
 */
export const targetsOf = (
  typed: readonly string[],
  kind: SubjectKind,
  site: Pick<SiteView, 'resolve' | 'hosts' | 'file'>,
  groups: Groups,
): Subject[] => {
  const subjects = typed
    .flatMap((one) => namesOf(one, kind, groups))
    .map((name) => resolve(name, kind, site));
  return [...new Map(subjects.map((subject) => [subjectKey(subject), subject])).values()];
};

const namesOf = (typed: string, kind: SubjectKind, groups: Groups): readonly string[] => {
  const isPattern = /[*?\s]/.test(typed) || /^all$/i.test(typed);
  if (isPattern || (isSet(typed) && kind !== 'node' && kind !== 'host'))
    throw new UsageError(
      `"${makeSafe(typed, 80)}" is ${isPattern ? 'a pattern' : `a set, and only nodes and hosts come in sets`}; name each target`,
    );
  if (!isSet(typed)) return [typed];
  try {
    const names = expandSet(typed, groups);
    if (names.length > 0) return names;
    throw new RangeError(`"${typed}" stands for no name at all`);
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(makeSafe(error.message, 300));
    throw error;
  }
};

const resolve = (
  name: string,
  kind: SubjectKind,
  site: Pick<SiteView, 'resolve' | 'hosts' | 'file'>,
): Subject => {
  const subject = site.resolve(kind, name);
  if (subject) return subject;
  throw new UsageError(`unknown ${kind} "${makeSafe(name, 80)}"; ${hintOf(name, kind, site)}`);
};

/** How a target of each kind is written. */
const written: Readonly<Record<SubjectKind, string>> = {
  node: 'node12',
  host: 'node12',
  port: 'core3:te3/46',
  lag: 'core3:po98',
  link: 'core3:te3/46=nfs-sw1:te1/12',
  pair: 'hostA:hostB',
  check: 'munge@node12',
  brick: 'gl1:/bricks/home0',
  ost: 'scratch-OST001e',
  mdt: 'scratch-MDT0000',
  volume: 'home0',
  partition: 'batch',
  place: 'rack=r7',
  site: "the site's own name",
};

/** What would be right: of names that begin with a host the host that was meant, else the shape of such a name. */
const hintOf = (
  typed: string,
  kind: SubjectKind,
  site: Pick<SiteView, 'resolve' | 'hosts' | 'file'>,
): string => {
  const shape = written[kind];
  const ofHost = kind === 'node' || kind === 'host' || shape.includes(':');
  const right = `${kind === 'ost' || kind === 'mdt' ? 'an' : 'a'} ${kind} is written as ${shape}`;
  if (!ofHost) return right;
  const names = kind === 'pair' ? typed.split(':') : typed.split(':').slice(0, 1);
  const unknown = names.find((name) => site.resolve('host', name) === undefined);
  if (unknown === undefined) return right;
  const near = nearestWord(
    unknown,
    site.hosts.map(({ name }) => name),
  );
  if (near === undefined) return `${makeSafe(site.file)} has no host ${makeSafe(unknown, 80)}`;
  return unknown === typed
    ? `did you mean "${makeSafe(near)}"?`
    : `there is no host ${makeSafe(unknown, 80)}, did you mean ${makeSafe(near)}?`;
};
