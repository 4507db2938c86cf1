export const subjectKinds = [
  'node',
  'port',
  'link',
  'lag',
  'ost',
  'mdt',
  'volume',
  'brick',
  'host',
  'pair',
  'check',
  'partition',
  'place',
  'site',
] as const;

/** What a finding, note, action or row is about. Ids are canonical; aliases are resolved in `src/site`. */
export type SubjectKind = (typeof subjectKinds)[number];

/** `{kind: 'port', id: 'core3:te3/46'}`; the id of a group of nodes is the folded set `node[12-28,31]`. */
export interface Subject {
  kind: SubjectKind;
  id: string;
}

/** `critical` hurts users now, `warning` will or may, `notice` is worth knowing. */
export type Severity = 'critical' | 'warning' | 'notice';

/** The sign beside a row or cell: a severity, or fine, unknown, stale. */
export type Sign = Severity | 'fine' | 'unknown' | 'stale';

/** `port core3:te3/46`: the key under which a subject is stored, locked and counted. */
export const subjectKey = (subject: Subject): string => `${subject.kind} ${subject.id}`;

/**
 * Where a file system is mounted (`/work`), as a place: it hangs on what serves the file system there, and who is said to miss it hangs
 * on it. The same path may be something else on another host: a system publishes one only where all its clients agree.
 */
export const mountPlace = (path: string): Subject => ({ kind: 'place', id: path });

/** Letters, digits and the few signs that ids of ports, pairs and bricks hold; never one that a list, a pattern, an option or a shell needs. */
const wellFormed = /^[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,199}$/;

/** A word for everything, as Slurm takes it. */
export const isWordForAll = (id: string): boolean => /^all$/i.test(id);

/** Whether anything may be done to what is called so: whatever a host called it goes into commands. */
export const canBeTarget = (id: string): boolean => wellFormed.test(id) && !isWordForAll(id);
