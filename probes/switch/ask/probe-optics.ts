import type { HostView } from '../../../src/model/site.ts';
import type { AskContext, Probe } from '../../../src/model/system.ts';
import { cachedRates } from '../judge/rates.ts';
import { farEnd, linkAt } from '../links/link.ts';
import { linksOf } from '../links/links.ts';
import { askOf, platformFor, platformOf } from '../platforms/index.ts';
import { commandFor, headedCommand, readOptics } from '../read/read-optics.ts';
import { isPhysical } from '../read/port-states.ts';
import { opticsSchema } from '../readings.ts';
import { samplesOf, sourceOf, sourcesOf } from './sources.ts';

const everyMs = 120_000;
/** Old supervisors take long to print all ports. */
const deadlineMs = 20_000;

/** Modules asked one by one in one go: each takes an old supervisor a second. */
const most = 12;

/** The ports of a host whose modules are worth asking: those that see or send bad frames now, and the peers of such. */
const suspects = (host: string, { readings, site }: AskContext): readonly string[] => {
  const links = linksOf(readings, site);
  const found = new Set<string>();
  for (const source of sourcesOf(readings, 'counters')) {
    for (const [port, [rates]] of cachedRates(samplesOf(source))) {
      if (!rates || ((rates.rxBad ?? 0) === 0 && (rates.txBad ?? 0) === 0)) continue;
      if (source.host === host) found.add(port);
      const id = `${source.host}:${port}`;
      const link = linkAt(links, id);
      const far = link && farEnd(link, id);
      if (far?.host === host && far.port !== undefined) found.add(far.port);
    }
  }
  return [...found].toSorted().slice(0, most);
};

/** The ports whose modules are asked one by one: those with errors and their peers; undefined: all at once. */
const modulesToAsk = (host: HostView, context: AskContext): readonly string[] | undefined => {
  if (!('port' in (platformFor(host).ask.optics ?? {}))) return undefined;
  const ports = suspects(host.name, context);
  return ports.length === 0 && context.trial ? hostsWithPortUp(host.name, context) : ports;
};

/** One port with a link, to see whether its module may be asked for. */
export const hostsWithPortUp = (host: string, { readings }: AskContext): readonly string[] => {
  const ports = sourceOf(readings, 'counters', host)?.good?.value.ports ?? [];
  return ports.flatMap(({ port, state }) => (state === 'up' && isPhysical(port) ? [port] : [])).slice(0, 1);
};

const optics = (id: string, role: string): Probe => ({
  id,
  role,
  everyMs,
  touches: 'nothing',
  tellsCause: true,
  deadlineMs,
  when: (host, context) =>
    platformOf(host.platform)?.ask.optics !== undefined && modulesToAsk(host, context)?.length !== 0,
  ask: (host, context) => {
    const platform = platformFor(host);
    const how = platform.ask.optics;
    if (how && 'all' in how) return askOf(platform, how.all);
    const commands = (modulesToAsk(host, context) ?? []).flatMap((port) => commandFor(host, port) ?? []);
    const lines = platform.via === 'sh' ? commands.flatMap((one) => [headedCommand(one), one]) : commands;
    return askOf(platform, lines, { headed: true });
  },
  read: (answer, host, context) =>
    readOptics(answer, host, context.site, modulesToAsk(host, context), {
      counters: sourceOf(context.readings, 'counters', host.name)?.good?.value,
      trial: context.trial,
    }),
  schema: opticsSchema,
});

/** Light and temperature of modules, of switches and of hosts' NICs. */
export const opticsProbes: readonly Probe[] = [
  optics('switch.optics', 'switch'),
  optics('switch.nicoptics', 'nic'),
];
