import type { Fleet, RawAnswer, ReadRequest } from '../../model/answer.ts';
import type { Clock, Log } from '../../model/ports.ts';
import type { Clush, SiteView } from '../../model/site.ts';
import { lineOf } from '../../text/said.ts';
import { cancelledAnswer } from '../failure.ts';
import type { HostTransport } from '../host-state.ts';
import { Places } from '../places.ts';
import { MAX_SCRIPT_BYTES, nodeRequestOf } from './node-command.ts';
import { runClush } from './run.ts';

/** So long it is waited for others who want the same, ms. */
const GATHER = 250;

/** Runs on one admin host at a time; the rest of its sessions is for who acts and for its own probes. */
const RUNS = 2;

/** More commands than are asked: some hold what was read before. */
const COMMANDS = 200;

interface Waiting {
  readAlone(): Promise<RawAnswer>;
  settle(answer: RawAnswer): void;
}

interface Batch {
  key: string;
  request: ReadRequest;
  waiting: Map<string, Waiting>;
  stop: AbortController;
}

interface Parts {
  transports: { transportTo(host: string): HostTransport };
  clock: Clock;
  log: Log;
}

/** The fleets of a site; undefined where its file has none. */
export const createFleet = (site: Pick<SiteView, 'clush'>, parts: Parts): Fleet | undefined => {
  const groups = (site.clush ?? []).map((clush) => new Group(clush, parts));
  const byHost = new Map(groups.flatMap((group) => group.hosts.map((host) => [host, group] as const)));
  if (byHost.size === 0) return undefined;
  return {
    has: (host) => byHost.has(host),
    read: (host, request, readAlone, signal) => {
      const group = byHost.get(host);
      return group && request.script.length <= MAX_SCRIPT_BYTES
        ? group.read(host, request, readAlone, signal)
        : readAlone();
    },
  };
};

/** Hosts behind one admin host: what is wanted of them within a moment goes into one run. */
class Group {
  readonly #clush: Clush;
  readonly #parts: Parts;
  readonly #places = new Places(RUNS);
  readonly #batches = new Map<string, Batch>();
  /** Of each command, how long its last run kept the admin host busy. */
  readonly #busyMs = new Map<string, number>();
  #why = '';

  constructor(clush: Clush, parts: Parts) {
    this.#clush = clush;
    this.#parts = parts;
  }

  get hosts(): readonly string[] {
    return this.#clush.hosts;
  }

  read(
    host: string,
    request: ReadRequest,
    readAlone: () => Promise<RawAnswer>,
    signal?: AbortSignal,
  ): Promise<RawAnswer> {
    if (signal?.aborted) return Promise.resolve(cancelledAnswer(0));
    const batch = this.#batchFor(request);
    if (batch.waiting.has(host)) return readAlone();
    const { promise, resolve } = Promise.withResolvers<RawAnswer>();
    const from = this.#parts.clock.mono();
    const cancel = (): void => {
      batch.waiting.get(host)?.settle(cancelledAnswer(this.#parts.clock.mono() - from));
      if (batch.waiting.size === 0) batch.stop.abort();
    };
    const settle = (answer: RawAnswer): void => {
      batch.waiting.delete(host);
      signal?.removeEventListener('abort', cancel);
      resolve(answer);
    };
    signal?.addEventListener('abort', cancel, { once: true });
    batch.waiting.set(host, { readAlone, settle });
    return promise;
  }

  #batchFor(request: ReadRequest): Batch {
    const key = JSON.stringify([request.script, request.deadlineMs, request.maxBytes]);
    const known = this.#batches.get(key);
    if (known) return known;
    const batch: Batch = { key, request, waiting: new Map(), stop: new AbortController() };
    this.#batches.set(key, batch);
    void this.#parts.clock.sleep(GATHER).then(() => {
      this.#batches.delete(key);
      return this.#ask(batch);
    });
    return batch;
  }

  async #ask({ key, request, waiting, stop }: Batch): Promise<void> {
    const [only] = waiting.values();
    if (waiting.size === 1 && only) return only.settle(await only.readAlone());
    const giveBack = await this.#places.take();
    try {
      if (waiting.size === 0) return;
      const { through, fanout } = this.#clush;
      const { why, busyMs } = await runClush(
        {
          through,
          ...(fanout !== undefined && { fanout }),
          transport: this.#parts.transports.transportTo(through),
          clock: this.#parts.clock,
          hosts: new Set(waiting.keys()),
          request: nodeRequestOf(request),
          busyMs: this.#busyMs.get(key) ?? 0,
          onAnswer: (host, answer) => waiting.get(host)?.settle(answer),
        },
        stop.signal,
      );
      if (this.#busyMs.size > COMMANDS) this.#busyMs.clear();
      this.#busyMs.set(key, busyMs);
      this.#tell(why === undefined ? '' : lineOf(why));
    } finally {
      giveBack();
    }
  }

  /** Each change once. */
  #tell(why: string): void {
    if (why === this.#why) return;
    this.#why = why;
    this.#parts.log(why === '' ? `ClusterShell on ${this.#clush.through} answers again` : why);
  }
}
