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
