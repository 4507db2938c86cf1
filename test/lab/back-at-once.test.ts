import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NodesReading } from '../../probes/slurm/readings.ts';
import { slurm as slurmSystem } from '../../probes/slurm/index.ts';
import { assemble, type Assembled } from '../../src/assemble/assemble.ts';
import type { Reading } from '../../src/model/reading.ts';
import { loadSite } from '../../src/site/load.ts';
import { systems } from '../../src/registries/systems.ts';
import { openLab, type OpenLab } from './open.ts';
import { until } from './processes.ts';
import { freeze, slurm, thaw } from './slurm.ts';
import { signalSshd } from './sshd.ts';

/** The interval of the nodes, ms; a busy machine is granted as much again, and never what one stretched interval would be (50 s). */
const EVERY = 10_000;
const PATIENCE = 2 * EVERY;

/** A console's collector on the lab, kept asking; what changes right after a fault must be seen within the interval of its source. */
describe('after the end of a fault', () => {
  let lab: OpenLab;
  let console: Assembled;
  beforeAll(async () => {
    lab = await openLab();
    const { site } = await loadSite(lab.siteFile, { systems });
    console = await assemble({
      site,
      systems: [slurmSystem],
      log: () => {},
      env: lab.env,
      readOnly: true,
      history: 'memory',
    });
    console.collector.start();
  });
  afterAll(async () => {
    await console.close();
    await lab.close();
  });

  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  const nodes = (): Reading<NodesReading> | undefined => {
    const source = console.collector.store.source<NodesReading>('slurm.nodes', 'ctl1');
    return source?.state === 'fresh' ? source.good : undefined;
  };
  const isDrained = (): boolean | undefined =>
    nodes()
      ?.value.nodes.find(({ name }) => name === 'node4')
      ?.flags.includes('DRAIN');
  const set = (...words: string[]): string =>
    slurm(lab.folder, 'scontrol', 'update', 'nodename=node4', ...words);
  const calm = async (): Promise<void> => {
    await until('nodes read, node4 in service', () => isDrained() === false);
    await until('a ping', () => console.collector.store.source('slurm.ping', 'ctl1')?.state === 'fresh');
  };
  /** What is seen within the interval: first that it is read again, then three changes in a row, each made right after a reading. */
  const isBackAtOnce = async (): Promise<void> => {
    const from = Date.now();
    await until('the nodes are read again', () => (nodes()?.at ?? 0) > from, PATIENCE);
    for (const drained of [true, false, true]) {
      if (drained) set('state=drain', 'reason=back at once');
      else set('state=resume');
      await until(
        `node4 is seen ${drained ? 'drained' : 'in service'}`,
        () => isDrained() === drained,
        PATIENCE,
      );
    }
    set('state=resume');
    await calm();
    for (const slot of console.collector.slots()) expect(slot.paceMs, slot.key).toBe(slot.everyMs);
  };

  it.each([
    ['sshd of ctl1, stopped for 18 s', 18],
    ['sshd of ctl1, stopped for 9 s', 9],
  ])('%s', async (_what, seconds) => {
    await calm();
    signalSshd(lab.folder, 'ctl1', 'SIGSTOP');
    try {
      await pause(seconds * 1000);
    } finally {
      signalSshd(lab.folder, 'ctl1', 'SIGCONT');
    }
    await isBackAtOnce();
  });

  it.each([
    ['slurmctld, stopped for 20 s', 20],
    ['slurmctld, stopped for 45 s', 45],
  ])('%s', async (_what, seconds) => {
    await calm();
    freeze(lab.folder, 'slurmctld');
    try {
      await pause(seconds * 1000);
      // Failed by its own words, or still waiting behind another question: never an old reading that looks new.
      expect(nodes()).toBeUndefined();
    } finally {
      thaw(lab.folder, 'slurmctld');
    }
    await isBackAtOnce();
  });
});
