import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptyFolder } from '../helpers/folder.ts';
import { until } from './processes.ts';

const IF = '1.3.6.1.2.1.2.2.1';
const IFX = '1.3.6.1.2.1.31.1.1.1';

/** Objects of the IF-MIB (RFC 2863) that if_mib walks: column and kind. */
const objects: Readonly<Record<string, readonly [oid: string, type: 'gauge' | 'counter']>> = {
  ifAdminStatus: [`${IF}.7`, 'gauge'],
  ifOperStatus: [`${IF}.8`, 'gauge'],
  ifLastChange: [`${IF}.9`, 'gauge'],
  ifInDiscards: [`${IF}.13`, 'counter'],
  ifInErrors: [`${IF}.14`, 'counter'],
  ifOutDiscards: [`${IF}.19`, 'counter'],
  ifOutErrors: [`${IF}.20`, 'counter'],
  ifHCInOctets: [`${IFX}.6`, 'counter'],
  ifHCInUcastPkts: [`${IFX}.7`, 'counter'],
  ifHCInMulticastPkts: [`${IFX}.8`, 'counter'],
  ifHCInBroadcastPkts: [`${IFX}.9`, 'counter'],
  ifHCOutOctets: [`${IFX}.10`, 'counter'],
  ifHCOutUcastPkts: [`${IFX}.11`, 'counter'],
  ifHCOutMulticastPkts: [`${IFX}.12`, 'counter'],
  ifHCOutBroadcastPkts: [`${IFX}.13`, 'counter'],
  ifHighSpeed: [`${IFX}.15`, 'gauge'],
};

const lookUp = (labelname: string, oid: string) => ({
  labels: ['ifIndex'],
  labelname,
  oid,
  type: 'DisplayString',
});

/** What snmp_exporter's generator makes of its if_mib, which Debian may not ship (README.Debian); JSON is YAML. */
const snmpModule = {
  if_mib: {
    walk: [IF, IFX],
    get: ['1.3.6.1.2.1.1.3.0'],
    version: 2,
    auth: { community: 'public' },
    metrics: [
      { name: 'sysUpTime', oid: '1.3.6.1.2.1.1.3', type: 'gauge', help: 'x' },
      ...Object.entries(objects).map(([name, [oid, type]]) => ({
        name,
        oid,
        type,
        help: 'x',
        indexes: [{ labelname: 'ifIndex', type: 'gauge' }],
        lookups: [lookUp('ifName', `${IFX}.1`), lookUp('ifDescr', `${IF}.2`), lookUp('ifAlias', `${IFX}.18`)],
      })),
    ],
  },
};

const scrapes = {
  global: { scrape_interval: '1s' },
  scrape_configs: [
    {
      job_name: 'node',
      static_configs: [{ targets: ['127.0.0.1:9100'] }],
      relabel_configs: [{ target_label: 'instance', replacement: 'node1.example.org:9100' }],
    },
    {
      job_name: 'snmp',
      metrics_path: '/snmp',
      params: { module: ['if_mib'] },
      static_configs: [{ targets: ['127.0.0.1:11161'] }],
      relabel_configs: [
        { source_labels: ['__address__'], target_label: '__param_target' },
        { target_label: 'instance', replacement: 'sw1' },
        { target_label: '__address__', replacement: '127.0.0.1:9116' },
      ],
    },
  ],
};

const site = `site: prometheus-lab
prometheus: { url: "http://127.0.0.1:9090", through: admin1 }
hosts:
  - { names: admin1, roles: [switch-helper], transport: local }
  - { names: node1, roles: [nic], transport: local }
  - { names: sw1, roles: [switch], platform: cumulus, transport: local }
switch: { prometheus: { switches: sw1, nics: node1 } }
intervals: { switch.promcounters: 4s, switch.promnics: 4s }
`;

/** The daemons in a network of their own, with 64 ports, and then one line of sh after the other. */
const begin = (ports: number): string => `
ip link set lo up
# What node_exporter reads there is of the network that it was mounted in.
mount -t sysfs sysfs /sys
# No port says anything by itself while both ways are compared; the first one did before.
echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6 && echo 1 > /proc/sys/net/ipv6/conf/default/disable_ipv6
for n in $(seq 1 2 ${ports}); do ip link add swp$n type veth peer name swp$((n + 1)); done
for n in $(seq 1 ${ports - 2}); do ip link set swp$n up; done
ip addr add 10.0.0.1/24 dev swp1; ping -c 1 -W 1 10.0.0.99 > ping.log; ip addr del 10.0.0.1/24 dev swp1
snmpd -f -Lo -C -c snmpd.conf -p snmpd.pid > snmpd.log 2>&1 & echo $! > snmpd
prometheus-snmp-exporter --config.file=snmp.yml --web.listen-address=127.0.0.1:9116 > snmp.log 2>&1 & echo $! > snmp
prometheus-node-exporter --web.listen-address=127.0.0.1:9100 > node.log 2>&1 & echo $! > node
prometheus --config.file=prometheus.yml --storage.tsdb.path=data --web.listen-address=127.0.0.1:9090 > prometheus.log 2>&1 & echo $! > prometheus
while read -r line; do eval "$line"; done
`;

/** Debian's Prometheus, its exporters and snmpd, in a network of their own on this machine. */
export class PrometheusLab {
  readonly folder = emptyFolder('prometheus-lab');
  readonly siteFile = join(this.folder, 'site.yaml');
  readonly #shell: ChildProcess;

  constructor(ports: number) {
    const write = (name: string, text: string): void => writeFileSync(join(this.folder, name), text);
    write('snmp.yml', JSON.stringify(snmpModule));
    write('prometheus.yml', JSON.stringify(scrapes));
    write('snmpd.conf', 'agentaddress udp:127.0.0.1:11161\nrocommunity public 127.0.0.1\n');
    write('site.yaml', site);
    const flags = ['-n', '-m', '-p', '-f', '--mount-proc', '--kill-child'];
    this.#shell = spawn('unshare', [...flags, 'sh', '-c', begin(ports)], {
      cwd: this.folder,
      stdio: ['pipe', 'ignore', 'inherit'],
    });
  }

  /** A line of sh beside the daemons. */
  do(line: string): void {
    this.#shell.stdin?.write(`${line}\n`);
  }

  /** What a command in this network prints. */
  run(...argv: readonly string[]): Promise<{ stdout: string; stderr: string; exitCode: number }> {
    const [inner = ''] = readFileSync(
      `/proc/${this.#shell.pid}/task/${this.#shell.pid}/children`,
      'utf8',
    ).split(' ');
    return new Promise((resolve) => {
      execFile(
        'nsenter',
        ['-t', inner, '-n', '--', ...argv],
        { timeout: 60_000, maxBuffer: 100_000_000 },
        (error, stdout, stderr) => resolve({ stdout, stderr, exitCode: Number(error?.code ?? 0) }),
      );
    });
  }

  /** What Prometheus says to a query. */
  async query(text: string): Promise<readonly { value: [number, string] }[]> {
    const argv = ['curl', '-s', '-G', '--data-urlencode', `query=${text}`];
    const { stdout } = await this.run(...argv, 'http://127.0.0.1:9090/api/v1/query');
    if (!stdout.startsWith('{')) return [];
    const { data } = JSON.parse(stdout) as { data?: { result: { value: [number, string] }[] } };
    return data?.result ?? [];
  }

  /** Queries that Prometheus answered, by its own count. */
  async countQueries(): Promise<number> {
    const { stdout } = await this.run('curl', '-s', 'http://127.0.0.1:9090/metrics');
    const line = /^prometheus_http_requests_total\{code="200",handler="\/api\/v1\/query"\} (\d+)$/m;
    return Number(line.exec(stdout)?.[1]);
  }

  /** Until both exporters were scraped twice, and snmpd, which looks at its ports every 15 s, has seen these come up. */
  async untilScraped(ports: number): Promise<void> {
    for (let tries = 0; tries < 120; tries++) {
      const counted = await this.query('count_over_time({__name__=~"ifOperStatus|node_network_up"}[1m]) > 2');
      const up = await this.query('ifOperStatus{ifName=~"swp.*"} == 1');
      if (counted.length > 64 && up.length >= ports - 2) return;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    throw new Error('Prometheus did not see all ports within a minute');
  }

  async end(): Promise<void> {
    this.#shell.kill('SIGKILL');
    await until(
      'the end of the daemons',
      () => this.#shell.exitCode !== null || this.#shell.signalCode !== null,
      5000,
    );
  }
}
