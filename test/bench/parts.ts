import { bigSiteRows, idleRows, startRows } from './console.ts';
import { largeRows } from './large.ts';
import { parseCommandRows, parseRows } from './parse.ts';
import { pollRows } from './poll.ts';
import type { Program } from './program.ts';
import type { Row } from './row.ts';

/** Bars that are measured together. */
export interface Part {
  name: string;
  /** Of a built program. */
  program: (program: Program) => Promise<Row[]>;
  /** Of the modules of this checkout: nothing that another program could be compared in. */
  modules?: () => Promise<Row[]>;
}

export const parts: readonly Part[] = [
  { name: 'start', program: startRows },
  { name: 'idle', program: idleRows },
  { name: 'big site', program: bigSiteRows },
  { name: 'large', program: largeRows },
  { name: 'poll', program: async () => [], modules: pollRows },
  { name: 'parse', program: parseCommandRows, modules: parseRows },
];
