import * as z from 'zod';
import type { Answer } from '../../src/model/answer.ts';
import { CommandFailed } from '../../src/model/errors.ts';
import type { HostView, SiteView } from '../../src/model/site.ts';
import { at, findJson, isRecord, textOf } from './parse-json.ts';
import { withoutBonds } from './platforms/linux-bonding.ts';
import { portOf } from './read-answers.ts';

/** With fewer active members than this a LAG goes down as a whole. A LAG that is not listed was not told. */
export const minLinksSchema = z.object({
  lags: z.array(z.object({ lag: z.string(), min: z.number().int() })),
});
export type MinLinksReading = z.infer<typeof minLinksSchema>;

type Told = ReadonlyMap<string, number>;

/** A line that names a LAG, then perhaps one that says how many it needs; `unset`: what it needs when none does. */
const below =
  (head: RegExp, setting: RegExp, unset?: number) =>
  (text: string): Told => {
    const found = new Map<string, number>();
    let lag: string | undefined;
    for (const line of text.split('\n')) {
      const named = head.exec(line)?.[1];
      if (named !== undefined) {
        lag = /^\d/.test(named) ? `po${named}` : named;
        if (unset !== undefined && !found.has(lag)) found.set(lag, unset);
      }
      const min = setting.exec(line)?.[1];
      if (lag !== undefined && min !== undefined) found.set(lag, Number(min));
    }
    return found;
  };

const shown = below(
  /^Port-channel (\d+) is /i,
  /^\s*Minimum number of links to bring Port-channel up is (\d+)/i,
);
const ftosConfiguration = below(/^interface Port-channel (\d+)/i, /^\s*minimum-links (\d+)/i, 1);

/** Configurations name the number only where it is not one (manuals of EOS, NX-OS, FTOS). */
const readers: Readonly<Record<string, (text: string) => Told>> = {
  arista_eos: below(/^interface (\S+)/i, /^\s+port-channel min-links (\d+)/, 1),
  cisco_nxos: below(/^interface (\S+)/i, /^\s+lacp min-links (\d+)/, 1),
  juniper_junos: below(/^\s*Physical interface: (ae\d+),/, /Minimum links needed: (\d+)/),
  // Older releases do not show it with the interface.
  dell_ftos: (text) => new Map([...ftosConfiguration(text), ...shown(text)]),
  dell_os10: shown,
  cumulus: (text) =>
    new Map(
      [...text.matchAll(/^\/proc\/net\/bonding\/([^:]+):Min links: (\d+)/gm)].map(([, lag = '', min]) => [
        lag,
        Number(min),
      ]),
    ),
  sonic: (text) => {
    // Of a document that was cut off nobody knows what stood behind a LAG's name.
    const found = findJson(text);
    const lags = found?.value;
    return new Map(
      isRecord(lags) && found?.before !== undefined
        ? Object.keys(lags).map((lag) => [lag, Number(textOf(at(lags, lag, 'min_links')) ?? 1)])
        : [],
    );
  },
};

/** Throws when the device refused and told nothing: then it is not known how many members a LAG needs. */
export const readMinLinks = (answer: Answer, host: HostView, site: SiteView): { value: MinLinksReading } => {
  if (host.platform === 'cumulus' && withoutBonds(answer)) return { value: { lags: [] } };
  const { stdout, stderr, exitCode } = answer;
  const told = readers[host.platform]?.(stdout) ?? new Map<string, number>();
  const lags = [...told].flatMap(([name, min]) => {
    const lag = portOf(site, host.name, name);
    return lag === undefined || !Number.isInteger(min) ? [] : [{ lag, min }];
  });
  // FTOS is asked in two ways, of which a release may know one.
  if (lags.length === 0 && exitCode !== 0)
    throw new CommandFailed(
      'refused',
      `least members of the LAGs of ${host.name}: ${stderr.trim().split('\n')[0] || `exit ${exitCode}`}`,
    );
  return { value: { lags } };
};
