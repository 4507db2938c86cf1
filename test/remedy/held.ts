import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Action, Plan, PlanTarget, Step } from '../../src/model/action.ts';
import type { Hold } from '../../src/model/hold.ts';
import type { RawAnswer } from '../../src/model/answer.ts';
import type { HoldView, RunView } from '../../src/model/run.ts';
import type { Judgement } from '../../src/model/system.ts';
import type { Engine } from '../../src/remedy/engine.ts';
import { answer, fakeAction, node, obey, type Nodes, type World } from './world.ts';

const READS = [{ probe: 'fake.nodes', host: 'ctl1' }] as const;
const SECONDS = 60;

const read = (live: Judgement, id: string) =>
  live.readings.source<Nodes>('fake.nodes', 'ctl1')?.good?.value[id];

const step = (host: string, ...argv: string[]): Step => ({ host, argv, deadlineMs: 5_000 });

/** The timer is one more entry of what the probe reads, so the same reading proves it. */
export const isArmed = (nodes: Nodes): boolean => nodes['timer']?.drained === true;

const holdOf = (id: string, by: Hold['by']): Hold => ({
  by,
  seconds: SECONDS,
  text: `a timer on adm9 restores ${id}`,
  arm: by === 'timer' ? [step('adm9', 'arm', id, String(SECONDS))] : [],
  armed: {
    text: 'armed',
    reads: READS,
    deadlineMs: 5_000,
    check: (live) => ({
      state: read(live, 'timer')?.drained ? 'yes' : 'wait',
      text: read(live, 'timer')?.drained ? 'the timer waits' : 'no timer',
    }),
  },
  keep: [step(by === 'timer' ? 'adm9' : 'ctl1', by === 'timer' ? 'disarm' : 'confirm', id)],
  kept: {
    text: 'kept',
    reads: READS,
    deadlineMs: 5_000,
    check: (live) => {
      const so = read(live, 'timer')?.drained !== true && read(live, id)?.drained === true;
      return { state: so ? 'yes' : 'wait', text: so ? `${id} stays drained` : `${id} is not kept` };
    },
  },
  restore: [step('ctl1', 'scontrol', 'update', id, 'resume', 'back')],
  restored: {
    text: 'restored',
    reads: READS,
    deadlineMs: 10_000,
    check: (live) => {
      const so = read(live, id)?.drained === false;
      return { state: so ? 'yes' : 'wait', text: `${id} is ${so ? 'up' : 'drained'}` };
    },
  },
  failure: {
    reads: [...READS, { probe: 'fake.silent', host: 'adm9' }],
    explain: (live) => {
      const why = read(live, 'failed')?.reason ?? '';
      return why === '' ? undefined : `adm9 tells: ${why}`;
    },
  },
  watch: READS,
  watching: (live) => [`${id} reads ${read(live, id)?.drained ? 'drained' : 'up'}`],
  checkKeeping: (live) =>
    read(live, 'bad')?.drained === true
      ? { ok: false, text: 'errors go on' }
      : { ok: true, text: 'no errors' },
});

/** `fake.shut`: drains a node with an undo armed before. */
export const heldAction = (by: Hold['by'] = 'timer'): Action => {
  const base = fakeAction({ wants: true, danger: 'access' });
  const hold = (target: PlanTarget): PlanTarget => ({
    ...target,
    verify: { ...target.verify, deadlineMs: 10_000 },
    steps: by === 'timer' ? target.steps : [step('ctl1', 'commit', target.subject.id, String(SECONDS))],
    hold: holdOf(target.subject.id, by),
  });
  return {
    ...base,
    id: 'fake.shut',
    verb: 'shut',
    plan: (subjects, parameters, context): Plan => {
      const plan = base.plan(subjects, parameters, context);
      if ('refused' in plan) throw new Error(plan.reason);
      return { ...plan, action: 'fake.shut', verb: 'shut', targets: plan.targets.map(hold) };
    },
  };
};

/** Lets the fake cluster know the timer: fires at the next reading after its time, unless `dead`. */
export interface Timer {
  /** Never fires. */
  dead: boolean;
  /** Answers of the hosts to verbs (`arm`, `drain`, `resume`, ...) in place of obeying. */
  fail: Partial<Record<string, RawAnswer>>;
  /** Monotonic ms at which it fires. */
  at: number;
  id: string;
}

export const withTimer = (world: World): Timer => {
  const timer: Timer = { dead: false, fail: {}, at: 0, id: '' };
  const { nodes, clock } = world;
  for (const id of Object.keys(nodes)) nodes[id] = { drained: false, reason: '' };
  world.beforeRead = () => {
    if (!isArmed(nodes) || timer.dead || clock.mono() < timer.at) return;
    nodes['timer'] = { drained: false, reason: '' };
    nodes[timer.id] = { drained: false, reason: 'by the timer' };
  };
  world.act = (script) => {
    const [verb = '', id = ''] = script.split(' ');
    const failure = timer.fail[verb === 'scontrol' ? (script.split(' ')[3] ?? '') : verb];
    if (failure !== undefined) return failure;
    if (verb === 'scontrol') return obey(nodes, script);
    if (verb === 'arm' || verb === 'commit') {
      timer.at = clock.mono() + SECONDS * 1000;
      timer.id = id;
      nodes['timer'] = { drained: true, reason: id };
      if (verb === 'commit') nodes[id] = { drained: true, reason: '' };
    } else nodes['timer'] = { drained: false, reason: '' };
    return answer();
  };
  world.parts = {
    ...world.parts,
    actionSets: [{ system: 'fake', actions: [heldAction()] }],
    site: {
      ...world.parts.site,
      resolve: (kind, id) => (kind === 'node' && id in nodes ? node(id) : undefined),
    },
  };
  return timer;
};

/** Plans, confirms, and gives the run's id; the answer to each state of the hold is `react`'s. */
export const shut = async (
  world: World,
  engine: Engine,
  react: (hold: HoldView, run: string) => void = () => undefined,
): Promise<string> => {
  const planned = await engine.plan('fake.shut', [node('n1')], {});
  if ('refused' in planned) throw new Error(planned.refused.reason);
  world.clock.advance(planned.card.armedAfterMs);
  engine.onChange(() => {
    const view = engine.runs()[0];
    if (view?.hold) react(view.hold, view.id);
  });
  const confirmed = await engine.confirm(planned.card.id, planned.card.confirmText);
  if ('refused' in confirmed) throw new Error(confirmed.refused.reason);
  return confirmed.run;
};

export const ARM = 'arm n1 60';
export const CHANGE = "scontrol update n1 drain ''";
export const KEEP = 'disarm n1';
export const RESTORE = 'scontrol update n1 resume back';

/** Does this once, when the hold has been watched. */
export const once = (act: (run: string, hold: HoldView) => void) => {
  let done = false;
  return (hold: HoldView, run: string): void => {
    if (done || hold.state !== 'waiting' || hold.watches === 0) return;
    done = true;
    act(run, hold);
  };
};

/** What came of the shutdown of the world at hand, as it is when it is asked for. */
export const watching = (world: () => World) => ({
  sent: () => world().sent.map(({ script }) => script),
  told: async () =>
    (await world().parts.audit.read()).records.map(({ kind, detail, outcome }) =>
      kind === 'hold' ? detail['phase'] : `${kind}${outcome === undefined ? '' : ` ${outcome}`}`,
    ),
  locks: () => readdirSync(join(world().folder, 'locks')).filter((name) => name.endsWith('.lock')),
  /** Shuts, reacts to what is held, and gives how it ended. */
  hold: async (
    react: (engine: Engine) => (hold: HoldView, run: string) => void = () => () => undefined,
  ): Promise<RunView> => {
    const engine = world().engine();
    return engine.awaitEnd(await shut(world(), engine, react(engine)));
  },
});
