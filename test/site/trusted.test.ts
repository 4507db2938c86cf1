import { chmodSync, chownSync, lchownSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { distrust } from '../../src/site/trusted.ts';
import { emptyFolder } from '../helpers/folder.ts';

const me = 12_345;
const stranger = 23_456;
const asMe = { uid: me, rootsGroup: true };
const isRoot = process.getuid?.() === 0;

let top: string;
let folder: string;
let file: string;
beforeEach(() => {
  top = emptyFolder('trusted');
  folder = join(top, 'conf');
  file = join(folder, 'site.yaml');
  mkdirSync(folder);
  writeFileSync(file, '');
  chmodSync(top, 0o755);
  chmodSync(folder, 0o755);
  chmodSync(file, 0o644);
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

/** Whose a path is, and its mode. */
const set = (path: string, uid: number, mode: number): void => {
  chownSync(path, uid, uid);
  chmodSync(path, mode);
};

describe.runIf(isRoot)('a file that decides what runs here', () => {
  it.each([
    ["root's, in root's folder", 0, 0o644, 0, 0o755],
    ["root's, for a team of administrators", 0, 0o664, 0, 0o775],
    ['mine', me, 0o600, me, 0o700],
    ['mine, in a sticky folder for all', me, 0o644, 0, 0o1777],
    ["mine, in a stranger's group's sticky folder of root", me, 0o644, 0, 0o1775],
  ])('is trusted: %s', async (_, uid, mode, folderUid, folderMode) => {
    set(file, uid, mode);
    set(folder, folderUid, folderMode);
    expect(await distrust(file, asMe)).toBeUndefined();
  });

  it.each([
    ["a stranger's", stranger, 0o644, 0, 0o755, `belongs to user ${stranger}, neither to you nor to root`],
    ["a stranger's in a sticky folder", stranger, 0o644, 0, 0o1777, `belongs to user ${stranger}`],
    ['mine, for my group', me, 0o664, me, 0o755, 'can be written by its group'],
    ['mine, for all', me, 0o646, me, 0o755, 'can be written by everybody'],
    ["root's, for all", 0, 0o666, 0, 0o755, 'can be written by everybody'],
    ["in a stranger's folder", me, 0o600, stranger, 0o755, `its folder`],
    ['in a folder of mine for my group', me, 0o600, me, 0o775, 'can be written by its group'],
    ["in root's folder for all", 0, 0o644, 0, 0o777, 'can be written by everybody'],
  ])('is refused: %s', async (_, uid, mode, folderUid, folderMode, says) => {
    set(file, uid, mode);
    set(folder, folderUid, folderMode);
    expect(await distrust(file, asMe)).toContain(says);
  });

  it('and every folder above it', async () => {
    set(top, 0, 0o777);
    expect(await distrust(file, asMe)).toBe(
      `its folder ${top} can be written by everybody, who could then make this console act elsewhere; chmod o-w ${top}`,
    );
  });

  it('and every link on the way, and where it leads', async () => {
    const link = join(top, 'link');
    symlinkSync('conf', link);
    expect(await distrust(join(link, 'site.yaml'), asMe)).toBeUndefined();
    lchownSync(link, stranger, stranger);
    expect(await distrust(join(link, 'site.yaml'), asMe)).toContain(`belongs to user ${stranger}`);
    lchownSync(link, me, me);
    chmodSync(folder, 0o777);
    expect(await distrust(join(link, 'site.yaml'), asMe)).toContain(
      `its folder ${folder} can be written by everybody`,
    );
  });

  it('links in a ring end', async () => {
    symlinkSync('b', join(top, 'a'));
    symlinkSync('a', join(top, 'b'));
    expect(await distrust(join(top, 'a'), asMe)).toContain('leads to too many others');
  });

  it("the group of root's may write only where that is meant", async () => {
    set(file, 0, 0o664);
    expect(await distrust(file, { uid: me, rootsGroup: false })).toContain('can be written by its group');
  });
});
