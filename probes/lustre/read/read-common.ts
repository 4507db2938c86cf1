import { known } from '../../../src/kit/known.ts';
import type { Read } from '../ask/asking.ts';
import { readMgcs } from './read-imports.ts';
import { parseVersion } from './version.ts';

/** `health_check` in one line: up to 2.12 the devices that are not well stand before the verdict. */
const healthOf = (text: string | undefined): string | undefined =>
  text
    ?.split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('; ');

/** What every kind of Lustre host says of itself, and what it did not. */
export const commonOf = ({ params, failed, unloaded }: Pick<Read, 'params' | 'failed' | 'unloaded'>) => ({
  ...known({
    version: parseVersion(params.params['version']),
    health: healthOf(params.params['health_check']),
    unloaded,
  }),
  denied: params.denied ?? [],
  failed: [...failed],
  mgcs: readMgcs(params),
});
