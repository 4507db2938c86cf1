import type { SiteView } from '../../model/site.ts';
import type { Subject, SubjectKind } from '../../model/subject.ts';
import { nearest } from '../../text/nearest.ts';
import { visible } from '../../text/safe.ts';
import { UsageError } from '../io.ts';

/** Targets as typed to canonical subjects. Throws UsageError for sets, wildcards and names that the site does not know. */
export const targetsOf = (
  typed: readonly string[],
  kind: SubjectKind,
  site: Pick<SiteView, 'resolve' | 'hosts' | 'file'>,
): Subject[] =>
  typed.map((one) => {
    if (/[[\]*?,\s]/.test(one) || /^all$/i.test(one))
      throw new UsageError(`"${visible(one, 80)}" is a set or a pattern; name each target`);
    const subject = site.resolve(kind, one);
    if (subject) return subject;
    throw new UsageError(`unknown ${kind} "${visible(one, 80)}"; ${hintOf(one, kind, site)}`);
  });

/** How a target of each kind is written. */
const written: Readonly<Record<SubjectKind, string>> = {
  node: 'node12',
  host: 'node12',
  port: 'core3:te3/46',
  lag: 'core3:po98',
  link: 'core3:te3/46=nfs-sw1:te1/12',
  pair: 'hostA:hostB',
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
  const near = nearest(
    unknown,
    site.hosts.map(({ name }) => name),
  );
  if (near === undefined) return `${visible(site.file)} has no host ${visible(unknown, 80)}`;
  return unknown === typed
    ? `did you mean "${visible(near)}"?`
    : `there is no host ${visible(unknown, 80)}, did you mean ${visible(near)}?`;
};
