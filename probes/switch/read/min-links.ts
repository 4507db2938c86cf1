import * as z from 'zod';
import type { Answer } from '../../../src/model/answer.ts';
import { CommandFailed } from '../../../src/model/errors.ts';
import type { HostView, SiteView } from '../../../src/model/site.ts';
import { platformOf } from '../platforms/index.ts';
import { portOf } from './port-states.ts';

/** With fewer active members than this a LAG goes down as a whole. A LAG that is not listed was not told. */
export const minLinksSchema = z.object({
  lags: z.array(z.object({ lag: z.string(), min: z.number().int() })),
});
export type MinLinksReading = z.infer<typeof minLinksSchema>;

/** Throws when the device refused and told nothing: then it is not known how many members a LAG needs. */
export const readMinLinks = (answer: Answer, host: HostView, site: SiteView): { value: MinLinksReading } => {
  const platform = platformOf(host.platform);
  if (platform?.hasNoLags?.(answer)) return { value: { lags: [] } };
  const { stdout, stderr, exitCode } = answer;
  const minima = platform?.minLinksIn?.(stdout) ?? [];
  const lags = [...minima].flatMap(([name, min]) => {
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
