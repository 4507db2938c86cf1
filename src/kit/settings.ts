import * as z from 'zod';
import type { SiteView } from '../model/site.ts';
import { oncePer } from './memo.ts';

/** A share in the site file, like `20%`. `standard`: where nothing is said, and the example of the error. */
export const share = (standard: string) =>
  z
    .string()
    .regex(/^(?:100|\d{1,2}(?:\.\d+)?)\s*%$/, { error: `must be a share of at most 100%, like ${standard}` })
    .default(standard);

/** The same as a number 0..1. */
export const fraction = (text: string): number => Number.parseFloat(text) / 100;

/**
 * How a system reads its own section of the site file: with the schema's defaults, made ready for use (shares as numbers, patterns)
 * once for each site. Throws when the section is invalid: loading checks it.
 */
export const settingsReader = <S extends z.ZodType, T>(
  system: string,
  schema: S,
  ready: (section: z.output<S>) => T,
): ((site: SiteView) => T) => oncePer((site) => ready(schema.parse(site.settings[system] ?? {})));
