import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newFolder } from '../../src/demo/folder.ts';
import { emptyFolder } from '../helpers/folder.ts';

const parent = emptyFolder('test');

const folderOf = (name: string, pid?: string): string => {
  const folder = join(parent, name);
  mkdirSync(folder);
  if (pid !== undefined) writeFileSync(join(folder, 'pid'), pid);
  return folder;
};

it('a new demo removes what a killed one left behind, and nothing else', () => {
  const gone = String(spawnSync('true').pid);
  const left = folderOf('faultline-demo-left', gone);
  const kept = [
    folderOf('faultline-demo-running', String(process.pid)),
    folderOf('faultline-demo-starting'),
    folderOf('faultline-demo-odd', 'not a number'),
    folderOf('another', gone),
  ];
  const mine = newFolder(parent);
  expect(statSync(mine).mode & 0o777).toBe(0o700);
  expect(existsSync(left)).toBe(false);
  expect(kept.filter((folder) => !existsSync(folder))).toEqual([]);
  newFolder(parent);
  expect(existsSync(mine)).toBe(true);
});
