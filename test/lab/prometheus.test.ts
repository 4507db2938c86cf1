import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { switches } from '../../probes/switch/index.ts';
import { collectedSchema } from '../../probes/switch/prometheus/read.ts';
import { readCounters } from '../../probes/switch/read/read-answers.ts';
import type { Port } from '../../probes/switch/readings.ts';
import { systems } from '../../src/registries/systems.ts';
import { loadSite } from '../../src/site/load.ts';
import type { SiteView } from '../../src/model/site.ts';
import { answerOf } from '../helpers/answer.ts';
import { Sources } from '../helpers/judging.ts';
import { programArgs } from '../helpers/source.ts';
import { missingPrograms } from './packages.ts';
import { PrometheusLab } from './prometheus-daemons.ts';

const isPossible =
  process.getuid?.() === 0 &&
  missingPrograms({
    '/usr/bin/prometheus': 'prometheus',
    '/usr/bin/prometheus-node-exporter': 'prometheus-node-exporter',
    '/usr/bin/prometheus-snmp-exporter': 'prometheus-snmp-exporter',
    '/usr/sbin/snmpd': 'snmpd',
    '/usr/bin/curl': 'curl',
    '/usr/bin/unshare': 'util-linux',
    '/usr/sbin/ip': 'iproute2',
  }).length === 0;

const PORTS = 64;

interface ReadingLine {
  probe: string;
  host: string;
  state: string;
  ageMs?: number;
  sampledBy?: string;
  error?: { message: string };
}

/** What is told of the counters of sw1 and node1 by a whole run of the program. */
const statusOf = async (lab: PrometheusLab): Promise<(probe: string) => ReadingLine | undefined> => {
  const argv = [...programArgs(), 'status', '--site', lab.siteFile, '--system', 'switch', '--json'];
  const { stdout } = await lab.run(process.execPath, ...argv);
  const { readings } = JSON.parse(stdout) as { readings: readonly ReadingLine[] };
  return (probe) => readings.find((one) => one.probe === probe);
};

/** The probe's own question, asked and read as the program does. */
const collect = async (lab: PrometheusLab, site: SiteView) => {
  const probe = switches.onSite?.(site).probes.find(({ id }) => id === 'switch.prometheus');
  const host = site.host('admin1');
  if (!probe || !host) throw new Error('no probe');
  const context = { site, readings: new Sources(), now: 0 };
  const ask = probe.ask(host, context);
  const said = await lab.run('sh', '-c', `{ ${'script' in ask ? ask.script : ''}\n} | gzip -dc`);
  const answer = answerOf(said.stdout, { ...said, stdoutBytes: said.stdout.length });
  return collectedSchema.parse(probe.read(answer, host, context).value).given;
};

const wordsOf = ({ port, state, counts }: Port) => ({
  port,
  state,
  bytes: counts['rxBytes'],
  sent: counts['txPackets'],
  errors: counts['rxErrors'],
});

describe.skipIf(!isPossible)('a real Prometheus with node_exporter, snmp_exporter and snmpd', () => {
  let lab: PrometheusLab;
  let site: SiteView;
  beforeAll(async () => {
    lab = new PrometheusLab(PORTS);
    site = (await loadSite(lab.siteFile, { systems })).site;
    await lab.untilScraped(PORTS);
  }, 90_000);
  afterAll(async () => lab.end());

  it('gives in one query what the machine itself says of every port', { timeout: 60_000 }, async () => {
    const before = await lab.countQueries();
    const given = await collect(lab, site);
    expect(await lab.countQueries()).toBe(before + 1);
    const own = site.host('node1');
    if (!own) throw new Error('no node1');
    const link = await lab.run('ip', '-s', '-s', '-j', 'link', 'show');
    const direct = readCounters(answerOf(link.stdout), own, site).value.ports.map(wordsOf);
    expect(direct).toHaveLength(PORTS);
    for (const host of ['sw1', 'node1']) {
      const samples = given.find((one) => one.host === host)?.samples ?? [];
      expect(samples).toHaveLength(2);
      const ports = samples.at(-1)?.value.ports ?? [];
      expect(samples.at(-1)?.notUnderstood).toBe(0);
      const byName = new Map(ports.map((one) => [one.port, wordsOf(one)]));
      // IF-MIB has one word for a port without light, whoever took it away; node_exporter 1.5 tells no setting.
      const seen = direct.map((one) => ({ ...one, state: one.state === 'up' ? 'up' : 'not up' }));
      const told = direct
        .map(({ port }) => byName.get(port))
        .map((one) => one && { ...one, state: one.state === 'up' ? 'up' : 'not up' });
      expect(told, host).toEqual(seen);
    }
    expect(direct.find(({ port }) => port === 'swp2')?.bytes).toBeGreaterThan(0n);
    const shut = given
      .find(({ host }) => host === 'sw1')
      ?.samples?.at(-1)
      ?.value.ports.find(({ port }) => port === 'swp64');
    expect(shut?.state).toBe('shut');
  });

  it('is what `status` says, with its source and the age of the sample', { timeout: 60_000 }, async () => {
    const reading = await statusOf(lab);
    for (const probe of ['switch.promcounters', 'switch.promnics']) {
      expect(reading(probe), probe).toMatchObject({ state: 'fresh', sampledBy: 'Prometheus' });
      expect(reading(probe)?.ageMs).toBeLessThan(8000);
    }
    expect(reading('switch.counters')).toBeUndefined();
  });

  it('an exporter that stopped, and a Prometheus that is gone, are told', { timeout: 90_000 }, async () => {
    lab.do('kill $(cat node)');
    await new Promise((resolve) => setTimeout(resolve, 10_000));
    const stopped = await statusOf(lab);
    expect(stopped('switch.promcounters')).toMatchObject({ state: 'fresh' });
    expect(stopped('switch.promnics')).toMatchObject({ state: 'failed' });
    expect(stopped('switch.promnics')?.error?.message).toMatch(/^node1: .*Prometheus has/);
    lab.do('kill -9 $(cat prometheus)');
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const gone = await statusOf(lab);
    expect(gone('switch.prometheus')?.error?.message).toMatch(
      /^admin1: Prometheus at http:\/\/127\.0\.0\.1:9090: .*; is it running, and is that its port\?/,
    );
    expect(gone('switch.promcounters')?.error?.message).toMatch(
      /^sw1: switch\.prometheus through admin1: Prometheus at/,
    );
  });
});
