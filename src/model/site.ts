import type { Subject } from './subject.ts';

/** A host of the site as everybody sees it. Names are canonical (as written in the site file, expanded). */
export interface HostView {
  name: string;
  roles: readonly string[];
  /** `linux` unless the site file says otherwise. */
  platform: string;
  /** `{rack: 'r7', breaker: 'b7'}`: labels by which things fail together. */
  location: Readonly<Record<string, string>>;
  legacy: boolean;
  undoHost?: string;
  /** Guard 9: the site allows changes here that nothing undoes, when the operator types so. */
  withoutUndo?: true;
}

export interface LinkEnds {
  from: string;
  to: string;
}

/** Planned work: findings on these subjects become notices "planned until ...". Times are UTC ms. */
export interface Window {
  from: number;
  to: number;
  /** Host or subject ids, or `label:value` of a location (`rack:r7`). */
  subjects: readonly string[];
  /** Sets that also say what it is on, by groups that a system tells of: `@slurm:batch`. While they are not known it is on nothing by them. */
  later?: readonly string[];
  text: string;
}

/**
 * Leave of the site to put traffic on its network without a person asking: this probe on these hosts, when the hour in `zone` lies
 * between `from` and `to` and the last time is `everyMs` ago.
 */
export interface TrafficRule {
  probe: string;
  hosts: readonly string[];
  everyMs: number;
  /** Minutes of the day; `to` before `from`: over midnight. */
  from: number;
  to: number;
  /** IANA. */
  zone: string;
}

/** Hosts that are asked many at a time by ClusterShell on an admin host, for what is read by the clock. */
export interface Clush {
  through: string;
  hosts: readonly string[];
  /** How many hosts ClusterShell asks at once; by its own configuration where absent. */
  fanout?: number;
}

export interface Runbook {
  /** A finding id, `*` stands for any run of characters. */
  finding: string;
  url?: string;
  contact?: string;
}

/**
 * What was found out about a group that the site file does not have: its members; why not, and which names there are; or which system
 * tells of it once that was asked.
 */
export type Told = readonly string[] | { why: string; known: readonly string[] } | { later: string };

/** A Prometheus of the site, asked by one of its hosts. */
export interface PrometheusOf {
  /** Without a slash at its end; `/api/v1/query` is added. */
  url: string;
  /** The host that asks it. */
  through: string;
  /** A file on that host with the bearer token, or the command there that prints it. */
  tokenFile?: string;
  tokenCommand?: readonly string[];
  /** Labels that a series must have. */
  match: Readonly<Record<string, string>>;
  /** The label that names a series' host. */
  label: string;
}

/** The site file after loading: pure data, the same in every thread. */
export interface Site {
  name: string;
  /** Where it was read from, for messages. */
  file: string;
  readOnly: boolean;
  hosts: readonly HostView[];
  shared?: { host: string; dir: string };
  /** The host whose syslog gets each head of the audit log. */
  audit?: { syslog: string };
  prometheus?: PrometheusOf;
  /** Names for node sets, as written: `gpu` to `@compute&node[1-16]`. */
  groups?: Readonly<Record<string, string>>;
  /** What other sources said of groups that the file names: `rack:r7` of ClusterShell, `slurm:batch` of a system. */
  outside?: Readonly<Record<string, Told>>;
  /** Each system's own section, checked by the system's own schema: `settings.slurm`. */
  settings: Readonly<Record<string, unknown>>;
  links: readonly LinkEnds[];
  windows: readonly Window[];
  runbooks: readonly Runbook[];
  /** What the terminal does on a new critical finding; off unless the site file says otherwise. */
  alerts?: { bell: boolean; title: boolean };
  /** Rules of what explains what that are not true of this site, by name. */
  rules?: { off: readonly string[] };
  /** Intervals set by the site file, probe id to ms. */
  intervals: Readonly<Record<string, number>>;
  /** What may put traffic on the network by the clock; nothing unless the site file allows it. */
  traffic?: readonly TrafficRule[];
  /** OpenSSH client configuration file to use in place of the operator's own. */
  sshConfig?: string;
  /** Which transport for which host; `ssh2` where nothing is said. */
  transports: Readonly<Record<string, 'ssh2' | 'openssh' | 'local'>>;
  clush?: readonly Clush[];
}

/** Questions about the site that systems ask. */
export interface SiteView extends Site {
  host(name: string): HostView | undefined;
  /** `*`: all of them. */
  hostsWithRole(role: string): readonly HostView[];
  /**
   * The names of a set of hosts (`@gpu!node5`) by the groups of the site file, and by what `told` knows of others. Throws RangeError that
   * says what is wrong.
   */
  expand(set: string, told?: (group: string) => Told | undefined): readonly string[];
  /** The canonical subject for what a person typed or a device printed; undefined when the site does not know it. */
  resolve(kind: Subject['kind'], id: string): Subject | undefined;
}
