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
  all(): readonly Note[];
  of(subject: Subject): readonly Note[];
}

/** Somebody knows of a finding and has said why it may wait. */
export interface Acked {
  who: string;
  text: string;
  /** UTC ms. */
  at: number;
  until: number;
}
