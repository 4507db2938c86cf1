import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'faultline-demo-';
const OWNER = 'pid';

/** A new private folder for a demo site, 0700; what demos of this user left behind when they were killed is removed. */
export const newFolder = (parent = tmpdir()): string => {
  for (const name of readdirSync(parent)) {
    if (name.startsWith(PREFIX) && isLeftOver(join(parent, name))) {
      rmSync(join(parent, name), { recursive: true, force: true });
    }
  }
  const folder = mkdtempSync(join(parent, PREFIX));
  writeFileSync(join(folder, OWNER), String(process.pid), { mode: 0o600 });
  return folder;
};

/** Whether the folder is this user's and the process that made it has ended. Where either is not known it stays. */
const isLeftOver = (folder: string): boolean => {
  try {
    const found = lstatSync(folder);
    if (!found.isDirectory() || found.uid !== process.getuid?.()) return false;
    const pid = Number(readFileSync(join(folder, OWNER), 'utf8'));
    return pid > 1 && !isAlive(pid);
  } catch {
    return false;
  }
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
};
