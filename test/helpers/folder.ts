import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An empty folder below the run's own temporary folder, with which it goes: no test removes it. */
export const emptyFolder = (name: string): string => mkdtempSync(join(tmpdir(), `${name}-`));
