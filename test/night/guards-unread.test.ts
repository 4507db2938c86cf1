import { beforeAll, describe, expect, it } from 'vitest';
import { actionSets } from '../../src/registries/actions.ts';
import { createFacts, factReads } from '../../src/collect/facts.ts';
import type { Guard } from '../../src/model/action.ts';
import type { Readings, Source } from '../../src/model/reading.ts';
import type { SiteView } from '../../src/model/site.ts';
import type { Judgement } from '../../src/model/system.ts';
import { commandOf } from '../../src/remedy/commands.ts';
import { checkGuard } from '../../src/remedy/guards.ts';
import { systems } from '../../src/registries/systems.ts';
import { createFakeClock } from '../collect/helpers/fake-clock.ts';
import { carryOut, consolesOn, waitFor } from './acting.ts';
import { cases, type Case } from './all-actions.ts';
import { askWith, demoSite } from './whole-site.ts';

/** What becomes of a source that a guard looks at. */
type Fault = 'failed' | 'never asked' | 'old' | 'in part' | 'hostile';

/** The worst that a source can look like: what it read before is still there, and speaks for the action. */
const broken = (source: Source, fault: Fault): Source | undefined => {
  const { good, failure: _, ...rest } = source;
  if (fault === 'never asked') return undefined;
  if (fault === 'failed')
    return { ...source, state: 'failed', failure: { kind: 'timeout', message: `${source.host} is away` } };
  if (fault === 'old') return { ...source, state: 'stale' };
  if (!good) return source;
  return fault === 'in part'
    ? { ...rest, good: { ...good, notUnderstood: 3 } }
    : { ...rest, good: { ...good, value: hostile(good.value) } };
};

/** Every word is another one, which is no name and no state of anything. */
const hostile = (value: unknown): unknown => {
  if (typeof value === 'string') return '\u202e$(reboot);\u001b[2J';
  if (Array.isArray(value)) return value.map(hostile);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, hostile(one)]));
};

/** The judgement on other readings, with the facts that these give. */
const judgedOn = (judgement: Judgement, readings: Readings): Judgement => {
  const made: Judgement = {
    ...judgement,
    readings,
    facts: createFacts(() => systems.map((system) => system.facts(made)), factReads(judgement.site, systems)),
  };
  return made;
};

const keyOf = ({ probe, host }: Pick<Source, 'probe' | 'host'>): string => `${probe} ${host}`;

/** The probes at which a guard looks, besides the hosts' that it names itself. */
const looksAt = (guard: Guard, judgement: Judgement): ReadonlySet<string> => {
  const seen = new Set<string>();
  const note = <T>(source: Source<T> | undefined): Source<T> | undefined => {
    if (source) seen.add(source.probe);
    return source;
  };
  guard.check(
    judgedOn(judgement, {
      source: <T>(probe: string, host: string) => note(judgement.readings.source<T>(probe, host)),
      sources: <T>(probe: string) => judgement.readings.sources<T>(probe).filter(note),
      listOnHost: (host) => judgement.readings.listOnHost(host).filter(note),
      listUnreached: () => judgement.readings.listUnreached(),
      listUnread: () => judgement.readings.listUnread(),
    }),
  );
  return seen;
};

/** These sources broken, in all that is derived of them too. */
const withFault = (judgement: Judgement, isBroken: (source: Source) => boolean, fault: Fault): Judgement => {
  const made = new Map<string, Source | undefined>();
  const of = <T>(source: Source<T> | undefined): Source<T> | undefined => {
    if (source === undefined || !isBroken(source)) return source;
    const key = keyOf(source);
    if (!made.has(key)) made.set(key, broken(source, fault));
    return made.get(key) as Source<T> | undefined;
  };
  return judgedOn(judgement, {
    source: <T>(probe: string, host: string) => of(judgement.readings.source<T>(probe, host)),
    sources: <T>(probe: string) => judgement.readings.sources<T>(probe).flatMap((source) => of(source) ?? []),
    listOnHost: (host) => judgement.readings.listOnHost(host).flatMap((source) => of(source) ?? []),
    listUnreached: () => judgement.readings.listUnreached(),
    listUnread: () => judgement.readings.listUnread(),
  });
};

const FAULTS: readonly Fault[] = ['failed', 'never asked', 'old', 'in part', 'hostile'];

/** A guard that may say yes all the same, and why that is right. */
interface Exception {
  action: RegExp;
  guard: RegExp;
  probe: RegExp;
  /** Of the guard's own `reads`; else of what it looks at besides. */
  own: boolean;
  faults: readonly Fault[];
  why: string;
}

const exceptions: readonly Exception[] = [
  {
    action: /^nfs\.threads$/,
    guard: /^3 preconditions$/,
    probe: /^nfs\.server$/,
    own: true,
    faults: ['hostile'],
    why: 'looks at a number, in which no word can stand',
  },
  {
    action: /^slurm\./,
    guard: /^(?:3 preconditions|4 ownership|5 targets)$/,
    probe: /^slurm\.nodes$/,
    own: true,
    faults: ['in part'],
    why: 'looks at the row of the node, by its name: another row can only be another node',
  },
  {
    action: /^lustre\.(?:un)?degrade$/,
    guard: /^3 preconditions$/,
    probe: /^lustre\.oss$/,
    own: true,
    faults: ['in part'],
    why: 'looks at the row of the OST, by its name',
  },
  {
    action: /^gluster\.free-lock-restart$/,
    guard: /^3 preconditions$/,
    probe: /^gluster\.peer$/,
    own: true,
    faults: ['hostile'],
    why: 'the lock is as it was; that peers do not answer speaks against waiting, not against this rung',
  },
  {
    action: /^switch\.matrix$/,
    guard: /^3 preconditions$/,
    probe: /^switch\.pinger$/,
    own: true,
    faults: ['hostile'],
    why: 'its schema lets only the names of the tools through',
  },
  {
    action: /^switch\.shut$/,
    guard: /^6 members$/,
    probe: /^switch\.lags$/,
    own: true,
    faults: ['hostile'],
    why: 'a far end whose table no longer names the member is not counted, which its words say; LACP at this end counts both',
  },
  {
    action: /^switch\.shut$/,
    guard: /^9 own way$/,
    probe: /^switch\.neighbors$/,
    own: false,
    faults: ['failed', 'never asked', 'old', 'in part'],
    why: 'a site without LLDP must be able to shut a port: what is not known stands in its words',
  },
];

/** Actions of which the demo site holds no case. */
const elsewhere: Readonly<Record<string, string>> = {
  'gluster.free-lock-wait': 'needs a release whose locks end by themselves: test/gluster',
  'gluster.free-lock-continue': 'needs a stopped glusterd: test/gluster',
  'gluster.clear-locks': 'needs dumps with locks on files: test/gluster',
  'lustre.cancel-naming': 'has no guard of its own: it ends what this program began',
};

describe('a guard that could not read what it looks at', () => {
  let site: SiteView;
  beforeAll(async () => {
    site = await demoSite();
  });

  it('is tried for every action', () => {
    const known = new Set([...cases.map(({ action }) => action), ...Object.keys(elsewhere)]);
    const all = actionSets.flatMap(({ actions }) => actions.map(({ id }) => id));
    expect(all.filter((id) => !known.has(id))).toEqual([]);
  });

  const guardsOf = async (one: Case): Promise<{ judgement: Judgement; guards: readonly Guard[] }> => {
    const clock = createFakeClock();
    const collector = await askWith(site, one.incidents, { clock });
    const engine = consolesOn(collector).next();
    if (one.first) await carryOut(engine, clock, { subject: one.subject, ...one.first });
    // The plan asks all that its guards read.
    await waitFor(clock, engine.plan(one.action, [one.subject], one.set ?? {}));
    const judgement = collector.judgement();
    const action = actionSets.flatMap(({ actions }) => actions).find(({ id }) => id === one.action);
    const plan = action?.plan([one.subject], action.parameters.parse(one.set ?? {}), {
      judgement,
      operator: 'alice',
    });
    if (!plan || 'refused' in plan) throw new Error(`${one.action}: ${plan?.reason ?? 'no action'}`);
    // The engine refuses what cannot be shown as it is sent, whatever the guards say.
    for (const step of plan.targets.flatMap(({ steps }) => steps))
      expect(() => commandOf(step)).not.toThrow();
    return { judgement, guards: plan.targets.flatMap((target) => target.guards) };
  };

  it.each(cases.filter(({ action }) => !(action in elsewhere)))('$action: is not met', async (one) => {
    const { judgement, guards } = await guardsOf(one);
    const passed: string[] = [];
    for (const guard of guards) {
      const base = checkGuard(guard, judgement);
      if (!base.ok) continue;
      const own = new Set(guard.reads.map(keyOf));
      const isAllowed = (fault: Fault, probe: string, isOwn: boolean): boolean =>
        exceptions.some(
          (known) =>
            known.action.test(one.action) &&
            known.guard.test(guard.id) &&
            known.faults.includes(fault) &&
            known.own === isOwn &&
            known.probe.test(probe),
        );
      const judge = (isBroken: (source: Source) => boolean, fault: Fault) =>
        checkGuard(guard, withFault(judgement, isBroken, fault));
      const tryAll = (probe: string, isOwn: boolean, isBroken: (source: Source) => boolean): void => {
        for (const fault of FAULTS) {
          const { ok, text } = judge(isBroken, fault);
          // Words that change nothing of what it says have no part in it.
          if (!ok || (fault === 'hostile' && text === base.text) || isAllowed(fault, probe, isOwn)) continue;
          passed.push(`${guard.id} | ${probe} | ${isOwn ? 'own' : 'elsewhere'} | ${fault} | ${text}`);
        }
      };
      for (const read of guard.reads) tryAll(read.probe, true, (source) => keyOf(source) === keyOf(read));
      for (const probe of looksAt(guard, judgement)) {
        const isOther = (source: Source): boolean => source.probe === probe && !own.has(keyOf(source));
        // What it says the same without has no part in it either.
        const matters = (['never asked', 'hostile'] as const).some(
          (fault) => judge(isOther, fault).text !== base.text,
        );
        if (matters) tryAll(probe, false, isOther);
      }
    }
    expect(passed).toEqual([]);
  });
});
