import type { Platform } from '../contracts.ts';
import { ciscoDialect, commonErrors, insideInterface, nameByKind } from '../shared/command-lines.ts';
import { counterTables } from '../shared/counter-tables.ts';
import { ciscoInterfaces } from '../shared/interfaces-text.ts';
import { keyedLldp } from '../shared/lldp-keys.ts';
import { lldpTable } from '../shared/lldp-table.ts';
import { portChannelTable } from '../shared/port-channels.ts';
import { interfacesStatus } from '../shared/status-table.ts';
import { transceiverTables } from '../shared/transceiver-tables.ts';
import { ciscoWords } from '../../read/link-words.ts';
import {
  eosInterfacesJson,
  eosLldpJson,
  eosPortChannelsJson,
  eosPortLines,
  eosTransceiversJson,
} from './json.ts';
import { eosChassis, eosMinLinks, eosStanding } from './lags.ts';
import * as z from 'zod';
import type { CommitsReading } from '../../read/commits.ts';
import { jsonIn } from '../../read/parse-json.ts';

/** `show configuration sessions detail`: newer releases name the waiting session at the top, older in its state. */
const sessionsSchema = z.object({
  sessions: z.record(z.string(), z.object({ state: z.string() })),
  commitTimerSessionName: z.string().optional(),
  saveToStartupConfigOnCommit: z.boolean().default(false),
});

/** The session whose commit waits to be confirmed, and the names that are taken. */
const eosCommits = (stdout: string): CommitsReading | undefined => {
  const read = sessionsSchema.safeParse(jsonIn(stdout)).data;
  if (!read) return undefined;
  const timed = Object.entries(read.sessions).find(([, one]) => one.state.includes('pendingCommitTimer'));
  const waiting = timed?.[0] ?? (read.commitTimerSessionName || undefined);
  return {
    ...(waiting !== undefined && { waiting }),
    sessions: Object.keys(read.sessions),
    saves: read.saveToStartupConfigOnCommit,
  };
};

const lldpDetail = keyedLldp({
  port: /^\s*Interface (\S+) detected (\d+) LLDP neighbors:$/i,
  begins: /^\s*Neighbor \S+.*, age /i,
  ends: /^\s*- IEEE802\./i,
  neighbor: /^System Name$/i,
  portId: /^Port ID$/i,
  portDesc: /^Port Description$/i,
  chassisId: /^Chassis ID$/i,
});

const lldpNeighbors = lldpTable(/^Port\s+Neighbor Device ID/i, {
  local: /^port/,
  neighbor: /^neighbor device id/,
  port: /^neighbor port id/,
});

const enablePrivileged = (lines: readonly string[]): readonly string[] => ['enable', ...lines];

/** Arista EOS: JSON. Every complaint begins with `% `. */
export const aristaEos: Platform = {
  id: 'arista_eos',
  title: 'Arista EOS',
  via: 'cli',
  dialect: {
    ...ciscoDialect('[A-Za-z0-9][A-Za-z0-9._-]*(?:\\([a-zA-Z0-9/:._-]+\\))*[>#]\\s*$'),
    errors: [...commonErrors, '^% '],
  },
  machineReadable: true,
  ask: {
    counters: ['show interfaces | json'],
    lags: ['show port-channel summary'],
    neighbors: ['show lldp neighbors detail | json'],
    optics: { all: ['show interfaces transceiver detail'] },
  },
  minLinks: ['show running-config section Port-Channel'],
  chassis: () => ['show mlag | json', 'show mlag interfaces | json'],
  commits: ['show configuration sessions detail | json'],
  nameOf: nameByKind({ eth: 'Ethernet' }),
  restore: (name) => enablePrivileged(insideInterface('no shutdown', 'configure')(name)),
  readers: {
    counters: [eosInterfacesJson, ciscoInterfaces, counterTables, interfacesStatus],
    lags: [eosPortChannelsJson, portChannelTable],
    neighbors: [eosLldpJson, lldpDetail, lldpNeighbors],
    optics: [eosTransceiversJson, transceiverTables],
  },
  // `show interfaces` and its JSON (EOS manual, interfaceStatus).
  linkWords: { link: { ...ciscoWords, errdisabled: 'down', notpresent: 'down' } },
  portLinesIn: eosPortLines,
  lanesLikePorts: /^(eth\d+(?:\/\d+)?)\/([1-8])$/,
  memberWords: eosStanding,
  minLinksIn: eosMinLinks,
  chassisIn: eosChassis,
  commitsIn: eosCommits,
};
