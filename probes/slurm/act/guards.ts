import type { Guard, GuardResult } from '../../../src/model/action.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { failGuard, passGuard, passUnless, rereads } from '../../../src/kit/guards.ts';
import { percent } from '../../../src/text/units.ts';
import { adviceFor } from '../judge/advice.ts';
import { nodeNow, type Target } from './targets.ts';
import { checkOf } from '../judge/checks.ts';
import { partitionShare } from '../judge/find-partitions.ts';
import { ownerPhrase, mayReturn, ownerOf, shownReason } from '../judge/ownership.ts';
import type { SlurmNode } from '../readings.ts';
import { quoteReason } from '../judge/sentence.ts';
import { settingsOf } from '../settings.ts';
import { stateWord, troubleOf } from '../judge/trouble.ts';

const nodesOn = (controller: string): Guard['reads'] => rereads('slurm.nodes', controller);

/** Guard 3: the node is out of service in the same way, for the same reason, set by the same user, as the plan shows. */
export const requireUnchanged = ({ node }: Target, controller: string): Guard => ({
  id: '3 preconditions',
  text: `${node.name} is still ${stateWord(node)}${node.reason === undefined ? '' : ` for ${quoteReason(node.reason)}`}`,
  reads: nodesOn(controller),
  ownRow: true,
  absolute: true,
  check: (live) => {
    const now = nodeNow(node.name, live);
    if (!now) return failGuard(`Slurm no longer lists ${node.name}`);
    const same =
      troubleOf(now) === troubleOf(node) && now.reason === node.reason && now.reasonUser === node.reasonUser;
    return same
      ? passGuard(`${stateWord(now)}, same reason`)
      : failGuard(`plan is stale: ${node.name} is now ${sayNode(now)}`);
  },
});

/** Guard 5 at the moment of execution: the node is still there. */
export const requireListed = ({ node }: Target, controller: string): Guard => ({
  id: '5 targets',
  text: `Slurm lists ${node.name}`,
  reads: nodesOn(controller),
  ownRow: true,
  absolute: true,
  check: (live) =>
    nodeNow(node.name, live) ? passGuard('listed') : failGuard(`Slurm lists no ${node.name}`),
});

/** Why nothing may be built on a node's state; undefined when every word of it is known and it says what the node does. */
export const oddProblem = (node: SlurmNode): string | undefined =>
  troubleOf(node) === 'odd' || node.state === undefined
    ? `the state ${stateWord(node)} is unknown to this console; see scontrol show node ${node.name}`
    : undefined;

/** Guard 3: what the node does now is known. */
export const requireKnownState = ({ node }: Target, controller: string): Guard => ({
  id: '3 preconditions',
  text: `every word of the state of ${node.name} is known`,
  reads: nodesOn(controller),
  absolute: true,
  check: (live) => {
    const now = nodeNow(node.name, live);
    const problem = now ? oddProblem(now) : `Slurm no longer lists ${node.name}`;
    return passUnless(problem, now ? stateWord(now) : '');
  },
});

const sayNode = (node: SlurmNode): string =>
  `${stateWord(node)}${node.reason === undefined ? '' : `, ${quoteReason(node.reason)} by ${node.reasonUser ?? 'an unknown user'}`}`;

/** Why the operator may not return a node to service just so; undefined when nothing stands against it. */
export const ownershipProblem = (
  node: SlurmNode,
  operator: string,
  judgement: Judgement,
): string | undefined => {
  const settings = settingsOf(judgement.site);
  const owner = ownerOf(node, settings);
  const reason = shownReason(node, owner, settings);
  if (!mayReturn(owner, operator))
    return `drained ${ownerPhrase(owner)} for another reason (${quoteReason(reason)})`;
  const advice = adviceFor(node.reason);
  return owner.kind === 'slurm' && advice?.resume === 'no'
    ? `${quoteReason(reason)}: ${advice.text}`
    : undefined;
};

/** Guard 4: only what the health check, Slurm or this operator put there; the rest needs a take-over. */
export const ownership = ({ node }: Target, controller: string, operator: string): Guard => ({
  id: '4 ownership',
  text: `${node.name} was not drained by a person`,
  reads: nodesOn(controller),
  ownRow: true,
  absolute: false,
  check: (live) => {
    const now = nodeNow(node.name, live);
    if (!now) return failGuard(`Slurm no longer lists ${node.name}`);
    return passUnless(
      ownershipProblem(now, operator, live),
      ownerPhrase(ownerOf(now, settingsOf(live.site))),
    );
  },
});

/** The site's check, asked live on the node itself right before. */
export const requireCheckPassed = ({ node }: Target, host: string): Guard => ({
  id: '3 check',
  text: `the check passes on ${node.name}`,
  reads: [{ probe: 'slurm.check', host }],
  absolute: true,
  check: (live) => {
    const check = checkOf(node, live);
    if (check.state === 'pass') return passGuard('passes');
    if (check.state === 'fail') return failGuard(`the health check fails (${quoteReason(check.text, 80)})`);
    return failGuard(
      check.state === 'none'
        ? 'the site file names no health check (slurm.check.command)'
        : `the health check could not run: ${check.text}`,
    );
  },
});

/**
 * Guard 6: what of each of the node's partitions is out of service after the whole plan, counting what others took out.
 * `names`: all nodes that the plan takes out.
 */
export const partitionRoom = ({ node }: Target, controller: string, names: readonly string[]): Guard => ({
  id: '6 partition share',
  text: `at most the allowed share of ${node.partitions.length === 1 ? `partition ${node.partitions[0]}` : `partitions ${node.partitions.join(', ')}`} is out of service afterwards`,
  reads: nodesOn(controller),
  absolute: false,
  check: (live) => {
    const limit = settingsOf(live.site).partitionOut;
    const said = node.partitions.map((name) => roomIn(name, names, limit, live));
    const bad = said.find((one) => !one.ok);
    return bad ?? passGuard(said.map((one) => one.text).join('; ') || 'in no partition');
  },
});

const roomIn = (name: string, names: readonly string[], limit: number, live: Judgement): GuardResult => {
  const { out, total } = partitionShare(name, live);
  const members = new Set(names.filter((one) => nodeNow(one, live)?.partitions.includes(name)));
  const after = new Set([...out, ...members]).size;
  const text = `partition ${name}: ${after} of ${total} nodes out of service afterwards (${percent(total === 0 ? 0 : after / total)}, limit ${percent(limit)})`;
  if (total === 0) return failGuard(`partition ${name}: no node read`);
  return after > out.length && after / total > limit ? failGuard(text) : passGuard(text);
};
