import * as z from 'zod';
import { realClock } from '../../src/collect/clock.ts';
import type { RunRequest, Transports } from '../../src/model/answer.ts';
import { loadSite } from '../../src/site/load.ts';
import { createTransports } from '../../src/transport/pool.ts';

/** Polls all hosts of a site file through the program's own transports: connecting, then with connections standing. */
const ROUNDS = 10;

const [siteFile = ''] = process.argv.slice(2);
const bench = { id: 'bench', roles: ['compute'], settings: z.strictObject({}), probes: [] };
const { site } = await loadSite(siteFile, { systems: [bench] });
const transports = createTransports({ site, clock: realClock, log: () => {}, env: process.env });
const names = site.hosts.map(({ name }) => name);
const request: RunRequest = { script: 'uname -n', deadlineMs: 8000 };

const round = async (ways: Transports): Promise<{ wallMs: number; cpuMs: number; failed: number }> => {
  const cpu = process.cpuUsage();
  const began = performance.now();
  const answers = await Promise.all(names.map((name) => ways.transportTo(name).run(request)));
  const wallMs = performance.now() - began;
  const used = process.cpuUsage(cpu);
  const failed = answers.filter(({ exitCode }) => exitCode !== 0).length;
  return { wallMs, cpuMs: (used.user + used.system) / 1000, failed };
};

const cold = await round(transports);
const warm = [];
for (let count = 0; count < ROUNDS; count++) warm.push(await round(transports));
await transports.close();
process.stdout.write(JSON.stringify({ hosts: names.length, cold, warm }));
process.exit(0);
