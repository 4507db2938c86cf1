import type { HostView } from '../../../src/model/site.ts';
import type { Ask, Probe } from '../../../src/model/system.ts';
import { askOf, platformFor, platformOf } from '../platforms/index.ts';
import { chassisSchema } from '../read/chassis-reading.ts';
import { readChassis } from '../read/read-lags.ts';
import { candidateSchema, commitsSchema, readCandidate, readCommits } from '../read/commits.ts';
import type { FabricReaders } from '../platforms/contracts.ts';
import { fabricSchema } from '../platforms/infiniband/fabric.ts';
import { minLinksSchema, readMinLinks } from '../read/min-links.ts';

/** Old supervisors take seconds for each line. */
const deadlineMs = 20_000;

const ask = (
  host: HostView,
  of: 'commits' | 'tryConfigure' | 'minLinks',
  how: { stopOnError?: true } = {},
): Ask => {
  const platform = platformFor(host);
  const lines = platform[of];
  if (!lines) throw new Error(`${host.name}: not asked for ${of}`);
  return askOf(platform, lines, how);
};

/** Which commit a device takes back by itself. */
const commits: Probe = {
  id: 'switch.commits',
  role: 'switch',
  everyMs: 60_000,
  touches: 'nothing',
  deadlineMs,
  when: (host) => platformOf(host.platform)?.commits !== undefined,
  ask: (host) => ask(host, 'commits'),
  read: readCommits,
  schema: commitsSchema,
};

/** Whether somebody has changes open: seen by opening the configuration for a moment, so only before an action. */
const candidate: Probe = {
  id: 'switch.candidate',
  role: 'switch',
  everyMs: 0,
  touches: 'files',
  deadlineMs,
  when: (host) => platformOf(host.platform)?.tryConfigure !== undefined,
  // `exit` after a refusal would log out, and what the device said would be lost with the session.
  ask: (host) => ask(host, 'tryConfigure', { stopOnError: true }),
  read: readCandidate,
  schema: candidateSchema,
};

/** Which LAGs are one with those of a second chassis. Changes with the configuration only. */
const chassis: Probe = {
  id: 'switch.chassis',
  role: 'switch',
  everyMs: 600_000,
  touches: 'nothing',
  deadlineMs,
  when: (host) => platformOf(host.platform)?.chassis !== undefined,
  ask: (host, { last }) => {
    const platform = platformFor(host);
    if (!platform.chassis) throw new Error(`${host.name}: not asked for a second chassis`);
    const known = chassisSchema.safeParse(last?.value).data?.domain;
    return askOf(platform, platform.chassis(known), platform.via === 'cli' ? { headed: true } : {});
  },
  read: (answer, host, { site }) => readChassis(answer, host, site),
  schema: chassisSchema,
};

/** How many members each LAG needs. Changes with the configuration only. */
const minLinks: Probe = {
  id: 'switch.minlinks',
  role: 'switch',
  everyMs: 600_000,
  touches: 'nothing',
  deadlineMs,
  when: (host) => platformOf(host.platform)?.minLinks !== undefined,
  ask: (host) => ask(host, 'minLinks'),
  read: (answer, host, { site }) => readMinLinks(answer, host, site),
  schema: minLinksSchema,
};

/** Every link of an InfiniBand fabric, and where this host and its subnet manager hang in it. */
const fabric: Probe = {
  id: 'switch.fabric',
  role: 'switch',
  everyMs: 120_000,
  touches: 'nothing',
  // A link that waits for its subnet manager is told once it still does.
  keep: 1,
  deadlineMs: 30_000,
  when: (host) => platformOf(host.platform)?.fabric !== undefined,
  ask: (host) => ({ script: fabricOf(host).script, maxBytes: 8_000_000 }),
  read: (answer, host, { site }) => fabricOf(host).links(answer, host, site),
  schema: fabricSchema,
};

const fabricOf = (host: HostView): FabricReaders => {
  const { fabric: readers } = platformFor(host);
  if (!readers) throw new Error(`${host.name}: not of a fabric`);
  return readers;
};

/** What only actions look at: how a device undoes a change, and whether its LAGs are all of it. */
export const actionProbes: readonly Probe[] = [commits, candidate, chassis, minLinks, fabric];
