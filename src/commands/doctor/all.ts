import type { Transports } from '../../model/answer.ts';
import type { Clock } from '../../model/ports.ts';
import type { SiteView } from '../../model/site.ts';
import type { System } from '../../model/system.ts';
import { Places } from '../../transport/places.ts';
import type { HostReport } from './check.ts';
import { examine } from './examine.ts';
import { mendConnection } from './mend.ts';
import { needsOf } from './needs.ts';

/** Hosts looked at together; the transports bound their handshakes themselves. */
const AT_ONCE = 64;

/** A host that gave nothing by then is reported so, whatever its transport is doing. */
const PER_HOST_MS = 30_000;

/** Every host of the site, looked at side by side, in the order of the site file. */
export const examineAll = async (
  site: SiteView,
  known: readonly System[],
  transports: Transports,
  clock: Clock,
): Promise<HostReport[]> => {
  const places = new Places(AT_ONCE);
  return Promise.all(
    site.hosts.map(async (host): Promise<HostReport> => {
      const giveBack = await places.take();
      const stop = new AbortController();
      const late = clock.sleep(PER_HOST_MS, stop.signal).then(() => undefined);
      const found = examine(host, needsOf(host, known, site), transports.to(host.name), { site, clock });
      const checks = await Promise.race([found, late]);
      stop.abort();
      giveBack();
      if (checks) return { host: host.name, checks };
      const text = `${host.name} gave no answer for ${PER_HOST_MS / 1000} s`;
      return {
        host: host.name,
        checks: [{ name: 'reach', state: 'fail', text, mend: mendConnection('timeout', host.name, site) }],
      };
    }),
  );
};
