import type { Reread } from '../../src/model/action.ts';
import type { ConnectionState } from '../../src/model/answer.ts';
import type { Fact, Facts } from '../../src/model/fact.ts';
import type { History, Point, Failure, Reading, Readings, Source } from '../../src/model/reading.ts';
import type { HostView, Site, SiteView } from '../../src/model/site.ts';
import type { Judgement } from '../../src/model/system.ts';
import { viewOf } from '../../src/site/view.ts';
import { makeSafeDeep, type Safe } from '../../src/text/safe.ts';

/** When every night of the tests begins, UTC ms. */
export const start = Date.UTC(2026, 10, 20, 2, 21, 0);

/** A failure with its parts, as the collector makes it of a message that begins with the host. */
export const splitMessage = (host: string, failure: Failure): Failure =>
  failure.message.startsWith(`${host}: `)
    ? { ...failure, said: { what: failure.message.slice(host.length + 2) } }
    : failure;

/** A site of these hosts. */
export const siteOf = (hosts: readonly Partial<HostView>[], more: Partial<Site> = {}): SiteView =>
  viewOf({
    name: 'test',
    file: 'site.yaml',
    readOnly: false,
    hosts: hosts.map((host) => ({
      name: '?',
      roles: [],
      platform: 'linux',
      location: {},
      legacy: false,
      ...host,
    })),
    settings: {},
    links: [],
    windows: [],
    runbooks: [],
    intervals: {},
    transports: {},
    ...more,
  });

/** These facts; with `asked`, who tells of them. */
export const factsOf = (list: readonly Fact[], asked?: readonly Reread[]): Facts => ({
  list: <N extends Fact['name']>(name: N) =>
    list.filter((one) => one.name === name) as Extract<Fact, { name: N }>[],
  find: <N extends Fact['name']>(name: N, subject: { id: string }) =>
    list.find((one) => one.name === name && one.subject.id === subject.id) as
      Extract<Fact, { name: N }> | undefined,
  ...(asked && { askedBy: () => asked }),
});

/** A history that holds what is put into it. */
export const historyOf = (series: Readonly<Record<string, readonly Point[]>> = {}): History => ({
  changes: (name, since) => (series[name] ?? []).filter((point) => point.at >= since),
  listChanged: (prefix, since) =>
    Object.entries(series)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, points]) => ({ series: name, points: points.filter((point) => point.at >= since) })),
});

/** Sources as a store holds them. */
export class Sources implements Readings {
  private readonly known = new Map<string, Source>();

  source<T>(probe: string, host: string): Source<Safe<T>> | undefined {
    return this.known.get(`${probe} ${host}`) as Source<Safe<T>> | undefined;
  }

  sources<T>(probe: string): readonly Source<Safe<T>>[] {
    return [...this.known.values()].filter((one) => one.probe === probe) as Source<Safe<T>>[];
  }

  listOnHost(host: string): readonly Source[] {
    return [...this.known.values()].filter((one) => one.host === host);
  }

  listUnreached(): ReadonlySet<string> {
    return new Set(
      [...this.known.values()].flatMap(({ host, failure }) => (failure?.kind === 'connect' ? [host] : [])),
    );
  }

  listUnread(): readonly Source[] {
    return [...this.known.values()].filter(
      ({ everyMs, failure, good }) => everyMs > 0 && (failure ?? (good?.notUnderstood ?? 0) > 0),
    );
  }

  put(source: Source): void {
    this.known.set(`${source.probe} ${source.host}`, source);
  }

  /** As if it was never asked. */
  forget(probe: string, host: string): void {
    this.known.delete(`${probe} ${host}`);
  }

  /** A good reading; of those before it, `keep` stay. */
  good(probe: string, host: string, given: unknown, at = start, durationMs = 20, keep = 0): void {
    const value = makeSafeDeep(given);
    const good: Reading = { probe, host, at, mono: at - start, durationMs, value, notUnderstood: 0 };
    const last = this.source(probe, host);
    const before = last?.good ? [last.good, ...last.before].slice(0, keep) : [];
    const durations = [durationMs, ...(last?.durations ?? [])].slice(0, 5);
    this.put({ probe, host, state: 'fresh', good, before, everyMs: 10_000, durations });
  }

  /** A copy of what was read last, as the probe's schema gives it: to be changed and put back. */
  copyOf<T>(probe: string, host: string): T {
    const good = this.known.get(`${probe} ${host}`)?.good;
    if (!good) throw new Error(`${probe} was not read on ${host}`);
    return structuredClone(good.value) as T;
  }

  /** A failure; the last good reading stays. */
  fail(probe: string, host: string, failure: Failure, at = start): void {
    const before = this.source(probe, host);
    this.put({
      probe,
      host,
      state: 'failed',
      ...(before?.good && { good: before.good }),
      before: before?.before ?? [],
      failure: splitMessage(host, failure),
      failingSince: before?.failingSince ?? at,
      everyMs: 10_000,
      durations: before?.durations ?? [],
    });
  }
}

export const judgementOf = (parts: Partial<Judgement> & Pick<Judgement, 'readings' | 'site'>): Judgement => ({
  history: historyOf(),
  facts: factsOf([]),
  connections: new Map<string, ConnectionState>(),
  now: start,
  mono: 0,
  ...parts,
});
