/** What of a link was changed by hand. */
export const repairParts = ['cleaned', 'reseated', 'optic', 'fibre', 'linecard', 'other'] as const;
export type RepairPart = (typeof repairParts)[number];

/** Words for a part, by what they mean. */
const forms: readonly (readonly [RegExp, RepairPart])[] = [
  [/clean/i, 'cleaned'],
  [/reseat/i, 'reseated'],
  [/optic|sfp|transceiver|module/i, 'optic'],
  [/fib(?:re|er)|cable|dac|aoc/i, 'fibre'],
  [/line ?card|blade|switch/i, 'linecard'],
  [/other/i, 'other'],
];

/** The part that a word means, `far optic` or `new SFP`; undefined: none that is known. */
export const repairPart = (word: string): RepairPart | undefined =>
  forms.find(([form]) => form.test(word))?.[1];
