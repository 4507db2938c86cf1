import { RE2JS } from 're2js';
import * as z from 'zod';
import type { SiteView } from '../model/site.ts';
import { memoPer } from './memo.ts';

/** A share in the site file, like `20%`, which is the example of the error. */
export const shareOf = (example: string) =>
  z
    .string()
    .regex(/^(?:100|\d{1,2}(?:\.\d+)?)\s*%$/, { error: `must be a share of at most 100%, like ${example}` });

/** The same with what holds where nothing is said. */
export const share = (standard: string) => shareOf(standard).default(standard);

/** The same as a number 0..1. */
export const fraction = (text: string): number => Number.parseFloat(text) / 100;

/**
 * A regular expression in the site file, matched against what hosts say. RE2 reads each character once, so that no text can make it go
 * back and forth for ever; for that it knows no lookaround and no back-references.
 */
export const pattern = z
  .string()
  .max(1000, { error: 'a regular expression has at most 1000 characters' })
  .superRefine((source, { addIssue }) => {
    try {
      RE2JS.compile(source);
    } catch (error) {
      const why =
        error instanceof Error ? error.message.replace('error parsing regexp: ', '') : 'not understood';
      addIssue({
        code: 'custom',
        message: `not a regular expression of RE2 (${why}); write one without lookaround and back-references`,
      });
    }
  });

/** The expression, ready for use. */
export const patternOf = (source: string): RE2JS => RE2JS.compile(source);

/**
 * How a system reads its own section of the site file: with the schema's defaults, made ready for use (shares as numbers, patterns)
 * once for each site. Throws when the section is invalid: loading checks it.
 */
export const settingsReader = <S extends z.ZodType, T>(
  system: string,
  schema: S,
  ready: (section: z.output<S>) => T,
): ((site: SiteView) => T) => memoPer((site) => ready(schema.parse(site.settings[system] ?? {})));
