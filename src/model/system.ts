import type { z } from 'zod';
import type { Answer, ConnectionState, Dialect } from './answer.ts';
import type { Cause } from './dependency.ts';
import type { Fact, Facts } from './fact.ts';
import type { FindingDraft } from './finding.ts';
import type { History, Track, Reading, Readings, Sample } from './reading.ts';
import type { Notes } from './note.ts';
import type { PastRuns } from './run.ts';
import type { HostView, SiteView } from './site.ts';
import type { Subject } from './subject.ts';
import type { Said } from '../text/said.ts';
import type { SafeData } from '../text/safe.ts';
import type { Block, PaneView } from './view.ts';

/** What a probe does to the host beyond reading. Only `nothing` is asked by the wall and a read-only console. */
export type Touches = 'nothing' | 'files' | 'signals' | 'traffic';

/** A POSIX sh script in the small form of `src/text/shell.ts`, or lines for a device. */
export type Ask =
  | {
      script: string;
      /** Its output is packed by gzip; `maxBytes` holds for what that unpacks to, too. */
      packed?: true;
      maxBytes?: number;
      deadlineMs?: number;
    }
  | {
      lines: readonly string[];
      dialect: Dialect;
      /** Each line's output comes after a line `--- LINE`. */
      headed?: boolean;
      /** The first line that the device refuses is the last that is typed: one that leaves would end the session, and the words with it. */
      stopOnError?: true;
      maxBytes?: number;
      deadlineMs?: number;
    };

/** What a probe may look at when it makes its question. */
export interface AskContext {
  site: SiteView;
  readings: Readings;
  /** The last good reading of this probe on this host. */
  last?: Reading<SafeData>;
  now: number;
  /** Asked to see whether it may be (doctor): where there is nothing to ask for yet one is asked for, and what is refused in part fails. */
  trial?: true;
  /** What other systems publish; only where a question is made, never where an answer is read. */
  facts?(): Facts;
}

/**
 * A probe cheap enough to find out when a daemon works again: while it does not, this one is asked soon again after each of its
 * answers, and the probes in `of`, which fail with it, wait for it.
 */
export interface Pulse {
  /** Probes of the same system that ask the same daemon on the same host; none where this one alone asks it. */
  of: readonly string[];
  /** Whether a good reading of this probe says that the daemon works. */
  works(value: unknown): boolean;
}

/** How an answer speaks of a subject: by it the evidence opens at the lines that a finding rests on. Only what is shown first hangs on it. */
export interface Locator {
  /** How the answer spells it, beside its id and the part of that behind the host's name: `TenGigabitEthernet 3/46`. */
  names?: readonly string[];
  /** Names of the values that findings about it rest on, as the answer has them: `State`, `Reason`. */
  words?: readonly string[];
}

/** What one answer says of another host, for a probe that is `givenBy` it. */
export type Given = { probe: string; host: string } & (
  | { samples: readonly GivenSample[] }
  /** Why it says nothing of it: `what`, and `next`: what would be right. */
  | { why: Said }
);

export interface GivenSample {
  /** Who took it, and when by the clock there, UTC ms. */
  sample: Sample;
  /** Its age when the answer was given. */
  ageMs: number;
  value: unknown;
  notUnderstood: number;
}

/** What to ask a host and how to read the answer. Pure. */
export interface Probe<T = unknown> {
  /** `slurm.nodes`. */
  id: string;
  /** Hosts with this role are asked; `*`: all hosts. */
  role: string;
  /** Of these only those with these names: a probe that the site file brings knows its hosts. */
  hosts?: ReadonlySet<string>;
  /** Default interval in ms. 0: only on demand. */
  everyMs: number;
  touches: Touches;
  /** Gets a channel of its own. */
  mayHang?: boolean;
  /** Default 8,000. */
  deadlineMs?: number;
  /** Good readings kept besides the last one (rates need one). Default 0. */
  keep?: number;
  /**
   * Whether the good readings at hand, newest first, are too few to tell what one more would (two bad frames in 2 s): `status`, which has
   * only what it asked, then asks once more. Only with `keep`.
   */
  isTooFew?(samples: readonly Reading<T>[], site: SiteView): boolean;
  /** How many hosts may be asked at once; default no limit. */
  parallel?: number;
  /** Asked late in the first round: many hosts, little urgency. */
  background?: boolean;
  /** Finds nothing by itself, but tells the cause of what was found (optics): `status --quick` leaves it out. */
  tellsCause?: true;
  pulse?: Pulse;
  /** Whether this host is to be asked now; default yes. */
  when?(host: HostView, context: AskContext): boolean;
  ask(host: HostView, context: AskContext): Ask;
  /** Throws ParseError, CommandFailed. Gets every answer that reached the host, whatever its exit code. */
  read(answer: Answer, host: HostView, context: AskContext): { value: T; notUnderstood?: number };
  schema: z.ZodType<T>;
  /** Its answer speaks of many hosts: what it gives the probes that are `givenBy` it, for each host samples from the oldest on. */
  gives?(value: SafeData): readonly Given[];
  /** It is never asked: the answer of this probe, on another host, brings its readings. No guard sees them. */
  givenBy?: string;
  /** Hosts that it asks on demand only, since something else is read of them all the time. */
  onDemand?: ReadonlySet<string>;
  /** `value`: the last good reading. Absent: its answers have the ids, and whole lines are the evidence. */
  locate?(subject: Subject, value: T | undefined): Locator;
}

/** Everything a system may judge by. */
export interface Judgement {
  readings: Readings;
  history: History;
  facts: Facts;
  /** What operators noted, repairs among it; absent where nobody can note anything. */
  notes?: Notes;
  /** Of each writer of lines in the shared folder that no console writes, what is odd about them. */
  doubts?: readonly string[];
  /** What operators did lately; absent where nothing can be done (the wall, read-only), and until it was read. */
  audit?: PastRuns;
  connections: ReadonlyMap<string, ConnectionState>;
  site: SiteView;
  /** UTC ms. */
  now: number;
  /** Monotonic ms, the clock of `Reading.mono`. */
  mono: number;
}

/** What `faultline parse FORMAT` hands to a parser. */
export interface ParseInput {
  stdout: string;
  stderr?: string;
  exitCode?: number;
  platform?: string;
  /** IANA zone for stamps without one; default UTC. */
  tz?: string;
}

/** The document that `faultline parse` prints; throws NotThisFormat. */
export type Format = (input: ParseInput) => object;

/** `slurm.nodes` to its parser. */
export type Formats = Readonly<Record<string, Format>>;

/** What `--help` says of a system: examples as they are typed. Text only, so that help stays quick. */
export interface CommandHelp {
  status?: readonly string[];
  /** An action and what is typed behind it. */
  act?: readonly (readonly [action: string, rest: string])[];
  parse?: readonly string[];
  /** A format of `parse`. */
  format?: string;
  /** What has to be known of its actions, a paragraph each. */
  actions?: readonly string[];
}

/** What must be there on a host for a system's probes and actions to work; `faultline doctor` checks it. */
export interface HostNeeds {
  /** Commands that must be found on the fixed PATH. */
  commands: readonly string[];
  /** Prints a version; its first line is shown. */
  version?: readonly string[];
  /** Needs root through `sudo -n`. */
  root?: boolean;
}

/** A host named in a system's section of the site file; `path` begins in the section. */
export interface HostMention {
  path: readonly (string | number)[];
  name: string;
}

/** `what; what would be right`, and where: the path begins in the section. */
export interface SectionProblem {
  path: readonly (string | number)[];
  text: string;
}

/** One thing operators look after: what it asks, how it judges, how it looks. Holds no action: see `ActionSet`. */
export interface System {
  id: string;
  /** `Slurm`. */
  title: string;
  /** Roles it knows; a site file naming another role is told the nearest one. */
  roles: readonly string[];
  /** The schema of its own section of the site file, with defaults; absent: it has none. */
  settings?: z.ZodType;
  /** What names of older versions stand for now: of findings (`site:nfs` to `nfs:nfs`), and of rules of what explains what. */
  formerly?: Partial<Readonly<Record<'findings' | 'rules', Readonly<Record<string, string>>>>>;
  /** Hosts that its section, once it is in shape, names: each must be one of the site. */
  mentions?(settings: unknown): readonly HostMention[];
  /** What is wrong with its section that only the whole site shows, with a path that begins in the section. */
  problems?(
    settings: unknown,
    site: Pick<SiteView, 'hosts' | 'expand' | 'prometheus'>,
  ): readonly SectionProblem[];
  /**
   * Its section holds commands: nobody else may write to the site file then. They may also stand in the YAML files of a folder with this
   * name beside the site file, of which nobody else may write to any.
   */
  commandsIn?: string;
  /** What it is on this site, where the site file brings probes; absent: the same everywhere. */
  onSite?(site: SiteView): System;
  /** Role to what a host with it needs. */
  tools?: Readonly<Record<string, HostNeeds>>;
  /** Without any it has no pane: what it finds is found in facts. */
  probes: readonly Probe[];
  /** It judges by what all systems read of the hosts, not only by its own probes. */
  watchesAll?: true;
  /** It was not asked for: it is only there for facts that others need, and nothing is missing when it can't be read. */
  onlyFacts?: true;
  publishes: readonly Fact['name'][];
  /** Which of its probes a fact rests on, where others must be able to ask again before they act on it. */
  factProbes?: Partial<Record<Fact['name'], readonly string[]>>;
  needs: readonly Fact['name'][];
  facts(judgement: Judgement): readonly Fact[];
  findings(judgement: Judgement): readonly FindingDraft[];
  /** Which findings explain which, where that is particular to this system; what follows from dependencies needs no word here. */
  causes?: readonly Cause[];
  /** Values to keep in history. */
  track(judgement: Judgement): readonly Track[];
  view(judgement: Judgement): PaneView;
  /** What `?` says about this system above the keys: what is to be known before one of its actions is taken. */
  help?: readonly string[];
  /** Groups of nodes that it knows, for `@slurm:batch` where targets are named; by the last reading. */
  groups?(judgement: Judgement): ReadonlyMap<string, readonly string[]>;
  /** The detail of one row or finding. */
  detail(subject: Subject, judgement: Judgement): readonly Block[];
}
