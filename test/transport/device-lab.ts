import { afterAll, beforeAll } from 'vitest';
import type { DeviceRequest } from '../../src/model/answer.ts';
import type { SiteTransports } from '../../src/transport/pool.ts';
import { Device, ftos, table, type Play } from './device.ts';
import { Lab } from './sshd.ts';

/** A device of Dell that answers two questions and takes a port down and up. */
export const quiet: Play = {
  prompt: (mode) => (mode === '' ? 'core3#' : `core3(${mode})#`),
  answer: (line, device) => {
    if (line === 'show interfaces') return table(60);
    if (line === 'show version') return 'OS 9.14\n';
    if (line === 'configure') device.mode = 'conf';
    else if (line === 'interface tengigabitethernet 3/46') device.mode = 'conf-if-te-3/46';
    else if (line === 'end') device.mode = '';
    else if (!['shutdown', 'no shutdown'].includes(line)) return undefined;
    return '';
  },
  pagerOff: 'terminal length 0',
};

export const show: DeviceRequest = { lines: ['show interfaces'], dialect: ftos, deadlineMs: 20_000 };

/** A lab for the tests of one file: `start` begins a device, `ask` types lines on it. `lab` is there once tests run. */
export const deviceLab = () => {
  let lab: Lab;
  /** By the device, which each test has of its own. */
  const pools = new Map<string, SiteTransports>();
  beforeAll(() => {
    lab = new Lab();
  });
  afterAll(async () => {
    await Promise.all([...pools.values()].map((pool) => pool.close()));
    await lab.end();
  });

  const start = async (name: string, play: Partial<Play> = {}): Promise<Device> =>
    Device.start(lab, name, { ...quiet, ...play });
  const ask = (name: string, request: Partial<DeviceRequest> = {}, over = {}) => {
    const pool = pools.get(name) ?? lab.transports(over);
    pools.set(name, pool);
    return pool.transportTo(name).type?.({ ...show, ...request }) ?? Promise.reject(new Error('no type'));
  };
  return { lab: (): Lab => lab, pools, start, ask };
};
