import * as z from 'zod';
import type { SiteView } from '../../src/model/site.ts';
import { dropUndefined } from '../../src/kit/known.ts';
import { settingsReader } from '../../src/kit/settings.ts';

const address = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9.:_-]{0,252}$/, { error: 'an address or host name' });

/** The site file's section `iperf`. */
export const iperfSettings = z.strictObject({
  ports: z
    .string()
    .regex(/^\d{4,5}-\d{4,5}$/, { error: 'a range like 5301-5340' })
    .default('5301-5340')
    .describe("ports that a test's server may take"),
  seconds: z.number().int().min(1).max(300).default(10).describe('seconds of a test when nothing is said'),
  addresses: z
    .record(z.string(), address)
    .default({})
    .meta({
      description: 'where a host is reached for tests, when not by its name: its address on the data network',
      examples: [{ node1: '10.2.0.1' }],
    }),
  lineGbps: z
    .number()
    .positive()
    .optional()
    .meta({
      description:
        'Gbit/s that a link should give, where the speed of the NIC is not the truth (a shaped or shared uplink)',
      examples: [10],
    }),
});

/** The settings of a site, ready for use. Throws when the section is invalid: loading checks it. */
export const settingsOf = settingsReader(
  'iperf',
  iperfSettings,
  ({ ports, seconds, addresses, lineGbps }) => {
    const [from = 5301, to = 5340] = ports.split('-').map(Number);
    const lineBps = lineGbps === undefined ? undefined : lineGbps * 1e9;
    return dropUndefined({ ports: { from, to: Math.max(from, to) }, seconds, addresses, lineBps });
  },
);

/** What a client is told to connect to. */
export const addressOf = (site: SiteView, host: string): string => settingsOf(site).addresses[host] ?? host;
