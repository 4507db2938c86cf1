import { lustreProbes } from '../../probes/lustre/ask/probes.ts';
import { findings } from '../../probes/lustre/judge/findings.ts';
import { CommandFailed } from '../../src/model/errors.ts';
import type { AskContext, Judgement, Probe } from '../../src/model/system.ts';
import { answerOf } from '../helpers/answer.ts';
import { judgementOf, siteOf, Sources, start } from '../helpers/judging.ts';

/** What one OST is like; what is not said is well. */
export interface PrintedOst {
  oss: string;
  /** Import state by MDT index; `client`: of each client. */
  states?: Readonly<Record<number, string>>;
  client?: string;
  /** By client: another state than the others'. */
  clients?: Readonly<Record<string, string>>;
  active?: Readonly<Record<number, number>>;
  clientActive?: number;
  /** Clients that do not list it. */
  lackedBy?: readonly string[];
  /** Indexes of MDTs that do not list it. */
  unknownTo?: readonly number[];
  mounted?: boolean;
  prealloc?: number;
  /** Shares free. */
  free?: number;
  filesFree?: number;
  /** Inodes of its backend. */
  files?: number;
  flags?: string;
  recovery?: string;
  degraded?: number;
  /** How many I/Os took so many ms at most, since the mount: of writes, or of `[reads, writes]`. */
  times?: Readonly<Record<number, number | readonly [number, number]>>;
  /** Another server on which it is mounted as well. */
  alsoOn?: string;
  /** MDTs on which somebody set max_create_count=0. */
  stoppedOn?: readonly number[];
  /** `conn to master` of its quota slave; absent: it prints none. */
  quota?: string;
  /** What that slave enforces, `ug` where it is not said. */
  quotaTypes?: string;
  /** `lctl dl` says ST. */
  stopping?: boolean;
  /** `num_exports`; absent: it prints none. */
  exports?: number;
}

export interface PrintedMdt {
  mds: string;
  mounted?: boolean;
  /** What each client's connection says. */
  client?: string;
  clients?: Readonly<Record<string, string>>;
  /** What the other MDTs' connections say. */
  peers?: string;
  free?: number;
  filesFree?: number;
  recovery?: string;
  /** `mdt.*.no_create`; absent: the release has none. */
  noCreate?: number;
  /** Letters behind its row of `lfs df`. */
  flags?: string;
  /** Which other MDTs hold it inactive. */
  heldBy?: readonly number[];
  /** `conn to master` of its quota slave; absent: it prints none. */
  quota?: string;
  /** What that slave enforces, `ug` where it is not said. */
  quotaTypes?: string;
  /** `lctl dl` says ST. */
  stopping?: boolean;
}

export interface Printed {
  fs?: string;
  version?: string;
  mdts: readonly PrintedMdt[];
  osts: readonly PrintedOst[];
  clients?: readonly string[];
  /** State of the clients' connections to another centre's file system `home`, of one MDT and one OST, which they mount as well. */
  home?: string;
  /** Servers without targets. */
  idle?: Readonly<Record<string, 'lustre-mds' | 'lustre-oss'>>;
  /** Hosts whose modules are not loaded, and hosts that refuse SSH. */
  unloaded?: readonly string[];
  /** Hosts whose account is not root: debugfs is not there for it, and it may not open the devices. */
  rootless?: readonly string[];
  down?: readonly string[];
  /** State of the connection to the management server, by host; FULL where none is named. */
  mgc?: Readonly<Record<string, string>>;
  mgs?: string;
  /** By which NID of the management server a host was told to reach it, where it is another one. */
  mgsNid?: Readonly<Record<string, string>>;
  health?: Readonly<Record<string, string>>;
  /** What each server's LNet prints (`printLnet` of test/lustre/printed-lnet.ts); of others nothing is read. */
  lnet?: Readonly<Record<string, string>>;
  /** `failover_nids` of the imports of targets that a host has lost, by the server's name or the target's. */
  lookedForAt?: (target: string) => string | undefined;
}

const hex = (index: number): string => index.toString(16).padStart(4, '0');
const kb = 46_873_571_328;
const mdtKb = 2_929_687_500;
const complete =
  'status: COMPLETE\nrecovery_start: 1762430400\nrecovery_duration: 62\ncompleted_clients: 412/412';

/** `name=value`, or the value on the lines below where it has several (lctl get_param). */
const param = (name: string, value: string | number): string =>
  `${name}=${String(value).includes('\n') ? '\n' : ''}${value}\n`;

/** lprocfs_rd_import (lustre/obdclass/lprocfs_status.c), its first lines. */
const mgcImport = (nid: string, state: string): string =>
  param(
    `mgc.MGC${nid}.import`,
    `import:\n    name: MGC${nid}\n    target: MGS\n    state: ${state}\n    connect_flags: [ version, barrier, adaptive_timeouts, full20 ]\n    connection:\n       failover_nids: [ ${nid} ]\n       current_connection: ${nid}`,
  );

/** qsd_state_seq_show (lustre/quota/qsd_lib.c); a slave without its master has no copy of the indexes. */
const quotaSlave = (target: string, master: string, types = 'ug'): string => {
  const uptodate = master === 'setup' ? 'glb[1],slv[1],reint[0]' : 'glb[0],slv[0],reint[0]';
  return param(
    `osd-ldiskfs.${target}.quota_slave.info`,
    `target name:    ${target}\npool ID:        0\ntype:           dt\nquota enabled:  ${types}\nconn to master: ${master}\nspace acct:     ug\nuser uptodate:  ${uptodate}\ngroup uptodate: ${uptodate}`,
  );
};

/**
 * A site as lctl and lfs print it, release by release the same lines: written from the formats of lustre/osp/lproc_osp.c,
 * lustre/mdc/lproc_mdc.c, lustre/obdclass/lprocfs_status.c and the captures, not from the readers.
 */
export class PrintedSite {
  private printed: Printed;
  private readonly fs: string;
  readonly readings = new Sources();
  readonly site: ReturnType<typeof siteOf>;

  constructor(printed: Printed) {
    this.printed = printed;
    this.fs = printed.fs ?? 'work';
    const { mdts, osts, clients = ['login1'], idle = {} } = printed;
    const roles = new Map<string, string>([
      ...mdts.map(({ mds }) => [mds, 'lustre-mds'] as const),
      ...osts.map(({ oss }) => [oss, 'lustre-oss'] as const),
      ...clients.map((name) => [name, 'lustre-client'] as const),
      ...Object.entries(idle),
    ]);
    this.site = siteOf([...roles].map(([name, role]) => ({ name, roles: [role] })));
    this.read(start);
  }

  private now = start;

  /** Asked once more, `afterS` seconds later, when it prints this. */
  later(afterS: number, printed: Partial<Printed> = {}): this {
    this.printed = { ...this.printed, ...printed };
    this.now += afterS * 1000;
    this.read(this.now);
    return this;
  }

  judgement(): Judgement {
    return judgementOf({ readings: this.readings, site: this.site, now: this.now });
  }

  /** `severity kind: summary` of everything that is found. */
  said(): string[] {
    return findings(this.judgement()).map(({ severity, kind, summary }) => `${severity} ${kind}: ${summary}`);
  }

  /** What is worse than a notice. */
  loud(): string[] {
    return this.said().filter((line) => !line.startsWith('notice'));
  }

  private read(at: number): void {
    const { down = [], unloaded = [], rootless = [] } = this.printed;
    const context = { site: this.site, readings: this.readings, now: at };
    for (const host of this.site.hosts)
      for (const probe of lustreProbes) {
        if (!host.roles.includes(probe.role) || /tasks|kernel|hsm/.test(probe.id)) continue;
        if (/-(?:lnet|ways)$/.test(probe.id) && !this.printsLnet(probe, host.name, context)) continue;
        if (down.includes(host.name)) {
          this.readings.fail(
            probe.id,
            host.name,
            {
              kind: 'connect',
              connect: 'unreachable',
              message: `${host.name}: connection refused`,
            },
            at,
          );
          continue;
        }
        const text = unloaded.includes(host.name) ? '' : this.answer(probe.id, host.name);
        const answer =
          text.includes('@@faultline devices') && rootless.includes(host.name)
            ? answerOf(seenWithoutRoot(text), { exitCode: 2, stderr: notRoot })
            : answerOf(text, text === '' ? { exitCode: 2, stderr: noModules } : { exitCode: 2 });
        try {
          const { value, notUnderstood = 0 } = probe.read(answer, host, context);
          if (notUnderstood > 0)
            throw new Error(`${probe.id} on ${host.name}: ${notUnderstood} not understood`);
          this.readings.good(probe.id, host.name, probe.schema.parse(value), at, 20, probe.keep ?? 0);
        } catch (error) {
          if (!(error instanceof CommandFailed)) throw error;
          const message = `${host.name}: ${error.message}`;
          this.readings.fail(probe.id, host.name, { kind: 'command', code: error.code, message }, at);
        }
      }
  }

  /** Whether this is asked at all: LNet where the situation has words of it, ways where a target is lost. */
  private printsLnet(probe: Probe, host: string, context: AskContext): boolean {
    if (probe.id.endsWith('-lnet')) return this.printed.lnet?.[host] !== undefined;
    const known = this.site.hosts.find(({ name }) => name === host);
    return (
      this.printed.lookedForAt !== undefined && known !== undefined && probe.when?.(known, context) === true
    );
  }

  /** The imports that the probe asks for, as its script names them. */
  private ways(probe: string, host: string): string {
    const asked = lustreProbes.find(({ id }) => id === probe);
    const known = this.site.hosts.find(({ name }) => name === host);
    const ask = known && asked?.ask(known, { site: this.site, readings: this.readings, now: this.now });
    const script = ask && 'script' in ask ? ask.script : '';
    return [...script.matchAll(/((?:os[pc]|mdc)\.(\S+?-(?:OST|MDT)[0-9a-f]{4})-[^\s']+)\.import/g)]
      .map(([, name = '', target = '']) =>
        param(
          `${name.replace('*', 'ffff8f3e5b1c7000')}.import`,
          `import:\n    name: ${name}\n    state: DISCONN\n    connection:\n       failover_nids: [ ${this.printed.lookedForAt?.(target) ?? ''} ]\n       connection_attempts: 41`,
        ),
      )
      .join('');
  }

  private answer(probe: string, host: string): string {
    if (probe.endsWith('-lnet')) return this.printed.lnet?.[host] ?? '';
    if (probe.endsWith('-ways')) return this.ways(probe, host);
    if (probe === 'lustre.mds') return this.common(host) + this.mds(host);
    if (probe === 'lustre.creates') return param('version', this.printed.version ?? '2.15.8');
    if (probe === 'lustre.oss') return this.common(host) + this.oss(host);
    if (probe === 'lustre.oss-io') return param('version', this.printed.version ?? '2.15.8') + this.io(host);
    return probe === 'lustre.client' ? this.common(host) + this.client(host) : this.df(host);
  }

  private common(host: string): string {
    const { version = '2.15.8', health = {}, mgc = {}, mgsNid = {} } = this.printed;
    return (
      param('version', version) +
      param('health_check', health[host] ?? 'healthy') +
      mgcImport(mgsNid[host] ?? '10.10.0.1@o2ib', mgc[host] ?? 'FULL')
    );
  }

  private mds(host: string): string {
    const { mdts, osts, mgs = 'mds1' } = this.printed;
    const lines: string[] = [];
    const devices = host === mgs ? ['UP mgs MGS MGS 1429'] : [];
    for (const [index, mdt] of mdts.entries()) {
      if (mdt.mds !== host || mdt.mounted === false) continue;
      const name = `${this.fs}-MDT${hex(index)}`;
      devices.push(`${mdt.stopping ? 'ST' : 'UP'} mdt ${name} ${name}_UUID 431`);
      if (mdt.quota !== undefined) lines.push(quotaSlave(name, mdt.quota, mdt.quotaTypes));
      lines.push(param(`mdt.${name}.recovery_status`, mdt.recovery ?? complete));
      if (mdt.noCreate !== undefined) lines.push(param(`mdt.${name}.no_create`, mdt.noCreate));
      const { free = 0.8, filesFree = 0.7 } = mdt;
      for (const [key, value] of Object.entries({
        kbytestotal: mdtKb,
        kbytesfree: Math.round(mdtKb * free),
        kbytesavail: Math.round(mdtKb * free),
        filestotal: 1_171_875_000,
        filesfree: Math.round(1_171_875_000 * filesFree),
      }))
        lines.push(param(`osd-ldiskfs.${name}.${key}`, value));
      for (const [at, other] of mdts.entries()) {
        if (at === index) continue;
        const pair = `${this.fs}-MDT${hex(at)}-osp-MDT${hex(index)}`;
        const state = other.peers ?? (other.mounted === false ? 'DISCONN' : 'FULL');
        const held = other.heldBy?.includes(index) === true;
        lines.push(param(`osp.${pair}.active`, held ? 0 : 1));
        lines.push(
          param(
            `osp.${pair}.mdt_server_uuid`,
            `${this.fs}-MDT${hex(at)}_UUID\t${state}${held ? '\tDEACTIVATED' : ''}`,
          ),
        );
        devices.push(`UP osp ${pair} ${name}-mdtlov_UUID 5`);
      }
      lines.push(param(`lod.${name}-mdtlov.qos_threshold_rr`, '17%'));
      lines.push(param(`lod.${name}-mdtlov.numobd`, osts.length));
      for (const [at, ost] of osts.entries())
        if (!ost.unknownTo?.includes(index)) lines.push(this.osp(index, at, ost));
    }
    return `${lines.join('')}\n@@faultline devices 0\n${devices.map((one, at) => `${at} ${one}\n`).join('')}`;
  }

  private osp(mdt: number, index: number, ost: PrintedOst): string {
    const name = `osp.${this.fs}-OST${hex(index)}-osc-MDT${hex(mdt)}`;
    const active = ost.active?.[mdt] ?? 1;
    const state = ost.states?.[mdt] ?? (ost.mounted === false ? 'DISCONN' : 'FULL');
    const { free = 0.4, filesFree = 0.6 } = ost;
    const away = active === 0 ? -108 : state === 'FULL' ? 0 : -19;
    return [
      param(`${name}.active`, active),
      param(`${name}.max_create_count`, ost.stoppedOn?.includes(mdt) ? 0 : 20_000),
      param(`${name}.prealloc_status`, ost.prealloc ?? (free === 0 || filesFree === 0 ? -28 : away)),
      param(
        `${name}.ost_server_uuid`,
        `${this.fs}-OST${hex(index)}_UUID\t${state}${active === 0 ? '\tDEACTIVATED' : ''}`,
      ),
      param(`${name}.destroys_in_flight`, 0),
      ...this.space(name, kb, free, filesFree, ost.files),
    ].join('');
  }

  private space(name: string, total: number, free: number, filesFree: number, files = 1e9): string[] {
    return [
      param(`${name}.kbytestotal`, total),
      param(`${name}.kbytesfree`, Math.round(total * free)),
      param(`${name}.kbytesavail`, Math.round(total * free)),
      param(`${name}.filestotal`, files),
      param(`${name}.filesfree`, Math.round(files * filesFree)),
    ];
  }

  private oss(host: string): string {
    const lines: string[] = [];
    const devices: string[] = [];
    for (const [index, ost] of this.printed.osts.entries()) {
      if ((ost.oss !== host && ost.alsoOn !== host) || ost.mounted === false) continue;
      const name = `${this.fs}-OST${hex(index)}`;
      devices.push(`${ost.stopping ? 'ST' : 'UP'} obdfilter ${name} ${name}_UUID 419`);
      if (ost.quota !== undefined) lines.push(quotaSlave(name, ost.quota, ost.quotaTypes));
      devices.push(`UP lwp ${this.fs}-MDT0000-lwp-OST${hex(index)} ${this.fs}-MDT0000-lwp-OST_UUID 5`);
      lines.push(param(`obdfilter.${name}.degraded`, ost.degraded ?? 0));
      if (ost.exports !== undefined) lines.push(param(`obdfilter.${name}.num_exports`, ost.exports));
      lines.push(param(`obdfilter.${name}.recovery_status`, ost.recovery ?? complete));
      lines.push(...this.space(`obdfilter.${name}`, kb, ost.free ?? 0.4, ost.filesFree ?? 0.6, ost.files));
    }
    return `${lines.join('')}\n@@faultline devices 0\n${devices.map((one, at) => `${at} ${one}\n`).join('')}`;
  }

  private io(host: string): string {
    return this.printed.osts
      .map(({ oss, mounted, times }, index) =>
        oss !== host || mounted === false || !times
          ? ''
          : param(`osd-ldiskfs.${this.fs}-OST${hex(index)}.brw_stats`, brwStats(times)),
      )
      .join('');
  }

  private client(host: string): string {
    const mark = 'ffff8f3e5b1c7000';
    const lines = this.printed.mdts.flatMap((mdt, index) => {
      const name = `${this.fs}-MDT${hex(index)}`;
      const state = mdt.clients?.[host] ?? mdt.client ?? (mdt.mounted === false ? 'DISCONN' : 'FULL');
      return [
        param(`mdc.${name}-mdc-${mark}.active`, 1),
        param(`mdc.${name}-mdc-${mark}.mds_server_uuid`, `${name}_UUID\t${state}`),
      ];
    });
    for (const [index, ost] of this.printed.osts.entries()) {
      if (ost.lackedBy?.includes(host)) continue;
      const osc = `osc.${this.fs}-OST${hex(index)}-osc-${mark}`;
      const state = ost.clients?.[host] ?? ost.client ?? (ost.mounted === false ? 'DISCONN' : 'FULL');
      lines.push(param(`${osc}.active`, ost.clientActive ?? 1));
      lines.push(param(`${osc}.ost_server_uuid`, `${this.fs}-OST${hex(index)}_UUID\t${state}`));
    }
    if (this.printed.home !== undefined)
      lines.push(
        param(`mdc.home-MDT0000-mdc-${mark}.active`, 1),
        param(`mdc.home-MDT0000-mdc-${mark}.mds_server_uuid`, `home-MDT0000_UUID\t${this.printed.home}`),
        param(`osc.home-OST0000-osc-${mark}.active`, 1),
        param(`osc.home-OST0000-osc-${mark}.ost_server_uuid`, `home-OST0000_UUID\t${this.printed.home}`),
      );
    return lines.join('');
  }

  /** `lfs df -l`, 2.15: what is away or inactive is left out. */
  private df(host: string): string {
    const row = (name: string, total: number, free: number, where: string, flags = ''): string => {
      const avail = Math.round(total * free);
      const used = total - avail;
      return `${name}_UUID ${total} ${used} ${avail} ${Math.ceil((100 * used) / total)}% /${this.fs}[${where}]${flags === '' ? '' : ` ${flags}`}\n`;
    };
    const { mdts, osts } = this.printed;
    return [
      'UUID                   1K-blocks        Used   Available Use% Mounted on\n',
      ...mdts.flatMap(({ client, clients, mounted, free = 0.8, filesFree = 0.7, flags = '' }, at) =>
        mounted === false || (clients?.[host] ?? client ?? 'FULL') !== 'FULL'
          ? []
          : [
              row(
                `${this.fs}-MDT${hex(at)}`,
                mdtKb,
                free,
                `MDT:${at}`,
                `${free === 0 ? 'S' : ''}${filesFree === 0 ? 'I' : ''}${flags}`,
              ),
            ],
      ),
      ...osts.flatMap(({ client = 'FULL', clientActive, mounted, free = 0.4, flags, lackedBy }, at) =>
        mounted === false || clientActive === 0 || client !== 'FULL' || lackedBy?.includes(host)
          ? []
          : [row(`${this.fs}-OST${hex(at)}`, kb, free, `OST:${at}`, flags)],
      ),
    ].join('');
  }
}

/** display_brw_stats of lustre/osd-ldiskfs/osd_lproc.c: from the first row that counts something to the last. */
const brwStats = (times: NonNullable<PrintedOst['times']>): string => {
  const pair = (ms: number): readonly [number, number] => {
    const count = times[ms] ?? 0;
    return typeof count === 'number' ? [0, count] : count;
  };
  const head = `${' '.repeat(26)} read      |     write`;
  const last = Math.max(...Object.keys(times).map(Number));
  const rows: string[] = [];
  for (let at = 0; 2 ** at <= last; at++) {
    const [reads, writes] = pair(2 ** at);
    if (rows.length === 0 && reads + writes === 0) continue;
    const label = at < 10 ? `${2 ** at}` : `${2 ** (at - 10)}K`;
    rows.push(`${label}:\t\t${String(reads).padStart(10)}   1   1   | ${String(writes).padStart(4)}   1   1`);
  }
  return [
    'snapshot_time:         1763605200.123456789 (secs.nsecs)',
    '',
    head,
    'pages per bulk r/w     rpcs  % cum % |  rpcs        % cum %',
    '1:\t\t         4   1   1   |  300   1   1',
    '',
    head,
    'I/O time (1/1000s)     ios   % cum % |  ios         % cum %',
    ...rows,
    '',
    head,
    'disk I/O size          ios   % cum % |  ios         % cum %',
    '4K:\t\t         4   1   1   |  300   1   1',
  ].join('\n');
};

/** 2.15 without modules, as its tools put it (lustre/utils/obd.c, lustre_param.c). */
const noModules =
  "error: get_param: param_path 'version': No such file or directory\nopening /dev/obd failed: No such device\nhint: the kernel modules may not be loaded\nError getting device list: No such device: check dmesg\n";

const notRoot =
  "error: get_param: param_path 'mgc/*/import': No such file or directory\nopening /dev/obd failed: Permission denied\nError getting device list: Permission denied: check dmesg\n";

/** Without what 2.15 keeps in debugfs (0700), and without devices; what lies in sysfs stays. */
const seenWithoutRoot = (text: string): string =>
  text
    .replace(
      /^\S*\.(?:recovery_status|import|ost_server_uuid|mdt_server_uuid)=(?:.*\n)(?:(?!\S*=|\n?@@).*\n)*/gm,
      '',
    )
    .replace(/@@faultline devices 0\n[^]*$/, '@@faultline devices 13\n');
