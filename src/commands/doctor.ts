import { realClock } from '../collect/clock.ts';
import { systemsOn } from '../collect/on-site.ts';
import { systems } from '../registries/systems.ts';
import { waitUnlessAborted } from '../transport/deadline.ts';
import { createFleet } from '../transport/clush/fleet.ts';
import { createTransports } from '../transport/pool.ts';
import { isMendable, reportLines, type Check, type HostReport } from './doctor/report.ts';
import { fold } from '../text/nodeset.ts';
import { line, jsonText, type Io } from './io.ts';
import { openSite } from './open-site.ts';
import type { DoctorOptions } from './options.ts';
import type { Fleet, Transports } from '../model/answer.ts';
import type { Clock } from '../model/ports.ts';
import type { SiteView } from '../model/site.ts';
import type { System } from '../model/system.ts';
import { Places } from '../transport/places.ts';
import { clushChecks } from './doctor/clush-check.ts';
import { examine } from './doctor/examine.ts';
import { mendConnection } from './doctor/mend.ts';
import { needsOf } from './doctor/needs.ts';
import { readingsChecks } from './doctor/readings-checks.ts';

/** `only`: the hosts that may be asked, where these are not all of the site. */
interface Bounds {
  only?: ReadonlySet<string> | undefined;
  signal?: AbortSignal;
}

/** `faultline doctor`: 0 all well, 1 something to mend. Throws when the signal fires. */
export const run = async (options: DoctorOptions, io: Io, { only, signal }: Bounds = {}): Promise<number> => {
  const { site, warnings, close } = await openSite(options, io);
  const transports = createTransports({ site, clock: realClock, log: () => {}, env: io.env });
  try {
    const mayAsk = ({ name }: { name: string }): boolean => only?.has(name) ?? true;
    const others = site.hosts.filter((host) => !mayAsk(host));
    const reports = await waitUnlessAborted(
      signal,
      examineAll(
        { ...site, hosts: site.hosts.filter(mayAsk) },
        systemsOn(systems, site),
        transports,
        realClock,
        createFleet(site, { transports, clock: realClock, log: () => {} }),
      ),
    );
    if (reports === undefined) throw signal?.reason;
    if (options.json)
      line(
        io.stdout,
        jsonText({ site: site.name, at: new Date(realClock.now()), warnings, hosts: reports }, 1),
      );
    else for (const text of [...warnings, ...reportLines(site.name, reports)]) line(io.stdout, text);
    if (others.length > 0)
      line(io.stderr, `not looked at, as there was no yes: ${fold(others.map(({ name }) => name))}`);
    return reports.some(isMendable) ? 1 : 0;
  } finally {
    await transports.close();
    await close();
  }
};

/** Hosts looked at together; the transports bound their handshakes themselves. */
const AT_ONCE = 64;

/** A host that gave nothing by then is reported so, whatever its transport is doing. */
const PER_HOST_MS = 30_000;

/** Where one of these fails, nothing else can be asked. */
const BEFORE: ReadonlySet<Check['name']> = new Set(['reach', 'host key', 'login', 'shell']);

/** Whether it can be asked for more: it answers, and something is asked there. */
const canBeAsked = (checks: readonly Check[]): boolean =>
  checks.some(({ name, state }) => name === 'reach' && state === 'ok') &&
  checks.every(({ name, state }) => state !== 'fail' || !BEFORE.has(name));

/** Every host of the site, looked at side by side, in the order of the site file. */
export const examineAll = async (
  site: SiteView,
  known: readonly System[],
  transports: Transports,
  clock: Clock,
  fleet?: Fleet,
): Promise<HostReport[]> => {
  const places = new Places(AT_ONCE);
  return Promise.all(
    site.hosts.map(async (host): Promise<HostReport> => {
      const giveBack = await places.take();
      const stop = new AbortController();
      const late = clock.sleep(PER_HOST_MS, stop.signal).then(() => undefined);
      const needs = needsOf(host, known, site);
      const transport = transports.transportTo(host.name);
      const found = examine(host, needs, transport, { site, clock });
      const checks = await Promise.race([found, late]);
      stop.abort();
      const readings =
        checks && canBeAsked(checks)
          ? await readingsChecks(host, needs.probes, transport, { site, clock })
          : [];
      const fleets = checks && canBeAsked(checks) ? await clushChecks(host, fleet, { site, clock }) : [];
      giveBack();
      if (checks) return { host: host.name, checks: [...checks, ...readings, ...fleets] };
      const text = `${host.name} gave no answer for ${PER_HOST_MS / 1000} s`;
      return {
        host: host.name,
        checks: [{ name: 'reach', state: 'fail', text, mend: mendConnection('timeout', host.name, site) }],
      };
    }),
  );
};
