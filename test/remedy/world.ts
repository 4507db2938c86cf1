import { join } from 'node:path';
import * as z from 'zod';
import type { Action, GuardResult, Plan, PlanTarget, Refusal, Refusals } from '../../src/model/action.ts';
import type { RawAnswer, RunRequest, Transport, Transports } from '../../src/model/answer.ts';
import type { Clock, Reader } from '../../src/model/ports.ts';
import type { Failure, Source } from '../../src/model/reading.ts';
import type { SiteView } from '../../src/model/site.ts';
import type { Subject } from '../../src/model/subject.ts';
import type { Judgement } from '../../src/model/system.ts';
import { createAuditLog } from '../../src/remedy/audit-log.ts';
import { createEngine, type Engine } from '../../src/remedy/engine.ts';
import { createLocalStore } from '../../src/remedy/lock-local.ts';
import { createLocks } from '../../src/remedy/locks.ts';
import type { ConsoleId, EngineParts, Operator } from '../../src/remedy/parts.ts';
import { thisProcess } from '../../src/remedy/process-stamp.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { realTime } from './time.ts';

export { realTime };

/** Time that goes on by itself whenever everybody sleeps. */
const fakeTime = (): Clock & { advance(ms: number): void } => {
  let mono = 1_000_000;
  const start = Date.now() - mono;
  const sleepers = new Set<{ at: number; wake: () => void }>();
  let idle = 0;
  let pumping = false;
  const pump = (): void => {
    idle += 1;
    if (idle < 8) return void setImmediate(pump);
    idle = 0;
    const next = [...sleepers].sort((a, b) => a.at - b.at)[0];
    if (next === undefined) {
      pumping = false;
      return;
    }
    mono = Math.max(mono, next.at);
    next.wake();
    setImmediate(pump);
  };
  return {
    now: () => start + mono,
    mono: () => mono,
    advance: (ms) => {
      mono += ms;
    },
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const sleeper = {
          at: mono + ms,
          wake: (): void => {
            sleepers.delete(sleeper);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', sleeper.wake);
        idle = 0;
        if (pumping) return;
        pumping = true;
        setImmediate(pump);
      }),
  };
};

interface FakeNode {
  drained: boolean;
  reason: string;
}

export type Nodes = Record<string, FakeNode>;

export const node = (id: string): Subject => ({ kind: 'node', id });

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

export const answer = (
  over: Partial<Omit<RawAnswer, 'stdout' | 'stderr'>> & { stdout?: string; stderr?: string } = {},
): RawAnswer => ({
  exitCode: 0,
  truncated: false,
  stdoutBytes: 0,
  timedOut: false,
  lost: false,
  cancelled: false,
  durationMs: 3,
  ...over,
  stdout: bytes(over.stdout ?? ''),
  stderr: bytes(over.stderr ?? ''),
});

/** An answer whose exit code was never learned. */
export const lostAnswer = (): RawAnswer => {
  const { exitCode: _, ...rest } = answer({ lost: true });
  return rest;
};

const READS = [{ probe: 'fake.nodes', host: 'ctl1' }] as const;

const nodesOf = (live: Judgement): Nodes =>
  live.readings.source<Nodes>('fake.nodes', 'ctl1')?.good?.value ?? {};

const ok = (text: string): GuardResult => ({ ok: true, text });
const no = (text: string): GuardResult => ({ ok: false, text });

/** Words of the fake cluster that prove that nothing was done. */
const fakeRefusals: Refusals = {
  tool: 'scontrol',
  lines: [
    { text: 'slurm_update error: Invalid node state specified', source: 'the fake cluster' },
    { text: 'slurm_update error: Invalid user id', source: 'the fake cluster' },
    { text: '% Invalid input', source: 'the fake cluster, as a device says it' },
    { text: 'Invalid node name specified', source: 'the fake cluster' },
    { text: 'faultline: it holds ext4: nothing was written', exit: 3, source: 'a script of our own' },
  ],
};

/** `fake.resume` / `fake.drain` and their like: what an action of a system looks like to the engine. */
export const fakeAction = (over: Partial<Action<{ reason?: string }>> & { wants?: boolean } = {}): Action => {
  const { wants = false, ...rest } = over;
  const verb = wants ? 'drain' : 'resume';
  const target = (subject: Subject, live: Judgement, reason: string): PlanTarget => {
    const was = nodesOf(live)[subject.id];
    const script = (state: string, text: string): string[] => ['scontrol', 'update', subject.id, state, text];
    return {
      subject,
      steps: [{ host: 'ctl1', argv: script(verb, reason), deadlineMs: 5_000, refusals: fakeRefusals }],
      guards: [
        {
          id: '4 ownership',
          text: 'drained by the health check',
          reads: READS,
          absolute: false,
          check: (now) => {
            const found = nodesOf(now)[subject.id];
            return wants || found?.reason.startsWith('NHC:') === true
              ? ok(`reason "${found?.reason}"`)
              : no(`${subject.id} was drained for "${found?.reason}"`);
          },
        },
        {
          id: '6 blast radius',
          text: 'at most 3 nodes out',
          reads: READS,
          absolute: true,
          check: (now) => {
            const out = Object.values(nodesOf(now)).filter(({ drained }) => drained).length;
            return out <= 30 ? ok(`${out} out`) : no(`${out} would be out`);
          },
        },
      ],
      whyAlreadyDone: (now) =>
        nodesOf(now)[subject.id]?.drained === wants ? `${subject.id} is already in that state` : undefined,
      verify: {
        text: `${subject.id} reads back`,
        reads: READS,
        deadlineMs: 30_000,
        check: (now) => {
          const found = nodesOf(now)[subject.id];
          if (found === undefined) return { state: 'no', text: `${subject.id} is gone` };
          const so = found.drained === wants;
          return { state: so ? 'yes' : 'wait', text: `${subject.id} is ${found.drained ? 'drained' : 'up'}` };
        },
      },
      undo: [{ host: 'ctl1', argv: script(wants ? 'resume' : 'drain', was?.reason ?? '') }],
      was: { reason: was?.reason ?? '' },
      lockGroups: ['partition batch'],
    };
  };
  const plan = (
    subjects: readonly Subject[],
    { reason = '' }: { reason?: string },
    { judgement }: { judgement: Judgement },
  ): Plan | Refusal => ({
    action: `fake.${verb}`,
    title: `${verb} ${subjects.length}`,
    verb,
    danger: rest.danger ?? 'reversible',
    targets: subjects.map((subject) => target(subject, judgement, reason)),
    leftOut: [],
    users: 'nothing',
    because: ['because of the readings'],
    afterwards: 'reads back',
    undoText: 'the other way round',
    parameters: { reason },
    exceeded: [],
  });
  return {
    id: `fake.${verb}`,
    undoOf: ({ id }, was) => {
      const reason = z.object({ reason: z.string() }).safeParse(was).data?.reason;
      const back = wants ? 'resume' : 'drain';
      return {
        steps: [{ host: 'ctl1', argv: ['scontrol', 'update', id, back, reason ?? 'not recorded'] }],
        ...(reason === undefined && { because: ['its old reason was not recorded'] }),
      };
    },
    verb,
    title: verb,
    subject: 'node',
    danger: 'reversible',
    parameters: z.object({ reason: z.string().exactOptional() }),
    prompts: [{ name: 'reason', label: 'reason', required: false }],
    menu: { note: '' },
    plan,
    ...rest,
  } as Action;
};

export interface World {
  nodes: Nodes;
  clock: ReturnType<typeof fakeTime>;
  folder: string;
  /** Everything that was handed to a transport. */
  sent: RunRequest[];
  /** What the next readings of the probe say; undefined: the truth. */
  broken: Failure | undefined;
  /** How the host treats a script; default: does it. */
  act: (script: string) => Promise<RawAnswer> | RawAnswer;
  /** Called before each reading. */
  beforeRead: () => void;
  parts: EngineParts;
  engine(over?: Partial<EngineParts>): Engine;
}

export const operator: Operator = { name: 'alice', uid: 1000 };

export const self: ConsoleId = {
  host: 'adm1',
  version: '0.0.0',
  ...thisProcess(),
};

/** Applies `scontrol update NODE drain|resume REASON` as the fake cluster does. */
export const obey = (nodes: Nodes, script: string): RawAnswer => {
  const match = /^scontrol update (\S+) (drain|resume) (?:'([^']*)'|(\S*))$/.exec(script);
  if (!match) return answer({ exitCode: 127, stderr: `not found: ${script}` });
  const found = nodes[match[1] ?? ''];
  if (!found) return answer({ exitCode: 1, stderr: 'Invalid node name specified' });
  found.drained = match[2] === 'drain';
  found.reason = match[3] ?? match[4] ?? '';
  return answer();
};

const siteOf = (names: readonly string[]): SiteView => ({
  name: 'test',
  file: 'site.yaml',
  readOnly: false,
  hosts: [],
  settings: {},
  links: [],
  windows: [],
  runbooks: [],
  intervals: {},
  transports: {},
  host: () => undefined,
  hostsWithRole: () => [],
  expand: (set) => [set],
  resolve: (kind, id) => {
    const short = id.replace(/\.example$/, '');
    return kind === 'node' && names.includes(short) ? node(short) : undefined;
  },
});

const readerOf = (
  world: Pick<World, 'nodes' | 'clock' | 'broken' | 'beforeRead'>,
  site: SiteView,
): Reader => {
  let source: Source | undefined;
  return {
    judgement: () => ({
      readings: {
        source: <T>(probe: string) =>
          probe === 'fake.nodes' ? (source as Source<T> | undefined) : undefined,
        sources: <T>() => (source ? [source as Source<T>] : []),
        listOnHost: () => (source ? [source] : []),
        listUnreached: () => new Set(),
        listUnread: () => [],
      },
      history: { changes: () => [], listChanged: () => [] },
      facts: { list: () => [], find: () => undefined },
      connections: new Map(),
      site,
      now: world.clock.now(),
      mono: world.clock.mono(),
    }),
    touches: () => 'nothing',
    readNow: async (reads) => {
      const stranger = reads.find(({ probe }) => probe !== 'fake.nodes');
      if (stranger) throw new Error(`${stranger.probe} is not asked on ${stranger.host}`);
      world.beforeRead();
      world.clock.advance(5);
      const base = { probe: 'fake.nodes', host: 'ctl1', before: [], everyMs: 10_000, durations: [] };
      if (world.broken) {
        source = {
          ...base,
          ...(source?.good && { good: source.good }),
          state: 'failed',
          failure: world.broken,
        };
        return;
      }
      const good = {
        probe: 'fake.nodes',
        host: 'ctl1',
        at: world.clock.now(),
        mono: world.clock.mono(),
        durationMs: 4,
        value: structuredClone(world.nodes),
        notUnderstood: 0,
      };
      source = { ...base, state: 'fresh', good };
    },
  };
};

export const transportsOf = (run: (request: RunRequest) => Promise<RawAnswer>): Transports => {
  const transport: Transport = {
    kind: 'ssh2',
    run,
    connection: () => ({ host: 'ctl1', kind: 'ssh2', state: 'up', since: 0, badges: [] }),
    close: async () => undefined,
  };
  return { transportTo: () => transport, connections: () => new Map(), close: async () => undefined };
};

let ids = 0;

/** A cluster of drained nodes `n1..nN` behind fakes, with a real audit log and real local locks in a folder of its own. */
export const createWorld = (count = 3, folder = emptyFolder('remedy')): World => {
  const nodes: Nodes = {};
  for (let at = 1; at <= count; at++) nodes[`n${at}`] = { drained: true, reason: 'NHC: mount lost' };
  const clock = fakeTime();
  const site = siteOf(Object.keys(nodes));
  const newId = (): string => `${(ids += 1)}`;
  const world = {
    nodes,
    clock,
    folder,
    sent: [] as RunRequest[],
    broken: undefined,
    act: (script: string) => obey(nodes, script),
    beforeRead: () => undefined,
  } as unknown as World;
  world.parts = {
    site,
    actionSets: [
      {
        system: 'fake',
        actions: [fakeAction(), fakeAction({ wants: true })],
      },
    ],
    reader: readerOf(world, site),
    transports: transportsOf(async (request) => {
      world.sent.push(request);
      clock.advance(10);
      return world.act(request.script);
    }),
    audit: createAuditLog({
      file: join(folder, 'audit.jsonl'),
      site: 'test',
      operator,
      console: self,
      clock: realTime,
    }),
    locks: createLocks({
      site: 'test',
      local: createLocalStore(join(folder, 'locks'), realTime, newId),
      operator,
      console: self,
      clock,
      makeId: newId,
    }),
    clock,
    operator,
    console: self,
    log: () => undefined,
    liveness: () => 'dead',
    proofOfEnd: () => undefined,
    makeId: newId,
  };
  world.engine = (over = {}) => createEngine({ ...world.parts, ...over });
  return world;
};
