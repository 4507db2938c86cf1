import type { HostView } from '../../../src/model/site.ts';
import type { AskContext, Probe } from '../../../src/model/system.ts';
import { linksOf } from '../links/links.ts';
import { askOf, platformFor, platformOf } from '../platforms/index.ts';
import { headedCommand } from '../read/read-optics.ts';
import { readSettings } from '../read/read-settings.ts';
import { settingsSchema } from '../readings.ts';
import { hostsWithPortUp } from './probe-optics.ts';
import { portIn, sourceOf } from './sources.ts';

/** They change with the configuration, and with a link that comes up: what is older than that is not believed. */
const everyMs = 300_000;
const deadlineMs = 20_000;

/** Ports asked one by one in one go: two processes each. */
const most = 128;

/** The ports of a host that are an end of a link and not down: only there is something to compare. */
const linkedPorts = ({ name }: HostView, { readings, site }: AskContext): readonly string[] => {
  const good = sourceOf(readings, 'counters', name)?.good;
  const ends = linksOf(readings, site).flatMap(({ a, b }) => [a, b]);
  const ports = ends.flatMap(({ host, port }) => (host === name && port !== undefined ? [port] : []));
  const isUp = (port: string): boolean => {
    const state = good && portIn(good, port)?.state;
    return state === undefined || state === 'up';
  };
  return good ? [...new Set(ports)].filter(isUp).toSorted().slice(0, most) : [];
};

const portsToAsk = (host: HostView, context: AskContext): readonly string[] => {
  const ports = linkedPorts(host, context);
  return ports.length === 0 && context.trial ? hostsWithPortUp(host.name, context) : ports;
};

const isOneByOne = (host: HostView): boolean => 'port' in (platformOf(host.platform)?.ask.settings ?? {});

/** How the ports of a host are set, where that does not stand beside their counters. */
const settings = (id: string, role: string): Probe => ({
  id,
  role,
  everyMs,
  touches: 'nothing',
  tellsCause: true,
  deadlineMs,
  when: (host, context) => {
    if (platformOf(host.platform)?.ask.settings === undefined) return false;
    return !isOneByOne(host) || portsToAsk(host, context).length > 0;
  },
  ask: (host, context) => {
    const platform = platformFor(host);
    const how = platform.ask.settings;
    if (how && 'all' in how) return askOf(platform, how.all);
    const commands = portsToAsk(host, context).flatMap((port) => {
      const name = platform.nameOf(port);
      return name === undefined ? [] : (how?.port(name) ?? []);
    });
    return askOf(
      platform,
      commands.flatMap((one) => [headedCommand(one), one]),
    );
  },
  read: (answer, host, context) =>
    readSettings(answer, host, context.site, {
      asked: isOneByOne(host) ? portsToAsk(host, context) : undefined,
      trial: context.trial,
    }),
  schema: settingsSchema,
});

export const settingsProbes: readonly Probe[] = [
  settings('switch.settings', 'switch'),
  settings('switch.nicsettings', 'nic'),
];
