import { dropUndefined } from '../../../src/kit/known.ts';
import { NotThisFormat } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';

/** One element of an enclosure: a slot, a power supply, a fan, a sensor. */
export interface SesElement {
  /** In the tool's words: `Power supply`. */
  type: string;
  /** Its place among those of its type, from 0. */
  index: number;
  subenclosure: number;
  /** `OK`, `Critical`, `Noncritical`, `Unrecoverable`, `Not installed`, `Unknown`, ... */
  status?: string;
  predictedFailure?: boolean;
  disabled?: boolean;
  /** What is wrong by its own bits: `AC fail`, `OT warning`. */
  flags?: string[];
  tempC?: number;
}

const heading = /^\s*Element type: (.{1,80}), subenclosure id: (\d{1,3}) \[ti=\d{1,3}\]$/;
const descriptor = /^\s*(?:Overall|Element (\d{1,4})) descriptor:$/;
const standing = /^\s*Predicted failure=([01]), Disabled=([01]), Swap=[01], status: (.{1,40})$/;

/** Bits that say what is wrong; others say what may be done, or what was asked for. */
const BAD =
  /\b((?:DC (?:overvoltage|undervoltage|overcurrent|fail)|AC fail|Overtmp fail|Temperature warn|OT (?:failure|warning)|UT (?:failure|warning)|Warn (?:Over|Under)|Crit (?:Over|Under)|Fail))=1\b/g;

/** Reads `sg_ses --page=es`, with or without `--filter` (sg3_utils 1.46, sg_ses.c). The overall row of a type is no element. */
export const parseSes = ({ stdout }: ParseInput): { elements: SesElement[]; notUnderstood?: number } => {
  if (!/^Enclosure Status diagnostic page:$/m.test(stdout))
    throw new NotThisFormat('no line "Enclosure Status diagnostic page:": not an output of sg_ses --page=es');
  const elements: SesElement[] = [];
  let type: { name: string; subenclosure: number } | undefined;
  let open: SesElement | undefined;
  let lost = 0;
  for (const line of stdout.split('\n')) {
    const [, name, subenclosure] = heading.exec(line) ?? [];
    const place = descriptor.exec(line);
    if (name !== undefined) {
      type = { name, subenclosure: Number(subenclosure) };
      open = undefined;
    } else if (place) {
      open =
        place[1] === undefined || !type
          ? undefined
          : { type: type.name, index: Number(place[1]), subenclosure: type.subenclosure };
      if (open) elements.push(open);
      else if (!type) lost += 1;
    } else if (open) takeLine(open, line);
  }
  return { elements, ...(lost > 0 && { notUnderstood: lost }) };
};

const takeLine = (element: SesElement, line: string): void => {
  const [, predicted, disabled, status] = standing.exec(line) ?? [];
  if (status !== undefined)
    Object.assign(element, { status, predictedFailure: predicted === '1', disabled: disabled === '1' });
  const flags = [...line.matchAll(BAD)].map(([, flag = '']) => flag);
  if (flags.length > 0) element.flags = [...(element.flags ?? []), ...flags];
  const degrees = /^\s*Temperature=(-?\d{1,3}) C$/.exec(line)?.[1];
  Object.assign(element, dropUndefined({ tempC: degrees === undefined ? undefined : Number(degrees) }));
};
