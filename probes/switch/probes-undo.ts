import type { HostView } from '../../src/model/site.ts';
import type { Ask, Probe } from '../../src/model/system.ts';
import { platformOf } from './ask/index.ts';
import { candidateSchema, commitsSchema, readCandidate, readCommits } from './commits.ts';
import { askOf } from './platform.ts';

const ask = (host: HostView, of: 'commits' | 'tryConfigure'): Ask => {
  const platform = platformOf(host.platform);
  const lines = platform?.[of];
  if (!platform || !lines) throw new Error(`${host.name}: not asked for ${of}`);
  return askOf(platform, lines);
};

/** Which commit a device takes back by itself. */
const commits: Probe = {
  id: 'switch.commits',
  role: 'switch',
  everyMs: 60_000,
  touches: 'nothing',
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
  when: (host) => platformOf(host.platform)?.tryConfigure !== undefined,
  ask: (host) => ask(host, 'tryConfigure'),
  read: readCandidate,
  schema: candidateSchema,
};

/** What is asked of devices that undo a change by themselves. */
export const undoProbes: readonly Probe[] = [commits, candidate];
