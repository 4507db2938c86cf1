import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Damage } from './damage-log.ts';

/** Every change to where a log stands that is tried. */
export const placeDamages: readonly Damage[] = [
  {
    name: 'the log open for others to write',
    says: /can be written by others \(mode 666\): chmod 600/,
    change: (file) => chmodSync(file, 0o666),
    mend: (file) => chmodSync(file, 0o600),
  },
  {
    name: 'the folder open for others to write',
    says: /can be written by others \(mode 777\): chmod 700/,
    change: (file) => chmodSync(dirname(file), 0o777),
    mend: (file) => chmodSync(dirname(file), 0o700),
  },
  {
    name: 'a file in place of the folder',
    says: /EEXIST|ENOTDIR|not a folder/,
    change: (file) => {
      renameSync(dirname(file), `${dirname(file)}.away`);
      writeFileSync(dirname(file), '');
    },
    mend: (file) => {
      rmSync(dirname(file));
      renameSync(`${dirname(file)}.away`, dirname(file));
    },
  },
  {
    name: 'the log somebody else’s',
    says: /belongs to user 12345/,
    change: (file) => chownSync(file, 12_345, 12_345),
    needs: 'root',
  },
  {
    name: 'the folder somebody else’s',
    says: /belongs to user 12345 .*chown/,
    change: (file) => chownSync(dirname(file), 12_345, 12_345),
    mend: (file) => chownSync(dirname(file), process.geteuid?.() ?? 0, 0),
    needs: 'root',
  },
  {
    name: 'the file system read-only',
    says: /EROFS|read-only/,
    change: (file) => void execFileSync('mount', ['-o', 'remount,ro', dirname(dirname(file))]),
    mend: (file) => void execFileSync('mount', ['-o', 'remount,rw', dirname(dirname(file))]),
    needs: 'disk',
  },
  {
    name: 'the disk full',
    says: /is full: free some room/,
    change: (file) => {
      const { bavail, bsize } = statfsSync(dirname(file));
      writeFileSync(join(dirname(dirname(file)), 'big'), Buffer.alloc(bavail * bsize - 100 * 1024));
    },
    mend: (file) => rmSync(join(dirname(dirname(file)), 'big')),
    needs: 'disk',
  },
];
