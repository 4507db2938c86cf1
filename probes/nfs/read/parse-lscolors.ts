import { NotThisFormat } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';

/** What `ls --color` asks of each entry with these colours, where readdir gives the type. */
export interface LsColors {
  set: boolean;
  statPerFile: boolean;
  statPerDirectory: boolean;
  /** `default`: ca is not set; coreutils up to 9.0 built with libcap ask then, later ones do not. */
  capabilityPerFile: 'yes' | 'no' | 'default';
  /** Those of ex, su, sg, ca, ow, st and tw that have a value. */
  keys: Readonly<Record<string, string>>;
}

const names = ['ca', 'ex', 'ow', 'sg', 'st', 'su', 'tw'];

/** Not empty, `0` or `00` (coreutils ls.c, is_colored). */
const isColoured = (value: string): boolean => !/^0{0,2}$/.test(value);

/** The value: bare, or between the quotes that `dircolors` prints for sh and csh. */
const valueIn = (stdout: string): string => {
  const text = stdout.trim();
  const begins = /^(?:export |setenv )?LS_COLORS[= ](['"]?)/.exec(text);
  if (!begins) return text;
  const [{ length }, quote = ''] = begins;
  const end = quote === '' ? text.search(/[\s;]/) : text.indexOf(quote, length);
  return text.slice(length, end < length ? undefined : end);
};

/** Reads LS_COLORS. The last setting of a key wins. An empty output: not set, so the defaults of ls hold. */
export const parseLscolors = ({ stdout }: ParseInput): LsColors => {
  const value = valueIn(stdout);
  const entries = value.split(':').filter((entry) => entry !== '');
  if (
    entries.some((entry) => !entry.includes('=')) &&
    !entries.some((entry) => /^(?:[a-z]{2}|\*[^=]*)=/.test(entry))
  )
    throw new NotThisFormat('no key=colour of LS_COLORS');
  const settings = new Map(
    entries.map(
      (entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)] as const,
    ),
  );
  const anyColoured = (keys: readonly string[]): boolean =>
    keys.some((key) => isColoured(settings.get(key) ?? '01'));
  const capability = settings.get('ca');
  return {
    set: value !== '',
    statPerFile: anyColoured(['ex', 'su', 'sg']) || (capability !== undefined && isColoured(capability)),
    statPerDirectory: anyColoured(['ow', 'st', 'tw']),
    capabilityPerFile: capability === undefined ? 'default' : isColoured(capability) ? 'yes' : 'no',
    keys: Object.fromEntries(
      names.flatMap((name) => {
        const set = settings.get(name);
        return set === undefined || set === '' ? [] : [[name, set] as const];
      }),
    ),
  };
};
