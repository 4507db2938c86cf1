import type { Params } from './parse-params.ts';

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
