import { isHostAsked } from '../../collect/on-site.ts';
import { readingsOf } from '../../collect/parse-job.ts';
import type { HostView, SiteView } from '../../model/site.ts';
import type { Dialect } from '../../model/answer.ts';
import type { Ask, Probe, System } from '../../model/system.ts';

/** What doctor looks for on one host: the needs of all its roles together. */
export interface Needs {
  commands: readonly string[];
  versions: readonly (readonly string[])[];
  root: boolean;
  /** The site's shared folder, when this host holds it. */
  folder?: string;
  /** What a device without a shell is asked, typed on its own command line. */
  device?: { line: string; dialect: Dialect };
  /** What is read of the host regularly, without touching anything there. */
  probes: readonly Probe[];
}

/** Every command that a probe sends is bounded by `timeout` (coreutils). */
const ALWAYS = ['timeout'];

/** What a host is asked regularly; nothing where its platform is asked nothing to begin with. */
const probesOf = (host: HostView, systems: readonly System[], site: SiteView): readonly Probe[] => {
  const probes = systems
    .flatMap((system) => system.probes)
    .filter((probe) => isHostAsked(probe, host) && probe.touches === 'nothing' && probe.everyMs > 0);
  return probes.some((probe) => isAsked(probe, host, site)) ? probes : [];
};

const isAsked = (probe: Probe, host: HostView, site: SiteView): boolean => {
  try {
    if (probe.when?.(host, { site, readings: readingsOf([]), now: 0 }) === false) return false;
  } catch {
    // What throws there is asked for all the same (src/collect/prepare-ask.ts).
  }
  return askOf(probe, host, site) !== undefined;
};

/** The first line that a probe which touches nothing would type on this device. */
const deviceOf = (host: HostView, systems: readonly System[], site: SiteView): Pick<Needs, 'device'> => {
  if (host.platform === 'linux') return {};
  for (const probe of systems.flatMap(({ probes }) => probes)) {
    if (!isHostAsked(probe, host) || probe.touches !== 'nothing') continue;
    const ask = askOf(probe, host, site);
    const line = ask && 'lines' in ask ? ask.lines[0] : undefined;
    if (ask && 'lines' in ask && line !== undefined) return { device: { line, dialect: ask.dialect } };
  }
  return {};
};

/** A probe that has nothing to ask before others have been read throws or asks nothing: then the next one is looked at. */
const askOf = (probe: Probe, host: HostView, site: SiteView): Ask | undefined => {
  try {
    return probe.ask(host, { site, readings: readingsOf([]), now: 0 });
  } catch {
    return undefined;
  }
};

/** The needs of a host: from its roles, as the systems declare them. */
export const needsOf = (host: HostView, systems: readonly System[], site: SiteView): Needs => {
  const needs = systems.flatMap(({ tools = {} }) =>
    host.roles.flatMap((role) => (Object.hasOwn(tools, role) ? (tools[role] ?? []) : [])),
  );
  const versions = needs.flatMap(({ version }) => (version ? [version] : []));
  return {
    commands: [...new Set([...ALWAYS, ...needs.flatMap(({ commands }) => commands)])],
    versions: [...new Map(versions.map((argv) => [argv.join('\0'), argv])).values()],
    root: needs.some(({ root }) => root === true),
    ...deviceOf(host, systems, site),
    probes: probesOf(host, systems, site),
    ...(site.shared?.host === host.name ? { folder: site.shared.dir } : {}),
  };
};
