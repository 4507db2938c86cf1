import type { Subject } from './subject.ts';

/** What an operator wrote on a subject; a repair says what was changed by hand. Texts are safe. */
export interface Note {
  id: string;
  kind: 'note' | 'repair';
  subject: Subject;
  text: string;
  /** Of a repair: `cleaned`, `reseated`, `optic`, `fibre`, ... */
  part?: string;
  who: string;
  /** UTC ms by the writer's clock. */
  at: number;
}

/** All notes on a site, oldest first. */
export interface Notes {
  listAll(): readonly Note[];
  notesOf(subject: Subject): readonly Note[];
}

/** Somebody knows of a finding and has said why it may wait. */
export interface Acked {
  who: string;
  text: string;
  /** UTC ms. */
  at: number;
  until: number;
}

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
