import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EMPTY_HEAD, encodeHead } from '../../src/audit/audit-head.ts';
import { beginHead, writeHead } from '../../src/remedy/head-file.ts';
import { emptyFolder } from '../helpers/folder.ts';

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('the head of an audit log', () => {
  it('comes first where nothing was begun, for its owner alone, and leaves no draft', async () => {
    const folder = emptyFolder('head');
    await beginHead(join(folder, 'audit.jsonl'));
    expect(readdirSync(folder)).toEqual(['audit.jsonl.head']);
    expect(readFileSync(join(folder, 'audit.jsonl.head'), 'latin1')).toBe(encodeHead(EMPTY_HEAD));
    expect(modeOf(join(folder, 'audit.jsonl.head'))).toBe(0o600);
  });

  it('of two that begin at once one makes it, and the other goes by that', async () => {
    const folder = emptyFolder('head');
    const file = join(folder, 'audit.jsonl');
    await Promise.all([beginHead(file), beginHead(file), beginHead(file)]);
    expect(readdirSync(folder)).toEqual(['audit.jsonl.head']);
  });

  it('is not made anew beside a log that has lost it: that would make the log look begun now', async () => {
    const folder = emptyFolder('head');
    const file = join(folder, 'audit.jsonl');
    writeFileSync(file, 'a line\n');
    await beginHead(file);
    expect(readdirSync(folder)).toEqual(['audit.jsonl']);
  });

  it('is written over in place, whole, be the new one shorter', async () => {
    const file = join(emptyFolder('head'), 'audit.jsonl');
    await writeHead(file, 'a long head that stood here before\n');
    expect(modeOf(`${file}.head`)).toBe(0o600);
    await writeHead(file, 'short\n');
    expect(readFileSync(`${file}.head`, 'latin1')).toBe('short\n');
    await writeHead(file, EMPTY_HEAD);
    expect(readFileSync(`${file}.head`, 'latin1')).toBe(encodeHead(EMPTY_HEAD));
  });
});
