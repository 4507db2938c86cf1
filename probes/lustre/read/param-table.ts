import { known } from '../../../src/kit/known.ts';
import type { Read } from '../ask/asking.ts';
import type { Params } from './parse-params.ts';
import { parseVersion } from './version.ts';

/** Values of one thing (an import, a target): last part of the name to its text. */
export type Values = ReadonlyMap<string, string>;

/**
 * Parameters grouped by thing: those whose name matches `form`, whose groups are the thing's key and the rest of the name.
 * `osp.fs-OST0001-osc-MDT0000.active` with `/^osp\.(.*?)\.(.*)$/` is `fs-OST0001-osc-MDT0000` with `active`.
 */
export const grouped = ({ params }: Params, form: RegExp): Map<string, Map<string, string>> => {
  const things = new Map<string, Map<string, string>>();
  for (const [name, text] of Object.entries(params)) {
    const [, key, rest] = form.exec(name) ?? [];
    if (key === undefined || rest === undefined) continue;
    const thing = things.get(key) ?? new Map<string, string>();
    things.set(key, thing.set(rest, text));
  }
  return things;
};

/** The leading whole number of a value (`17%`, `5 Sec`, `-19`); undefined when it is none or was not printed. */
export const integer = (values: Values, name: string): number | undefined => {
  const match = /^\s*(-?\d+)/.exec(values.get(name) ?? '');
  return match ? Number(match[1]) : undefined;
};

export const flag = (values: Values, name: string): boolean | undefined => {
  const value = integer(values, name);
  return value === undefined ? undefined : value !== 0;
};

/** `health_check` in one line: up to 2.12 the devices that are not well stand before the verdict. */
const healthOf = (text: string | undefined): string | undefined =>
  text
    ?.split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('; ');

/** What every kind of Lustre host says of itself, and what it did not. */
export const commonOf = ({ params, failed }: Pick<Read, 'params' | 'failed'>) => ({
  ...known({
    version: parseVersion(params.params['version']),
    health: healthOf(params.params['health_check']),
  }),
  denied: params.denied ?? [],
  failed: [...failed],
});
