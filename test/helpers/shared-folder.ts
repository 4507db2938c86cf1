import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const named = process.env['FAULTLINE_SHARED'];
const root = resolve(named ?? join(import.meta.dirname, '../../../shared'));

/**
 * A place in the folder of captures and models that may not be copied into this repository: `FAULTLINE_SHARED`, or `shared` beside the
 * checkout. Undefined only where that folder is absent and nobody named it: what is named or begun and not there is an error.
 */
export const sharedPath = (path: string): string | undefined => {
  if (named === undefined && !existsSync(root)) return undefined;
  const place = join(root, path);
  if (!existsSync(place))
    throw new Error(`${place} is absent${named === undefined ? '' : ': FAULTLINE_SHARED names it'}`);
  return place;
};

/** Of every run of vitest: what is left out is said once. */
export const setup = (): void => {
  if (sharedPath('fixtures') === undefined)
    process.stderr.write(
      `no captures: ${root} is absent and FAULTLINE_SHARED is not set, tests on them are skipped\n`,
    );
};
