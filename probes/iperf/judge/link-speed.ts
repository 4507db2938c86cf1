import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import type { FactsReading } from '../readings.ts';
import { settingsOf } from '../settings.ts';
import { factsOf, type Flow } from './pairs.ts';

const finding = findingsOf('iperf');

/** A speed that no port of a cluster is meant to have: Fast Ethernet and less are a broken pair in the cable. */
const neverMbps = 100;

interface Odd {
  text: string;
  evidence: readonly string[];
}

/** `1 Gbit/s`, `100 Mbit/s`: as ethtool and operators say it. */
const speedText = (mbps: number): string => (mbps >= 1000 ? `${mbps / 1000} Gbit/s` : `${mbps} Mbit/s`);

/**
 * A port that came up slower than it should: than what the site file says, than nearly all hosts though its NIC can more, or than
 * its peer while its own NIC can more. A NIC that can more than its switch is no fault by itself.
 */
export const linkSpeedFindings = (flows: readonly Flow[], judgement: Judgement): FindingDraft[] => {
  const { readings, site } = judgement;
  const all = site.hostsWithRole('iperf').flatMap(({ name }) => {
    const facts = factsOf(readings, name);
    return facts ? [{ name, facts }] : [];
  });
  const usual = usualSpeed(all.map(({ facts }) => facts));
  return all.flatMap(({ name, facts }): FindingDraft[] => {
    const peers = flows
      .filter(({ from, to }) => from === name || to === name)
      .flatMap(({ from, to }) => factsOf(readings, from === name ? to : from)?.speedMbps ?? []);
    const odd = oddSpeed(facts, usual, peers, settingsOf(site).lineBps);
    if (!odd) return [];
    const source = readings.source('iperf.facts', name);
    return [
      finding({
        kind: 'linkSpeed',
        key: name,
        severity: 'warning',
        subject: { kind: 'host', id: name },
        summary: `${name}: ${facts.nic} ${odd.text}`,
        advice:
          'Look at the cable, the transceiver and what the switch port is set to; then let both ends negotiate again.',
        evidence: odd.evidence.map((text) => evidenceFrom(source, text)),
        hurt: { nodes: 1 },
      }),
    ];
  });
};

const oddSpeed = (
  { speedMbps, supportedMbps, duplex }: FactsReading,
  usual: number | undefined,
  peers: readonly number[],
  lineBps: number | undefined,
): Odd | undefined => {
  if (speedMbps === undefined) return undefined;
  const can = supportedMbps === undefined ? [] : [`the NIC itself supports ${speedText(supportedMbps)}`];
  const says = `negotiated ${speedText(speedMbps)}`;
  if (duplex === 'half') return { text: `${says}, half duplex`, evidence: ['ethtool: Duplex: Half', ...can] };
  const line = lineBps === undefined ? undefined : lineBps / 1e6;
  if (line !== undefined && speedMbps < line * 0.9)
    return {
      text: `${says}, a link here has ${speedText(line)}`,
      evidence: ['iperf.lineGbps of the site file', ...can],
    };
  // Bonds and virtual NICs tell no link modes: of those only a speed that no port is meant to have is odd.
  const mayMore = supportedMbps === undefined ? speedMbps <= neverMbps : supportedMbps > speedMbps;
  if (line === undefined && usual !== undefined && speedMbps < usual && mayMore)
    return { text: `${says}, most hosts have ${speedText(usual)}`, evidence: can };
  const peer = Math.max(0, ...peers);
  // As fast as most hosts: the faster peer is a server, and the switch gives its hosts no more.
  if (peer > speedMbps && speedMbps !== usual && (mayMore || speedMbps <= neverMbps))
    return { text: `${says}, its peer has ${speedText(peer)}`, evidence: can };
  return speedMbps <= neverMbps && mayMore && line === undefined
    ? { text: `${says} only`, evidence: can }
    : undefined;
};

/** What three quarters of at least four hosts have; mixed sites have none. */
const usualSpeed = (hosts: readonly FactsReading[]): number | undefined => {
  const speeds = hosts.flatMap(({ speedMbps }) => speedMbps ?? []);
  const [most] = [...Map.groupBy(speeds, (one) => one)].sort((a, b) => b[1].length - a[1].length);
  return speeds.length >= 4 && most && most[1].length >= speeds.length * 0.75 ? most[0] : undefined;
};
