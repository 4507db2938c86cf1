import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { shellText } from '../../scripts/shell-text.ts';

/** Where root alone makes files: what is read there nobody else of the host wrote. */
const rootsOwn = /^\/(?:proc|sys|etc|usr|sbin|bin|dev\/null|var\/log|var\/lib)(?:\/|$)/;

/** The pieces of shell that look at the owner before anything is read or written. */
const checks = new Set(['src/kit/ours.sh', 'src/kit/task-folders.sh', 'src/text/append-line.sh']);

/** Scripts that go elsewhere without one of them, and why that is right. */
const exceptions: Readonly<Record<string, string>> = {
  'probes/gluster/ask/disk.sh': 'reads only what it wrote into a folder of its own, made by mktemp -d',
  'probes/gluster/ask/find-glusterd.sh': 'a number in /run, which is root’s; that process must be glusterd',
  'probes/gluster/ask/lock.sh': 'its dumps pass own_files; a number in /run, which is root’s',
  'probes/gluster/ask/peer.sh': 'numbers in /run/gluster and /run, which are root’s',
  'probes/checks/library/licence.sh': 'patterns of awk, no path: it asks a licence server',
  'probes/storage/ask/controllers.sh': 'programs where their packages put them: /opt and /usr are root’s',
  'probes/gluster/act/save-copy.sh': 'refuses a folder that is not the login’s own and closed to others',
};

/** What a script takes from files beside it. */
const includedBy = (path: string): string[] =>
  [...readFileSync(path, 'utf8').matchAll(/^\s*\. (\S+\.sh)$/gm)].flatMap(([, beside = '']) => {
    const file = join(dirname(path), beside);
    return [file, ...includedBy(file)];
  });

/** Absolute paths that stand in a script, and folders that it is told of, outside of what is root's alone. */
const elsewhere = (text: string): string[] => [
  ...[
    ...text.matchAll(/(?<![\w"'}$*.?=:)/-]|\\.)\/[a-z][\w/.-]*/g),
    ...text.matchAll(/(?<==)\/[a-z][\w/.-]*/g),
  ]
    .map(([path]) => path)
    .filter((path) => !rootsOwn.test(path)),
  ...(text.includes('statedumpdir') ? ['the folder of dumps'] : []),
  ...(/mkdir -p -- "\$2"|append "\$/.test(text) ? ['a folder that it is given'] : []),
];

const scripts = globSync('{src,probes}/**/*.sh').toSorted();
const open = scripts.filter((path) => elsewhere(shellText(path)).length > 0);

it('a script that reads where others of the host may write looks at whose files they are', () => {
  const unchecked = open.filter(
    (path) => !checks.has(path) && !includedBy(path).some((one) => checks.has(one)),
  );
  expect(unchecked.filter((path) => exceptions[path] === undefined)).toEqual([]);
});

it('each exception is one still', () => {
  expect(Object.keys(exceptions).filter((path) => !open.includes(path))).toEqual([]);
});

it('such places are seen in whatever form they stand', () => {
  for (const text of [
    'cat /tmp/x',
    'd=/var/tmp/y; head "$d"',
    'find /dev/shm -type f',
    'x=$(cat /run/a.pid)',
    '. /home/a',
  ])
    expect(elsewhere(text), text).not.toEqual([]);
  for (const text of [
    'cat /proc/1/stat 2>/dev/null',
    'x=${d%/*}',
    "sed 's/a/b/g' /var/log/messages",
    'awk "/^x/ { print }" /etc/fstab',
  ])
    expect(elsewhere(text), text).toEqual([]);
});
