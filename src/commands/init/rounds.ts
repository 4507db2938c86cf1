import { Places } from '../../transport/places.ts';
import type { Transport } from '../../model/answer.ts';
import type { Discovery, Said } from '../../model/discover.ts';
import { makeSafe } from '../../text/safe.ts';
import { fold } from '../../text/nodeset.ts';
import { count } from '../../text/units.ts';
import { askHost, type Asked } from './ask-host.ts';
import { makeBook, type Book } from './book.ts';
import { chooseHosts, type Candidate } from './candidates.ts';
import { isAddress, Names } from '../../site/names.ts';
import { OWN, questionsFor, type Answers, type Question } from './questions.ts';

/** Hosts asked at the same time; the transports bound their handshakes themselves. */
const AT_ONCE = 32;

/** A neighbour's neighbour's neighbour: those who are named only then are told, and not asked. */
const MOST_ROUNDS = 8;

export interface Outside {
  discoveries: readonly Discovery[];
  /** The way into a host by SSH, and the machine that this program runs on. */
  transportTo(host: string): Transport;
  local: Transport;
  /** What a list that somebody keeps says of a device's platform. */
  platformOf?(host: string): string | undefined;
  /** Whether these may be asked; `questions`: every command that any of them gets. */
  confirm(hosts: readonly Candidate[], questions: readonly Question[]): Promise<boolean>;
  tell(line: string): void;
  signal: AbortSignal;
}

export interface Found {
  book: Book;
  /** How the machine that this program runs on calls itself. */
  here: string | undefined;
  /** Those that answered, by SSH. */
  answered: ReadonlySet<string>;
  /** Why the others did not, by host. */
  failures: ReadonlyMap<string, string>;
  /** What was not asked at all, as lines for people. */
  notes: readonly string[];
  /** What the hosts said that somebody pointed at, for lists of hosts that people keep. */
  pointed: readonly Said[];
  /** The names that were typed, as they are known. */
  typed: readonly string[];
  /** A person did not want some of them asked. */
  saidNo: boolean;
}

/** How a machine calls itself. */
const nameIn = (asked: Asked): string | undefined =>
  'answers' in asked ? asked.answers.get(OWN)?.get('name')?.text.trim() : undefined;

/** What is heard round by round. */
class Search {
  readonly names = new Names();
  readonly failures = new Map<string, string>();
  readonly answered = new Set<string>();
  readonly skipped = new Set<string>();
  readonly notes: string[] = [];
  readonly #said = new Map<string, Said[]>();
  readonly #outside: Outside;
  book: Book;

  constructor(outside: Outside) {
    this.#outside = outside;
    this.book = this.read();
  }

  read(): Book {
    return makeBook(this.#outside.discoveries, this.#said, this.names);
  }

  ofPeople(): readonly Said[] {
    return this.#said.get(OWN) ?? [];
  }

  /** What a host said takes the place of what it said before (on the machine itself, before it was asked by SSH). */
  hear(host: string, asked: Exclude<Asked, { failure: string }>, alike: ReadonlyMap<string, number>): void {
    const answers: Answers = 'answers' in asked ? asked.answers : new Map();
    for (const system of [OWN, ...this.#outside.discoveries.map((one) => one.system)]) {
      const others = (this.#said.get(system) ?? []).filter((one) => one.host !== host);
      const printed = answers.get(system) ?? new Map<string, never>();
      const said: Said = { host, printed, ...('device' in asked && { device: asked.device }) };
      this.#said.set(system, [...others, said]);
    }
    const called = nameIn(asked);
    // Several that call themselves alike (containers of one machine) are several all the same.
    if (called !== undefined && alike.get(called) === 1) this.names.note(host, called);
    for (const address of (answers.get(OWN)?.get('addresses')?.text ?? '').trim().split(/\s+/))
      if (isAddress(address)) this.names.note(host, address);
  }

  /** The machine that this program runs on; its name, where it has one. */
  async askHere(): Promise<string | undefined> {
    const { discoveries, local, signal, tell } = this.#outside;
    tell('asking this machine');
    const questions = questionsFor(discoveries, new Set(), true);
    const plain = { devices: undefined, platform: undefined, hasRole: true };
    const asked = await askHost(local, { questions, ...plain, tell, signal });
    signal.throwIfAborted();
    const called = nameIn(asked);
    const here = called === undefined ? undefined : this.names.add(called);
    if (here === undefined || 'failure' in asked)
      tell(`  it does not answer: ${'failure' in asked ? makeSafe(asked.failure) : 'no name'}`);
    else this.hear(here, asked, new Map([[called ?? '', 1]]));
    this.book = this.read();
    return here;
  }

  /** Who would be asked next. */
  choose(seeds: readonly string[], why: string): readonly Candidate[] {
    const done = new Set([...this.answered, ...this.failures.keys(), ...this.skipped]);
    const { hosts, leftOut } = chooseHosts(this.book, { seeds, why, done });
    for (const { host } of leftOut) this.skipped.add(host);
    this.notes.push(...leftOutNotes(leftOut));
    return hosts;
  }

  /** Asks them after a yes; false without it. */
  async ask(hosts: readonly Candidate[]): Promise<boolean> {
    const { discoveries, confirm, transportTo, platformOf, tell, signal } = this.#outside;
    const questions = new Map(
      hosts.map(({ host, isTyped }) => {
        const roles = new Set(this.book.hosts.get(host)?.roles.keys() ?? []);
        return [host, questionsFor(discoveries, roles, isTyped)] as const;
      }),
    );
    const all = [...new Map([...questions.values()].flat().map((one) => [one.line, one])).values()];
    const isYes = await confirm(hosts, all);
    signal.throwIfAborted();
    if (!isYes) {
      this.notes.push(`not asked, as there was no yes: ${fold(hosts.map(({ host }) => host))}`);
      return false;
    }
    const devices = discoveries.find((one) => one.devices)?.devices;
    const results = await askAll(hosts, async ({ host }) => {
      const entry = this.book.hosts.get(host);
      return askHost(transportTo(host), {
        questions: questions.get(host) ?? [],
        devices,
        platform: entry?.platform ?? platformOf?.(host),
        hasRole: (entry?.roles.size ?? 0) > 0,
        tell,
        signal,
      });
    });
    signal.throwIfAborted();
    this.#take(results);
    return true;
  }

  #take(results: readonly (readonly [host: string, asked: Asked])[]): void {
    const { tell } = this.#outside;
    const alike = countNames(results.map(([, asked]) => asked));
    for (const [host, asked] of results) {
      if ('failure' in asked) {
        this.failures.set(host, asked.failure);
        tell(`  ${makeSafe(asked.failure, 300)}`);
      } else {
        this.answered.add(host);
        this.hear(host, asked, alike);
      }
    }
    const fine = results.filter(([, asked]) => !('failure' in asked)).length;
    tell(`  ${fine} of ${count(results.length, 'host')} answered`);
    this.book = this.read();
  }
}

/**
 * Asks this machine, then those that were named, then those that their answers name, and so on, each once and only after a yes.
 * What refuses is told and left out; the rest goes on. Throws when the signal fires.
 */
export const findSite = async (typed: readonly string[], why: string, outside: Outside): Promise<Found> => {
  const search = new Search(outside);
  const { names, answered, failures, notes } = search;
  const odd = typed.filter((name) => names.add(name) === undefined);
  if (odd.length > 0)
    notes.push(`not asked, as these are addresses or no plain host names: ${shownList(odd)}`);
  // A host may be typed, and stand in an inventory, too.
  const seeds = [...new Set(typed.flatMap((name) => names.find(name) ?? []))];
  const here = await search.askHere();
  let saidNo = false;
  for (let round = 0; ; round++) {
    const hosts = search.choose(seeds, why);
    if (hosts.length === 0) break;
    if (round === MOST_ROUNDS) {
      notes.push(
        `not asked, ${MOST_ROUNDS} rounds away: ${shownList(hosts.map(({ host }) => host))}; faultline init HOST asks one`,
      );
      break;
    }
    saidNo = !(await search.ask(hosts));
    if (saidNo) break;
  }
  return {
    book: search.book,
    here,
    answered,
    failures,
    notes,
    pointed: search.ofPeople(),
    typed: seeds,
    saidNo,
  };
};

const shownList = (names: readonly string[]): string =>
  `${names.slice(0, 20).join(', ')}${names.length > 20 ? ` and ${names.length - 20} more` : ''}`;

const leftOutNotes = (leftOut: readonly Candidate[]): string[] =>
  [...Map.groupBy(leftOut, ({ why }) => why)].map(
    ([why, some]) =>
      `not asked, as there are too many alike (${why}): ${count(some.length, 'host')}; what only they have is not seen`,
  );

const countNames = (all: readonly Asked[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const asked of all) {
    const name = nameIn(asked);
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
};

const askAll = async (
  hosts: readonly Candidate[],
  ask: (host: Candidate) => Promise<Asked>,
): Promise<(readonly [host: string, asked: Asked])[]> => {
  const places = new Places(AT_ONCE);
  return Promise.all(
    hosts.map(async (candidate) => {
      const giveBack = await places.take();
      try {
        return [candidate.host, await ask(candidate)] as const;
      } finally {
        giveBack();
      }
    }),
  );
};
