import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hostsInSshConfig, sshConfigNotes } from '../../../src/commands/init/ssh-names.ts';
import { emptyFolder } from '../../helpers/folder.ts';

/** A home with these files; gives its path. */
const home = (files: Readonly<Record<string, string>>): string => {
  const folder = emptyFolder('ssh-names');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
};
const namesOf = (files: Readonly<Record<string, string>>): Promise<string[]> => {
  const folder = home(files);
  return hostsInSshConfig(join(folder, '.ssh/config'), folder);
};

const PLAIN = 'Host gw old-* !x\n  User me\nHost=ctl1\nhost node1 "node2"\n#Host none\nHost *\n';

describe('the configuration of SSH', () => {
  it('names hosts, patterns are none', async () => {
    expect(await namesOf({ '.ssh/config': PLAIN })).toEqual(['gw', 'ctl1', 'node1', 'node2']);
  });

  it('names hosts in Match, as they are typed and as they are reached; users, commands and patterns are none', async () => {
    const text = [
      'Match host a1,b1,c* user alice',
      'Match originalhost d1,!e1 exec "test -f host"',
      'Match all',
      'Match user host1 localuser x',
      'Match HOST f1',
    ].join('\n');
    expect(await namesOf({ '.ssh/config': text })).toEqual(['a1', 'b1', 'd1', 'f1']);
  });

  it('goes into included files: relative to ~/.ssh, of the home, by patterns and inside blocks', async () => {
    expect(
      await namesOf({
        '.ssh/config': 'Include conf.d/*.conf ~/more\nHost last\n  Include deep\n',
        '.ssh/conf.d/b.conf': 'Host b1\n',
        '.ssh/conf.d/a.conf': 'Host a1\n',
        '.ssh/conf.d/left.out': 'Host never\n',
        more: 'Host more1\n',
        '.ssh/deep': 'Host deep1\n',
      }),
    ).toEqual(['a1', 'b1', 'more1', 'last', 'deep1']);
  });

  it('a file that includes itself, one that is not there and a folder end it without harm', async () => {
    expect(
      await namesOf({
        '.ssh/config': 'Include config other nowhere %d/x ${HOME}/y conf.d\nHost one\n',
        '.ssh/other': 'Include config\nHost two\n',
        '.ssh/conf.d/x': 'Host never\n',
      }),
    ).toEqual(['two', 'one']);
  });

  it('is told of where nothing else tells of the host', async () => {
    const file = join(home({ config: PLAIN }), 'config');
    expect(await sshConfigNotes(file, (name) => name.startsWith('node'))).toMatchObject([
      expect.stringMatching(/no machine that was asked says what they are for: ctl1,gw; faultline init HOST/),
    ]);
    expect(await sshConfigNotes(file, () => true)).toEqual([]);
    expect(await sshConfigNotes('/nowhere/config', () => false)).toEqual([]);
  });
});
