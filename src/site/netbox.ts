import * as z from 'zod';
import { nameOfPlatform } from './platforms.ts';

/** An object that a device refers to: `{ id, name, slug, ... }`. */
const named = z.object({ name: z.string(), slug: z.string().optional() }).nullish();

/**
 * What is used of a device as `GET /api/dcim/devices/` gives it (NetBox's REST API); `device_role` is the name of `role` before NetBox 3.6.
 * Everything may be null.
 */
const device = z.object({
  name: z.string().nullish(),
  role: named,
  device_role: named,
  platform: named,
  site: named,
  rack: named,
  status: z.object({ value: z.string() }).nullish(),
  primary_ip: z.unknown(),
});

/** One page of the API, `count` is of all pages; several in a list, or the devices themselves. */
const page = z.object({ count: z.number().optional(), results: z.array(device) });
const exported = z.union([page, z.array(z.union([page, device]))]);

/** A device of NetBox that may be asked. */
export interface NetboxDevice {
  name: string;
  role?: string;
  rack?: string;
  site?: string;
  /** A guess by the name of its platform: how it is asked first. */
  platform?: string;
}

export interface NetboxDevices {
  devices: readonly NetboxDevice[];
  /** Of how many there is nothing to ask: without a name, without an address (panels, shelves), or not in service. */
  passive: number;
  /** How many devices are on pages that are not there: NetBox gives 1000 at once where its MAX_PAGE_SIZE is not another. */
  missing: number;
}

const isInService = ({ status }: z.output<typeof device>): boolean =>
  status == null || status.value === 'active' || status.value === 'failed';

/** Devices of an export of NetBox, each name once; undefined where the text is none. */
export const devicesInNetbox = (text: string): NetboxDevices | undefined => {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { data } = exported.safeParse(json);
  if (data === undefined) return undefined;
  const parts = [data].flat();
  const all = parts.flatMap((one) => ('results' in one ? one.results : [one]));
  const counted = Math.max(...parts.map((one) => ('results' in one ? (one.count ?? 0) : 0)));
  const found = new Map<string, NetboxDevice>();
  let passive = 0;
  for (const one of all) {
    const { name, platform, primary_ip: address } = one;
    if (name == null || address === null || !isInService(one)) {
      passive += 1;
      continue;
    }
    const guess = platform == null ? undefined : nameOfPlatform(platform.slug ?? platform.name);
    const role = (one.role ?? one.device_role)?.slug;
    found.set(name, {
      name,
      ...(role !== undefined && { role }),
      ...(one.rack != null && { rack: one.rack.name }),
      ...(one.site != null && { site: one.site.name }),
      ...(guess !== undefined && { platform: guess }),
    });
  }
  return { devices: [...found.values()], passive, missing: Math.max(0, counted - all.length) };
};
