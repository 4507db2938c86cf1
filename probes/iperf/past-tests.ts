import * as z from 'zod';
import type { Judgement } from '../../src/model/system.ts';
import { spreadOf } from './interrupts.ts';
import type { FactsReading, IperfRun } from './readings.ts';
import { testSeries } from './series.ts';

/** What decides how fast a host sends and receives, by the names under which it is shown. */
const named: readonly (readonly [string, (facts: FactsReading) => string | undefined])[] = [
  ['NIC', ({ nic }) => nic],
  ['speed', ({ speedMbps }) => (speedMbps === undefined ? undefined : `${speedMbps / 1000} Gbit/s`)],
  ['kernel', ({ kernel }) => kernel],
  ['driver', ({ driver }) => driver],
  ['firmware', ({ firmware }) => firmware],
  ['MTU', ({ mtu }) => text(mtu)],
  ['adaptive-rx', ({ adaptiveRx }) => (adaptiveRx === undefined ? undefined : adaptiveRx ? 'on' : 'off')],
  ['rx-usecs', ({ rxUsecs }) => text(rxUsecs)],
  ['interrupts', (facts) => spreadOf(facts) || undefined],
  [
    'irqbalance',
    ({ irqbalance }) => (irqbalance === undefined ? undefined : irqbalance ? 'runs' : 'does not run'),
  ],
  ['tcp_rmem', ({ rmemMax }) => text(rmemMax)],
  ['tcp_wmem', ({ wmemMax }) => text(wmemMax)],
  ['load', ({ load }) => text(load)],
];

const text = (value: number | undefined): string | undefined =>
  value === undefined ? undefined : String(value);

export type NamedFacts = Readonly<Record<string, string>>;

/** The facts of a host as they are shown and kept; what it does not tell is absent. */
export const namedFacts = (facts: FactsReading): NamedFacts =>
  Object.fromEntries(
    named.flatMap(([name, of]) => {
      const value = of(facts);
      return value === undefined ? [] : [[name, value]];
    }),
  );

export const factNames: readonly string[] = named.map(([name]) => name);

/** Facts count as those of a test when they were read so near to it, ms. */
const nearMs = 120_000;

const factsSchema = z.record(z.string(), z.string()).optional();

/** A test as history keeps it: what it gave, and both ends as they were then. */
const pastTestSchema = z.object({
  run: z.string(),
  /** UTC ms. */
  at: z.number(),
  bps: z.number(),
  tool: z.string(),
  streams: z.number(),
  /** The sender's and the receiver's; absent: not read at the time. */
  from: factsSchema,
  to: factsSchema,
});
export type PastTest = z.infer<typeof pastTestSchema>;

const decode = (value: unknown): PastTest | undefined => {
  try {
    return pastTestSchema.safeParse(JSON.parse(String(value))).data;
  } catch {
    return undefined;
  }
};

/** The tests of a direction that history keeps, oldest first. `since`: UTC ms. */
export const pastTests = (pair: string, since: number, { history }: Judgement): PastTest[] =>
  history.changes(testSeries(pair), since).flatMap(({ value }) => decode(value) ?? []);

/** What history is told of a run that has ended; undefined when it knows of it already. */
export const testValue = (
  pair: string,
  run: IperfRun,
  bps: number,
  judgement: Judgement,
): string | undefined => {
  const at = run.endedAt ?? run.startedAt;
  if (pastTests(pair, run.startedAt, judgement).some((one) => one.run === run.id)) return undefined;
  const [from = '', to = ''] = pair.split(':');
  const facts = (host: string): { facts?: NamedFacts } => {
    const good = judgement.readings.source<FactsReading>('iperf.facts', host)?.good;
    const near = good && good.at > run.startedAt - nearMs && good.at < at + nearMs;
    return near ? { facts: namedFacts(good.value) } : {};
  };
  const test: PastTest = {
    run: run.id,
    at,
    bps,
    tool: run.tool,
    streams: run.streams,
    from: facts(from).facts,
    to: facts(to).facts,
  };
  return JSON.stringify(test);
};

/** `wn-d-04 interrupts 8 queues on core 0`: what was otherwise then; load is never the same and says nothing here. */
export const differences = (
  host: string,
  then: NamedFacts | undefined,
  now: NamedFacts | undefined,
): string[] =>
  then === undefined || now === undefined
    ? []
    : factNames
        .filter((name) => name !== 'load' && then[name] !== undefined && then[name] !== now[name])
        .map((name) => `${host} ${name} ${then[name]}`);
