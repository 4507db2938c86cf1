import * as z from 'zod';
import type { Judgement } from '../../../src/model/system.ts';
import { factNames, nameFacts, type NamedFacts } from './host-facts.ts';
import type { FactsReading, IperfRun } from '../readings.ts';

/** bits/s of one direction: `iperf/pair/a:b/bps`. */
export const bpsSeries = (pair: string): string => `iperf/pair/${pair}/bps`;
/** Each test of a direction with the facts of both ends as they were: `iperf/pair/a:b/test`. */
export const testSeries = (pair: string): string => `iperf/pair/${pair}/test`;
/** The facts of a host as they were: what changed when a figure changed. */
export const factsSeries = (host: string): string => `iperf/host/${host}/facts`;

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
    return near ? { facts: nameFacts(good.value) } : {};
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
