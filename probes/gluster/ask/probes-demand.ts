import type { Answer } from '../../../src/model/answer.ts';
import type { Probe } from '../../../src/model/system.ts';
import { findSection, sectionsOf } from '../../../src/kit/sections.ts';
import { role, scriptCommand } from '../settings.ts';
import { readClients, readDumps } from '../read/read-dumps.ts';
import {
  type ClientsReading,
  clientsSchema,
  type DumpsReading,
  dumpsSchema,
  type UnitReading,
  unitSchema,
  type VolumesReading,
} from '../readings.ts';
import { copiesProbe } from './probe-copies.ts';
import clientsScript from './clients.sh';
import dumpsScript from './dumps.sh';
import unitScript from './unit.sh';

const readUnit = (answer: Answer): { value: UnitReading } => {
  const text = (findSection(sectionsOf(answer, 'systemctl show glusterd'), 'unit')?.body ?? '').trim();
  const killMode = /^KillMode=(\S+)/m.exec(text)?.[1];
  return {
    value: {
      ...(killMode !== undefined && { killMode }),
      loaded: /^LoadState=loaded/m.test(text),
      text: text.split('\n')[0] ?? '',
    },
  };
};

/** Before glusterd is restarted: whether its unit would take the bricks with it. */
const unitProbe: Probe<UnitReading> = {
  id: 'gluster.unit',
  role,
  everyMs: 0,
  touches: 'nothing',
  ask: (_host, { site }) => ({ script: scriptCommand(site, unitScript, 'faultline-unit') }),
  read: readUnit,
  schema: unitSchema,
};

/** The newest dump of each brick and of glusterd on a host: what statedumps left there. Nothing is removed. */
const dumpsProbe: Probe<DumpsReading> = {
  id: 'gluster.dumps',
  role,
  everyMs: 0,
  touches: 'nothing',
  deadlineMs: 20_000,
  ask: (_host, { site }) => ({
    script: scriptCommand(site, dumpsScript, 'faultline-dumps'),
    maxBytes: 8_000_000,
  }),
  read: readDumps,
  schema: dumpsSchema,
};

/** Who is connected to the bricks, and where the hosts that their dumps name live: proof that a client is gone. */
const clientsProbe: Probe<ClientsReading> = {
  id: 'gluster.clients',
  role,
  everyMs: 0,
  touches: 'nothing',
  mayHang: true,
  deadlineMs: 20_000,
  ask: (_host, { site, readings }) => {
    const volumes = readings
      .sources<VolumesReading>('gluster.volumes')
      .flatMap(({ good }) => good?.value.volumes ?? []);
    const servers = volumes.flatMap(({ bricks }) => bricks.flatMap(({ host }) => host ?? []));
    const words = [...new Set(servers)].filter((name) => /^[A-Za-z0-9][A-Za-z0-9.:-]*$/.test(name));
    return { script: scriptCommand(site, clientsScript, 'faultline-clients', ...words) };
  },
  read: readClients,
  schema: clientsSchema,
};

/** Asked only when an action or its detail needs them. */
export const demandProbes: readonly Probe[] = [unitProbe, copiesProbe, dumpsProbe, clientsProbe];
