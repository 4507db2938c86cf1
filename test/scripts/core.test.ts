import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ScriptHost, shells } from './script-host.ts';

const owners = 'src/collect/shared/owners.sh';
const syslog = 'src/audit/syslog-copies.sh';
const copies = 'src/audit/shared-copies.sh';

describe.each(shells)('scripts of the core under %s', (shell) => {
  it('a folder of our own with our own files is told nothing of', async () => {
    const host = new ScriptHost(shell);
    host.file('/var/tmp/shared folder/events.jsonl', '{}\n');
    chmodSync(host.path('/var/tmp/shared folder'), 0o770);
    expect(await host.run(owners, host.path('/var/tmp/shared folder'))).toEqual({
      said: 'end\n',
      complaints: '',
      status: 0,
    });
  });

  it('a folder that everybody may write in is told with its mode, and one that is not there is no answer', async () => {
    const host = new ScriptHost(shell);
    mkdirSync(host.path('/var/tmp/open'));
    chmodSync(host.path('/var/tmp/open'), 0o777);
    expect((await host.run(owners, host.path('/var/tmp/open'))).said).toBe('open 777\nend\n');
    const missing = await host.run(owners, host.path('/var/tmp/missing'));
    expect(missing.said).toBe('');
    expect(missing.status).not.toBe(0);
  });

  it('the journal comes before the files, and of these the newest lines that hold the text', async () => {
    const host = new ScriptHost(shell);
    host.program('journalctl', 'exit 0');
    host.file('/var/log/syslog', 'head a 1\nhead b 9\nhead a 2\nhead a 3\n');
    expect(await host.run(syslog, 'head a ', '2', 'tag')).toEqual({
      said: 'read /var/log/syslog\nhead a 2\nhead a 3\n',
      complaints: '',
      status: 0,
    });
    host.program('journalctl', 'echo "head a 4"; echo "head b 5"');
    expect((await host.run(syslog, 'head a ', '2', 'tag')).said).toBe('read journal\nhead a 4\n');
  });

  it('without a journal and without a file it says so and fails', async () => {
    const host = new ScriptHost(shell);
    host.program('journalctl', 'exit 1');
    const { status, complaints } = await host.run(syslog, 'head a ', '2', 'tag');
    expect(status).toBe(1);
    expect(complaints).toMatch(/neither the journal nor a file/);
  });

  const askCopies = (host: ScriptHost) => {
    const dir = host.path('/var/tmp/shared');
    return host.run(
      copies,
      dir,
      `${dir}/heads`,
      `${dir}/heads/a.head`,
      `${dir}/heads/a.jsonl`,
      '--mark--',
      '8',
    );
  };

  it('of the copies of heads the last one comes before the mark, and the newest bytes of all behind it', async () => {
    const host = new ScriptHost(shell);
    host.file('/var/tmp/shared/heads/a.head', 'last\n');
    host.file('/var/tmp/shared/heads/a.jsonl', 'first\nsecond\n');
    expect(await askCopies(host)).toEqual({
      said: 'last\n\n--mark--\n\nsecond\n',
      complaints: '',
      status: 0,
    });
  });

  it('without copies there is the mark alone, and without the folder no answer', async () => {
    const host = new ScriptHost(shell);
    mkdirSync(host.path('/var/tmp/shared'), { recursive: true });
    expect(await askCopies(host)).toEqual({ said: '\n--mark--\n', complaints: '', status: 0 });
    const missing = await askCopies(new ScriptHost(shell));
    expect(missing.said).toBe('');
    expect(missing.status).not.toBe(0);
  });

  it.each([
    ['a.head', 'plain file'],
    ['a.jsonl', 'plain file'],
    ['.', 'folder'],
  ])('a link in place of %s is not followed', async (name, what) => {
    const host = new ScriptHost(shell);
    host.file('/var/tmp/elsewhere/secret', 'x');
    if (name === '.') {
      mkdirSync(host.path('/var/tmp/shared'), { recursive: true });
      symlinkSync(host.path('/var/tmp/elsewhere'), host.path('/var/tmp/shared/heads'));
    } else {
      mkdirSync(host.path('/var/tmp/shared/heads'), { recursive: true });
      symlinkSync(host.path('/var/tmp/elsewhere/secret'), host.path(`/var/tmp/shared/heads/${name}`));
    }
    const { said, complaints, status } = await askCopies(host);
    expect({ said, status }).toEqual({ said: '', status: 1 });
    expect(complaints).toContain(`is not a ${what}: see who made it, and remove it`);
  });
});
