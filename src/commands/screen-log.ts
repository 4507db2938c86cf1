import { createWriteStream } from 'node:fs';
import { makeSafe } from '../text/safe.ts';
import { clock } from '../text/ages.ts';
import type { Io } from './io.ts';

/** The program's own log while a screen is drawn. */
export interface ScreenLog {
  add(line: string): void;
  /** The newest lines, oldest first. */
  lines(): readonly string[];
}

const KEPT = 1000;

/**
 * Kept in memory (`:log` shows it) and, when `$FAULTLINE_LOG` names a file, appended there. Not in the home folder by
 * itself: a hung home must not stop the drawing.
 */
export const createScreenLog = (env: Io['env'], now: () => number): ScreenLog => {
  const kept: string[] = [];
  const name = env['FAULTLINE_LOG'];
  const file = name ? createWriteStream(name, { flags: 'a', mode: 0o600 }) : undefined;
  file?.on('error', (error) => kept.push(`${name} can't be written: ${error.message}`));
  return {
    add: (line) => {
      const text = `${clock(now())} ${makeSafe(line)}`;
      kept.push(text);
      if (kept.length > KEPT) kept.shift();
      file?.write(`${text}\n`);
    },
    lines: () => kept,
  };
};
