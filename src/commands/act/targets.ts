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
    const near = nearest(
      one,
      site.hosts.map(({ name }) => name),
    );
    const hint =
      near === undefined ? `${visible(site.file)} does not have it` : `did you mean "${visible(near)}"?`;
    throw new UsageError(`unknown ${kind} "${visible(one, 80)}"; ${hint}`);
  });
