import { createLustreSimulator } from '../../probes/lustre/simulate/index.ts';
import { createSimulators } from '../../src/registries/simulators.ts';
import { startSite } from '../../src/demo/site.ts';
import type { Simulator } from '../../src/model/simulator.ts';
import { createFabric } from './fabric.ts';

/** A large site in a process of its own, so that the console alone is measured: prints its site file, ends with its input. */
const sites: Readonly<Record<string, () => Simulator[]>> = {
  /** The demo's site with 10,000 nodes and 5,000 ports more. */
  big: () => [createFabric(78, 64), ...createSimulators({ nodes: 10_000 })],
  switches: () => [createFabric(100, 64)],
  lustre: () => [createLustreSimulator({ mdss: 4, osss: 40, perOss: 10 })],
};

const [name = '', incident = 'quiet'] = process.argv.slice(2);
const make = sites[name];
if (!make) throw new Error(`no such site: ${name}`);
const site = await startSite(make(), incident);
process.stdout.write(`${site.siteFile}\n`);
process.stdin.resume().once('end', () => void site.close().finally(() => process.exit(0)));
