import type { Break, Carried, Lack } from '../model/dependency.ts';
import type { Facts } from '../model/fact.ts';
import type { Subject } from '../model/subject.ts';
import { fold } from '../text/nodeset.ts';
import { hostOf, uplinksOf, type Topology } from './topology.ts';

/** Those that take the weaker ones with them; without a place here one stands for itself alone. */
const strength: Partial<Readonly<Record<Carried, number>>> = { power: 3, reach: 2, data: 1 };

/** Whether who loses the one loses the other with it. */
const includes = (lost: Carried, what: Carried): boolean =>
  lost === what || (strength[lost] ?? 0) > (strength[what] ?? Infinity);

/** A machine is one, whether it is met as a host or as a node of the scheduler. */
const keyOf = ({ kind, id }: Subject): string => (kind === 'node' ? `host ${id}` : `${kind} ${id}`);

interface Edge {
  on: Subject;
  carries: Carried;
  /** One of several that do the same: all must be lost. */
  redundant?: true;
}

/** What systems publish, by who depends: filed once for as long as the facts are the same. */
const filed = new WeakMap<Facts, ReadonlyMap<string, readonly Edge[]>>();

const publishedEdges = (facts: Facts | undefined): ReadonlyMap<string, readonly Edge[]> => {
  const known = facts && filed.get(facts);
  if (!facts || known) return known ?? new Map<string, readonly Edge[]>();
  const edges = new Map<string, Edge[]>();
  for (const { subject, value } of facts.list('depends'))
    edges.set(keyOf(subject), [...(edges.get(keyOf(subject)) ?? []), value]);
  filed.set(facts, edges);
  return edges;
};

/** On what a subject hangs: the site file's labels and links, the device of a port in its name, and what systems publish. */
const edgesOf = (subject: Subject, topology: Topology): readonly Edge[] => {
  const { kind, id } = subject;
  const ownEdges = publishedEdges(topology.facts).get(keyOf(subject)) ?? [];
  if (kind === 'port' || kind === 'lag')
    return [...ownEdges, { on: { kind: 'host', id: hostOf(id) }, carries: 'reach' }];
  if (kind !== 'host' && kind !== 'node') return ownEdges;
  return [
    ...ownEdges,
    ...Object.entries(topology.site?.host(id)?.location ?? {}).map(([label, value]): Edge => ({
      on: placeOf(label, value),
      carries: 'power',
    })),
    ...uplinksOf(id, topology).map((port): Edge => ({
      on: { kind: 'port', id: port },
      carries: 'reach',
      redundant: true,
    })),
  ];
};

/** A location label of the site file as a subject. */
const placeOf = (label: string, value: string): Subject => ({
  kind: 'place',
  id: `${label}=${value}`,
});

type Broken = ReadonlyMap<string, readonly Carried[]>;

/** Gathered once for a finding, not for each effect. */
const gathered = new WeakMap<readonly Break[], Broken>();

const brokenBy = (breaks: readonly Break[]): Broken => {
  const known = gathered.get(breaks);
  if (known) return known;
  const broken = new Map<string, Carried[]>();
  for (const { what, of } of breaks)
    for (const subject of of) broken.set(keyOf(subject), [...(broken.get(keyOf(subject)) ?? []), what]);
  gathered.set(breaks, broken);
  return broken;
};

/** What is broken, and how many dependencies away. */
interface Loss {
  on: Subject;
  steps: number;
}

/** What is lost of a subject itself. */
type LostOf = (subject: Subject) => readonly Carried[] | undefined;

/** What a subject hangs on that is broken, if by that it goes without `what`. `from`: what led here, against circles. */
const lossOf = (
  subject: Subject,
  what: Carried,
  lostOf: LostOf,
  topology: Topology,
  from: readonly Subject[] = [],
): Loss | undefined => {
  if (from.some((one) => keyOf(one) === keyOf(subject))) return undefined;
  const findLoss = (edge: Edge): Loss | undefined => {
    if (!includes(edge.carries, what)) return undefined;
    if (lostOf(edge.on)?.some((lost) => includes(lost, edge.carries)))
      return { on: edge.on, steps: from.length + 1 };
    return lossOf(edge.on, edge.carries, lostOf, topology, [...from, subject]);
  };
  // Which of two switches hangs on the other no cable tells: from a switch that is on the way its own cables are not followed.
  const isOnTheWay = from.at(-1)?.kind === 'port';
  const edges = edgesOf(subject, topology).filter(({ redundant }) => !redundant || !isOnTheWay);
  for (const edge of edges) {
    const lost = edge.redundant ? undefined : findLoss(edge);
    if (lost) return lost;
  }
  const [first, ...others] = edges.filter(({ redundant }) => redundant).map(findLoss);
  return first && others.every((one) => one !== undefined) ? first : undefined;
};

/**
 * Why a fault that breaks this makes its subjects go without that: each of them hangs on what is broken, or is itself broken in a
 * stronger way (a daemon on a host that is gone). Undefined: it does not, or one of them is untouched.
 */
export const explainLack = (
  breaks: readonly Break[],
  lack: Lack,
  topology: Topology,
): { words: string; steps: number } | undefined => {
  const broken = brokenBy(breaks);
  const lostOf: LostOf = (subject) => broken.get(keyOf(subject));
  // Where it is known from whom it should come, the loss is looked for there: it is no fault of those who miss it.
  const subjects = lack.from ?? lack.of;
  const found = subjects.map((subject) => {
    const direct = lostOf(subject)?.some(
      (lost) => includes(lost, lack.what) && (lack.from !== undefined || lost !== lack.what),
    );
    return direct ? { on: subject, steps: 0 } : lossOf(subject, lack.what, lostOf, topology);
  });
  const [first] = found;
  if (!first || found.includes(undefined)) return undefined;
  return { words: wordsOf(subjects, first.on), steps: Math.max(...found.map((one) => one?.steps ?? 0)) };
};

/** Whether this subject, or what it hangs on, is out of reach, and it goes without `what` by that. */
export const isWithout = (
  subject: Subject,
  what: Carried,
  isAway: (subject: Subject) => boolean,
  topology: Topology,
): boolean => {
  const lostOf: LostOf = (one) => (isAway(one) ? ['reach'] : undefined);
  return (
    (isAway(subject) && includes('reach', what)) || lossOf(subject, what, lostOf, topology) !== undefined
  );
};

const wordsOf = (subjects: readonly Subject[], on: Subject): string => {
  const names = fold(new Set(subjects.map(({ id }) => id)));
  const one = subjects.length === 1;
  if (subjects.some((subject) => keyOf(subject) === keyOf(on)))
    return one ? `it is about ${names}` : `it is about ${names} too`;
  const where = on.kind === 'place' ? on.id.replace('=', ' ') : `${on.kind} ${on.id}`;
  return `${names} ${one ? 'hangs' : 'hang'} on ${where}`;
};
