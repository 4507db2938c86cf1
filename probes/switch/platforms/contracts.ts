import type { Answer, Dialect } from '../../../src/model/answer.ts';
import type { HostView, SiteView } from '../../../src/model/site.ts';
import type { CommitsReading } from '../read/commits.ts';
import type { LinkWords } from '../read/link-words.ts';
import type { MemberWords, Standing } from '../read/member-states.ts';
import type { Capture, PlatformReaders } from '../read/parse-capture.ts';
import type { PortLine } from '../read/port-lines.ts';
import type { PortSettings } from '../read/port-settings.ts';
import type { LagRow, PortRow } from '../read/rows.ts';
import type { ChassisAnswer, ChassisReading } from '../read/chassis-reading.ts';
import type { CountersReading, NeighborsReading } from '../readings.ts';
import type { FabricReading } from './infiniband/fabric.ts';

/** What is asked of a platform; each has a parser of the same name. */
export type Question = 'counters' | 'lags' | 'neighbors' | 'optics';

/** How a platform is asked, as data. */
export interface PlatformAsk {
  id: string;
  /** `Dell FTOS`. */
  title: string;
  /** `sh`: commands run in a Linux shell; `cli`: lines typed on the device's own command line. */
  via: 'sh' | 'cli';
  /** Prompt, pager and errors of a `cli`. */
  dialect?: Dialect;
  /** Answers in JSON or XML are asked every 10 s, screens of text every 60 s. */
  machineReadable: boolean;
  /** Switches frames before their checksum is known: a bad frame goes on, stomped. */
  cutThrough?: boolean;
  ask: Partial<Record<Exclude<Question, 'optics'>, readonly string[]>> & {
    /** All modules at once, or one command per port. */
    optics?: { all: readonly string[] } | { port: (name: string) => string };
    /** How ports are set, where the answer with their counters does not tell it: all at once, or commands for each port. */
    settings?: { all: readonly string[] } | { port: (name: string) => readonly string[] };
  };
  /** Shows commits that wait to be confirmed; where the device takes back a change by itself. */
  commits?: readonly string[];
  /**
   * Shows whether LAGs are one with LAGs of a second chassis; `known`: the domain that an earlier answer named. Absent: such LAGs
   * are of another kind there, and no members of the LAGs that are asked for.
   */
  chassis?: (known?: string) => readonly string[];
  /**
   * Shows LAGs over two chassis, which stand in a table of their own: asked with the LAGs of a device until it is known to be no part of
   * two, for it refuses the line then (and a refusal costs a new login).
   */
  spanningLags?: readonly string[];
  /** Shows how many members each LAG needs; absent: the platform is not known to tell. */
  minLinks?: readonly string[];
  /** Where its LAGs are told and what that needs, for who is refused because they were not read. */
  lagsNeed?: string;
  /** What to look at where no load is told, of a platform that counts no bytes and tells the load itself. */
  noLoad?: string;
  /** Opens the configuration and leaves it: the device refuses while somebody's changes are open there. */
  tryConfigure?: readonly string[];
  /** The name by which its commands know a canonical port; undefined: no port of this platform. */
  nameOf(port: string): string | undefined;
  /** Switches a port on: what a person types there when an undo failed, and what an undo types. */
  restore?: (name: string) => readonly string[];
  /** What a shutdown that is kept outlives: absent, not a restart of the device. */
  shutLasts?: 'restart';
  /** Why nothing is shut there, of a platform that is only read. */
  readingOnly?: string;
}

/** How an InfiniBand fabric is read, of which one host tells: its ports are none of that host. */
export interface FabricReaders {
  /** Asks for every link of the fabric. */
  script: string;
  ports(
    rows: readonly PortRow[],
    host: HostView,
    site: SiteView,
  ): { value: CountersReading; notUnderstood: number };
  peers(answer: Answer, host: HostView, site: SiteView): { value: NeighborsReading; notUnderstood: number };
  links(answer: Answer, host: HostView, site: SiteView): { value: FabricReading; notUnderstood: number };
}

/** How a platform is asked and how its answers are read: everything but how it is changed. */
export interface Platform extends PlatformAsk {
  /** What `parse` prints of its outputs. */
  readers: PlatformReaders;
  linkWords?: LinkWords;
  memberWords?: MemberWords;
  /** What each member does by more of the answer than the word in its row. */
  standingsIn?: (capture: Capture) => (row: LagRow) => Standing | undefined;
  /** Whether a LAG (as printed) is shown to use LACP in a way that no column holds. */
  lacpIn?: (capture: Capture) => (lag: string) => boolean;
  /** The full name of a member, where it is printed without its kind. */
  memberName?: (printed: string) => string;
  /** The full name of a port, where its module is printed without its kind. */
  socketName?: (printed: string) => string;
  /** Of canonical ports that may be lanes of one module: group 1 its name, group 2 the lane. */
  lanesLikePorts?: RegExp;
  /** What it says, in a line of its own, where there are none of what was asked for. */
  saysNone?: Partial<Record<Question, RegExp>>;
  /** The LAG that a port is bundled into, by their printed names, where it does not stand with the port's counters. */
  bundlesIn?: (capture: Capture) => ReadonlyMap<string, string>;
  /** Whether an answer says that there are no LAGs. */
  hasNoLags?: (answer: Answer) => boolean;
  /** What the answer says of each port beside its counters, of a document; undefined: it is a screen. */
  portLinesIn?: (capture: Capture) => Iterable<PortLine> | undefined;
  /** Settings of the ports by their printed name, where they stand under keys; undefined: not in this answer. */
  settingsIn?: (capture: Capture) => ReadonlyMap<string, PortSettings> | undefined;
  /** Of an answer to `ask.settings`: by the printed name, or of one port. */
  settingsTold?: (capture: Capture) => ReadonlyMap<string, PortSettings>;
  portSettingsTold?: (lines: readonly string[], name: string) => PortSettings | undefined;
  /** The device's word for how a port is set, by its printed name, where it does not stand in the port's row. */
  adminIn?: (capture: Capture) => ReadonlyMap<string, string>;
  /** Share of its speed that a port carries in its busier direction, 0..1, by its printed name. */
  loadsIn?: (capture: Capture) => ReadonlyMap<string, number>;
  /**
   * Bytes of head and tail that its MTU counts besides the payload; absent: none, as Cisco IOS and NX-OS, EOS, Linux, Onyx and AOS-CX
   * print it.
   */
  mtuHead?: number;
  /** Its `giants` are all frames over 1518 bytes, healthy jumbo frames too; absent: frames that the port refused for their length. */
  giantsAreJumbo?: true;
  /** Indexes of SNMP by the printed name of a port, where its LLDP announces these. */
  indexesIn?: (capture: Capture) => ReadonlyMap<string, readonly string[]>;
  /** Its LLDP announces the address of each port as its chassis id, so two of them are no two devices. */
  chassisPerPort?: true;
  /** Whether LLDP's local port is one for management, which in lower case would be another. */
  isManagement?: (port: string) => boolean;
  /** Of an answer to `minLinks`: least members by the printed LAG. */
  minLinksIn?: (stdout: string) => ReadonlyMap<string, number>;
  /** Of an answer to `chassis`; undefined: it says neither yes nor no. */
  chassisIn?: (answer: ChassisAnswer) => ChassisReading | undefined;
  /** Of an answer to `commits`; undefined: it is something else. */
  commitsIn?: (stdout: string) => CommitsReading | undefined;
  fabric?: FabricReaders;
}

/** A shutdown that the device itself takes back unless it is confirmed in time. Nothing of it is saved. */
export interface ConfirmedChange {
  /** The shortest time its own timer counts, seconds. */
  unitSeconds: number;
  /** Shuts the port and arms the undo with the same lines. `session`: a name that is free on the device. */
  shut(seconds: number, session: string): readonly string[];
  /** What was shut stays. */
  keep(session: string): readonly string[];
  /** Takes it back at once; harmless when the device was quicker. */
  restore(session: string): readonly string[];
}

/** How a port is taken out. Lines for a device, one command for a Linux shell. */
export interface PortShut {
  shut: readonly string[];
  /** For an undo host, which types `restore` and looks; absent where the device takes a shutdown back itself. */
  look?: {
    /** Lines that show the port. */
    lines: readonly string[];
    /**
     * What stands in a line then when it is not switched off (an extended regular expression, any case), whether there is light or
     * not: words that the platform is known to print, for any other proves nothing.
     */
    on: string;
    /** Of a command line: the end of the prompt in the configuration of this port (an extended regular expression). */
    prompt?: string;
  };
  confirmed?: ConfirmedChange;
}

/** How ports of a make are shut, by the name that its commands know. Registered apart (`shut.ts`): only actions know it. */
export type ShutPort = (name: string) => PortShut;

/** How a port is taken out and put back. */
export interface PortChange extends PortShut {
  restore: readonly string[];
}
