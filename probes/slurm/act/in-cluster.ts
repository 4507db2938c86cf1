import type { Action, Plan, PlanContext, Refusal } from '../../../src/model/action.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { narrowTarget, refusal } from '../../../src/kit/guards.ts';
import { clusterOf, nodeOfSubject, nodeSubject } from '../judge/cluster.ts';
import { clusterName, clusterText, eachCluster, unnamedHosts, type ClusterView } from '../judge/clusters.ts';
import { splitNode } from '../judge/narrow-site.ts';
import { otherControllers } from '../judge/other-controllers.ts';
import { nodeName } from './targets.ts';

/** Nodes as their own cluster calls them, and what is known of that cluster alone. */
interface InCluster {
  view: ClusterView;
  subjects: readonly Subject[];
  /** By the cluster's own name: what was typed with its cluster, while the plain name might be another cluster's. */
  typed: ReadonlyMap<string, Subject>;
  context: PlanContext;
}

/** The node under which a cluster knows a subject; undefined: it has none. */
const nodeIn = (name: string, { judgement }: ClusterView, { site }: Judgement): Subject | undefined => {
  const index = clusterOf(judgement.readings)?.index;
  const node = index && nodeOfSubject(index, site, name);
  return node && nodeSubject(judgement.site, node.name);
};

/** Controllers of clusters of which no node is known. */
const unreadHosts = (views: readonly ClusterView[], judgement: Judgement): readonly string[] => [
  ...views.flatMap(({ cluster, judgement: own }) => (clusterOf(own.readings) ? [] : cluster.hosts)),
  ...otherControllers(judgement, undefined).map(({ host }) => host),
];

/** In which cluster a subject is, or why that can't be said. `undefined`: in none that was read, which the plan says of it. */
const placeOf = (
  subject: Subject,
  views: readonly ClusterView[],
  judgement: Judgement,
): { view: ClusterView; subject: Subject } | Refusal | undefined => {
  const { cluster, name } = splitNode(subject.id);
  // The plan says so, of the name as it was typed: a look-up forgives blanks.
  if (!nodeName.test(name)) return undefined;
  if (cluster !== undefined) {
    const view = views.find((one) => clusterName(one.cluster) === cluster);
    const known = views.map((one) => clusterName(one.cluster)).join(', ');
    if (!view) return refusal('5 targets', `no Slurm cluster ${cluster} was read here; known: ${known}`);
    const found = nodeIn(name, view, judgement);
    return found ? { view, subject: found } : refusal('5 targets', `${cluster} has no node ${name}`);
  }
  const places = views.flatMap((view) => {
    const found = nodeIn(name, view, judgement);
    return found ? [{ view, subject: found }] : [];
  });
  const full = places.map(({ view }) => `${clusterName(view.cluster)}/${name}`).join(' or ');
  if (places.length > 1)
    return refusal('5 targets', `${places.length} clusters have a node ${name}: which is meant? ${full}`);
  const [unread] = unreadHosts(views, judgement);
  if (unread !== undefined && places.length > 0)
    return refusal(
      '5 targets',
      `the nodes of the cluster of ${unread} were never read: whether it has a node ${name} is not known; write ${full}`,
    );
  return places[0];
};

/** The cluster that all of them are in, or why there is none. */
const clusterFor = (subjects: readonly Subject[], context: PlanContext): InCluster | Refusal => {
  const { judgement } = context;
  const views = eachCluster(judgement);
  const unnamed = unnamedHosts(judgement.readings, judgement.site);
  if (unnamed.length > 0)
    return refusal(
      '3 preconditions',
      `the ClusterName that ${unnamed.join(', ')} asks was not read: ${views.length > 1 ? 'whether it is another cluster' : 'which settings of the site file it has'} is not known`,
    );
  let view: ClusterView | undefined;
  const named: Subject[] = [];
  const typed = new Map<string, Subject>();
  const isAllRead = unreadHosts(views, judgement).length === 0;
  for (const subject of subjects) {
    const place = placeOf(subject, views, judgement);
    if (place && 'refused' in place) return place;
    if (place && view && place.view !== view)
      return refusal(
        '5 targets',
        `${subjects[0]?.id ?? ''} and ${subject.id} are in two clusters (${clusterName(view.cluster)}, ${clusterName(place.view.cluster)}): one plan is about one cluster`,
      );
    view ??= place?.view;
    named.push(place?.subject ?? subject);
    if (place && !isAllRead && splitNode(subject.id).cluster !== undefined)
      typed.set(place.subject.id, subject);
  }
  const chosen = view ?? views[0];
  if (!chosen) return refusal('3 preconditions', 'no host has the role slurm-controller');
  return { view: chosen, subjects: named, typed, context: { ...context, judgement: chosen.judgement } };
};

/** The same cluster by readings taken later: its hosts stay the same. */
const sameOf =
  ({ cluster }: ClusterView) =>
  (live: Judgement): Judgement =>
    eachCluster(live).find((one) => one.cluster.hosts.some((host) => cluster.hosts.includes(host)))
      ?.judgement ?? live;

const planInCluster = <P>(
  action: Action<P>,
  subjects: readonly Subject[],
  given: P,
  context: PlanContext,
): Plan | Refusal => {
  const found = clusterFor(subjects, context);
  if ('refused' in found) return found;
  const made = action.plan(found.subjects, given, found.context);
  if ('refused' in made) return made;
  const plan = nameAsTyped(made, found.typed);
  const isOnly = eachCluster(context.judgement).length < 2;
  // Guards read again later: by the settings of the cluster, as the plan was made.
  if (isOnly && found.context.judgement === context.judgement) return plan;
  return {
    ...plan,
    targets: plan.targets.map((target) => narrowTarget(target, sameOf(found.view))),
    because: isOnly ? plan.because : [`cluster ${clusterText(found.view.cluster)}`, ...plan.because],
  };
};

/** Before anything is sent the plan is made anew for its targets: by the plain name it would be refused then. */
const nameAsTyped = (plan: Plan, typed: InCluster['typed']): Plan => {
  const named = <T extends { subject: Subject }>(one: T): T => ({
    ...one,
    subject: typed.get(one.subject.id) ?? one.subject,
  });
  return typed.size === 0
    ? plan
    : { ...plan, targets: plan.targets.map(named), leftOut: plan.leftOut.map(named) };
};

/** An action that knows of one cluster, on a site that may have several: it acts within its nodes' cluster, and refuses a name that may be of either. */
export const limitToCluster = <P>(action: Action<P>): Action<P> => {
  const { undoOf } = action;
  return {
    ...action,
    plan: (subjects, given, context) => planInCluster(action, subjects, given, context),
    ...(undoOf && {
      undoOf: (subject, was, context) => {
        const found = clusterFor([subject], context);
        return 'refused' in found ? found : undoOf(found.subjects[0] ?? subject, was, found.context);
      },
    }),
  };
};
