import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { type Damage, text, head, HEAD_GONE, GONE } from './damage-log.ts';

/** Changes to the log and its head as files. */
export const fileDamages: readonly Damage[] = [
  { name: 'emptied', says: GONE, change: (file) => truncateSync(file) },
  {
    name: 'emptied with its head',
    says: GONE,
    change: (file) => {
      truncateSync(file);
      truncateSync(head(file));
    },
  },
  { name: 'deleted', says: GONE, change: (file) => rmSync(file) },
  {
    name: 'deleted, its head emptied',
    says: GONE,
    change: (file) => {
      rmSync(file);
      truncateSync(head(file));
    },
  },
  {
    name: 'deleted with its head',
    says: GONE,
    change: (file) => {
      rmSync(file);
      rmSync(head(file));
    },
  },
  {
    name: 'everything called audit deleted',
    says: GONE,
    change: (file) => {
      for (const one of [file, head(file), `${file}.lock`]) rmSync(one, { force: true });
    },
  },
  { name: 'the head deleted', says: HEAD_GONE, change: (file) => rmSync(head(file)) },
  {
    name: 'the head emptied',
    says: /head file beside the log is empty/,
    change: (file) => truncateSync(head(file)),
  },
  {
    name: 'the head overwritten with nonsense',
    says: /is no head file/,
    change: (file) => writeFileSync(head(file), 'x\n'),
  },
  {
    name: 'the head without its second line',
    says: /lost its second line/,
    change: (file) => writeFileSync(head(file), `${text(head(file)).split('\n')[0]}\n`),
  },
  {
    name: 'the head a folder',
    says: /is a folder/,
    change: (file) => {
      rmSync(head(file));
      mkdirSync(head(file));
    },
  },
  {
    name: 'the head a pipe',
    says: /not a regular file/,
    change: (file) => {
      rmSync(head(file));
      execFileSync('mkfifo', [head(file)]);
    },
  },
  {
    name: 'a pipe in place of the log',
    says: /not a regular file/,
    change: (file) => {
      rmSync(file);
      execFileSync('mkfifo', [file]);
    },
  },
  {
    name: 'a folder in place of the log',
    says: /is a folder/,
    change: (file) => {
      rmSync(file);
      mkdirSync(file);
    },
  },
  {
    name: 'a link to /dev/null in place of the log',
    says: /not a regular file/,
    change: (file) => {
      rmSync(file);
      symlinkSync('/dev/null', file);
    },
  },
  {
    name: 'a link to nowhere in place of the log',
    says: GONE,
    change: (file) => {
      rmSync(file);
      symlinkSync(join(dirname(file), 'nowhere'), file);
    },
  },
];
