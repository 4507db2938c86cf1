import { realClock } from '../collect/clock.ts';
import { systems } from '../registries/systems.ts';
import { createTransports } from '../transport/pool.ts';
import { examineAll } from './doctor/all.ts';
import { needsMending, reportLines } from './doctor/report.ts';
import { line, type Io, jsonText } from './io.ts';
import { openSite } from './open-site.ts';
import type { DoctorOptions } from './options.ts';

/** `faultline doctor`: 0 all well, 1 something to mend. */
export const run = async (options: DoctorOptions, io: Io): Promise<number> => {
  const { site, warnings, close } = await openSite(options, io);
  const transports = createTransports({ site, clock: realClock, log: () => {}, env: io.env });
  try {
    const reports = await examineAll(site, systems, transports, realClock);
    if (options.json)
      line(
        io.stdout,
        jsonText({ site: site.name, at: new Date(realClock.now()), warnings, hosts: reports }, 1),
      );
    else for (const text of [...warnings, ...reportLines(site.name, reports)]) line(io.stdout, text);
    return reports.some(needsMending) ? 1 : 0;
  } finally {
    await transports.close();
    await close();
  }
};
