import type { Platform } from '../contracts.ts';
import { counterTables } from '../shared/counter-tables.ts';
import { ciscoInterfaces } from '../shared/interfaces-text.ts';
import { keyedLldp } from '../shared/lldp-keys.ts';
import { lldpTable } from '../shared/lldp-table.ts';
import { portChannelTable } from '../shared/port-channels.ts';
import { interfacesStatus } from '../shared/status-table.ts';
import { transceiverTables } from '../shared/transceiver-tables.ts';
import { ciscoWords } from '../shared/words.ts';
import { eosAsk } from './ask.ts';
import { eosCommits } from './commits.ts';
import {
  eosInterfacesJson,
  eosLldpJson,
  eosPortChannelsJson,
  eosPortLines,
  eosTransceiversJson,
} from './json.ts';
import { eosChassis, eosMinLinks, eosStanding } from './lags.ts';

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

export const aristaEos: Platform = {
  ...eosAsk,
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
