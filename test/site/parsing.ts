import { SiteError } from '../../src/site/problem.ts';
import { parseSite } from '../../src/site/parse.ts';
import { knowledge } from './knowledge.ts';

export const parse = (text: string) => parseSite(text, 'site.yaml', knowledge);

/** The lines of the SiteError that a text gives. */
export const faults = (text: string): readonly string[] => {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof SiteError) return error.lines;
    throw error;
  }
  return [];
};

/** A site file with one more line, or more. */
export const withLines = (...lines: string[]): string =>
  ['site: test', 'hosts:', '  - {names: ctl1, roles: [slurm-controller]}', ...lines].join('\n');

export const withFlood = (probe: string, between = '"02:00-05:00"', every = '6h'): string =>
  withLines(
    '  - {names: "g[1-2]", roles: [gluster]}',
    `traffic: [{probe: ${probe}, between: ${between}, every: ${every}}]`,
  );

/** The example of the design, whole. */
export const sherlock = `site: sherlock
shared: {host: admin1, dir: /var/lib/faultline}
hosts:
  - {names: ctl1, roles: [slurm-controller]}
  - {names: "node[1-200]", roles: [compute], location: {rack: "r[1-10]", breaker: b7}}
  - {names: "core[1-4]", roles: [switch], platform: dell_ftos, legacy: true, undoHost: admin1}
  - {names: "gl[1-3]", roles: [gluster]}
  - {names: "mds[1-2]", roles: [lustre-mds]}
  - {names: "oss[1-4]", roles: [lustre-oss]}
  - {names: login1, roles: [lustre-client, iperf, ping-client]}
slurm: {check: {command: [/usr/sbin/nhc], env: {MARK_OFFLINE: "0"}}, limits: {partitionOut: 30%}}
links: [{from: "core3:te3/46", to: "nfs-sw1:te1/12"}]        # only what LLDP does not show
windows: [{from: 2026-12-01T08:00Z, to: 2026-12-01T16:00Z, subjects: ["rack:r7"], text: power work}]
runbooks: [{finding: "slurm:drained-group:*", url: "https://wiki.example.org/drain", contact: hpc-oncall}]
`;
