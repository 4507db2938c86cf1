import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ScriptHost, shells } from './script-host.ts';

const owners = 'src/collect/shared/owners.sh';
const syslog = 'src/audit/syslog-copies.sh';
const copies = 'src/audit/shared-copies.sh';
const lock = 'src/remedy/lock.sh';
const writeHeads = 'src/remedy/write-heads.sh';
const readHead = 'src/remedy/read-head.sh';
const addLine = 'src/text/add-line.sh';
const readFolder = 'src/collect/shared/read-folder.sh';
const readLocks = 'src/collect/shared/read-locks.sh';
const past = 'src/audit/shared-past.sh';
const journal = 'probes/switch/ask/journal.sh';

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

  const doLock = (host: ScriptHost, doing: string, ...words: readonly string[]) => {
    const dir = host.path('/var/tmp/shared');
    return host.run(lock, doing, dir, `${dir}/locks`, `${dir}/locks/a.lock`, '100', '--mark--', ...words);
  };

  it('a lock is put once, shown with its times, and removed by who knows its text', async () => {
    const host = new ScriptHost(shell);
    const draft = host.path('/var/tmp/shared/locks/a.1');
    expect((await doLock(host, 'look')).status).toBe(3);
    const put = await doLock(host, 'put', '{"by":"alice"}', draft);
    expect(put).toMatchObject({ complaints: '', status: 0 });
    expect(put.said).toMatch(/^\{"by":"alice"\}\n\n--mark--\n\d+\n\d+\n$/);
    const second = await doLock(host, 'put', '{"by":"bob"}', draft);
    expect(second.said).toContain('alice');
    expect(second.complaints).toContain('File exists');
    expect(host.has('/var/tmp/shared/locks/a.1')).toBe(false);
    expect((await doLock(host, 'remove', '{"by":"bob"}')).status).toBe(5);
    expect((await doLock(host, 'remove', '{"by":"alice"}')).status).toBe(0);
    expect((await doLock(host, 'look')).status).toBe(4);
    expect((await doLock(host, 'remove', '{"by":"alice"}')).status).toBe(4);
  });

  it('a lock that is a link, or in a folder that is one, is neither read nor made', async () => {
    const host = new ScriptHost(shell);
    host.file('/var/tmp/elsewhere/secret', 'x');
    mkdirSync(host.path('/var/tmp/shared/locks'), { recursive: true });
    symlinkSync(host.path('/var/tmp/elsewhere/secret'), host.path('/var/tmp/shared/locks/a.lock'));
    for (const doing of ['look', 'put', 'remove']) {
      const { said, complaints, status } = await doLock(
        host,
        doing,
        'x',
        host.path('/var/tmp/shared/locks/a.2'),
      );
      expect({ said, status }, doing).toEqual({ said: '', status: 1 });
      expect(complaints, doing).toContain('is not a plain file');
    }
    expect(host.text('/var/tmp/elsewhere/secret')).toBe('x');
  });

  it('heads are added line by line, and the last one replaces the one before', async () => {
    const host = new ScriptHost(shell);
    const dir = host.path('/var/tmp/heads');
    const write = (head: string, ...lines: string[]) =>
      host.run(writeHeads, dir, `${dir}/a.head`, `${dir}/a.jsonl`, `${dir}/.a.head.1`, head, ...lines);
    expect(await write('1', '{"seq":0}', '{"seq":1}')).toEqual({ said: '', complaints: '', status: 0 });
    expect((await write('2', '{"seq":2}')).status).toBe(0);
    expect(host.text('/var/tmp/heads/a.jsonl')).toBe('{"seq":0}\n{"seq":1}\n{"seq":2}\n');
    expect((await host.run(readHead, `${dir}/a.head`)).said).toBe('2\n.\n');
    expect(await host.run(readHead, `${dir}/b.head`)).toEqual({ said: '', complaints: '', status: 0 });
    mkdirSync(`${dir}/c.head`);
    const folder = await host.run(writeHeads, dir, `${dir}/c.head`, `${dir}/c.jsonl`, `${dir}/.c`, '1', 'x');
    expect(folder).toMatchObject({ status: 1, complaints: expect.stringContaining('is a folder: see who') });
    expect(host.has('/var/tmp/heads/c.jsonl')).toBe(false);
  });

  it('a draft that somebody put there as a link is taken away, not written into', async () => {
    const host = new ScriptHost(shell);
    const dir = host.path('/var/tmp/heads');
    host.file('/var/tmp/elsewhere/secret', 'x');
    mkdirSync(dir);
    symlinkSync(host.path('/var/tmp/elsewhere/secret'), `${dir}/.a`);
    expect(
      (await host.run(writeHeads, dir, `${dir}/a.head`, `${dir}/a.jsonl`, `${dir}/.a`, '1', 'y')).status,
    ).toBe(0);
    expect(host.text('/var/tmp/elsewhere/secret')).toBe('x');
    expect(host.text('/var/tmp/heads/a.head')).toBe('1\n');
  });

  it('a line is added behind the others, or begins the file anew', async () => {
    const host = new ScriptHost(shell);
    const dir = host.path('/var/tmp/shared');
    const add = (line: string, how: string) => host.run(addLine, dir, `${dir}/events`, '\\n%s\\n', line, how);
    await add("it's 100 %s", '');
    expect(await add('two', '')).toEqual({ said: '', complaints: '', status: 0 });
    expect(host.text('/var/tmp/shared/events')).toBe("\nit's 100 %s\n\ntwo\n");
    await add('three', 'anew');
    expect(host.text('/var/tmp/shared/events')).toBe('\nthree\n');
  });

  const askFolder = (host: ScriptHost, from: string) => {
    const dir = host.path('/var/tmp/shared');
    return host.run(
      readFolder,
      dir,
      `${dir}/events`,
      `${dir}/consoles`,
      `${dir}/locks`,
      '5',
      '--mark--',
      from,
    );
  };

  it('of the shared folder there are sizes, names of locks, the newest of the consoles, and the events asked for', async () => {
    const host = new ScriptHost(shell);
    expect((await askFolder(host, '100')).status).toBe(3);
    host.file('/var/tmp/shared/events', 'one\ntwo\n');
    host.file('/var/tmp/shared/consoles', 'alice\n');
    host.file('/var/tmp/shared/locks/a.lock', 'A');
    const head = `/var/tmp/shared/.\nevents 8\nconsoles 6\na.lock\nlice\n\n--mark--\n`;
    expect(await askFolder(host, '100')).toEqual({ said: `${head}one\ntwo\n`, complaints: '', status: 0 });
    expect((await askFolder(host, '+5')).said).toBe(`${head}two\n`);
  });

  it('locks are read one by one, each with its name behind it; a link and one that is gone are passed over', async () => {
    const host = new ScriptHost(shell);
    host.file('/var/tmp/shared/locks/a.lock', 'A longer text');
    host.file('/var/tmp/shared/locks/c.lock', 'C');
    symlinkSync(host.path('/var/tmp/shared/locks/c.lock'), host.path('/var/tmp/shared/locks/d.lock'));
    const { said, status } = await host.run(
      readLocks,
      host.path('/var/tmp/shared/locks'),
      '8',
      ...['a', 'b', 'c', 'd'].map((name) => `${name}.lock`),
    );
    expect({ said, status }).toEqual({ said: 'A longer\na.lock\nC\nc.lock\n', status: 0 });
  });

  it('of what consoles did the newest bytes come, after size and kind; a folder without the file says so', async () => {
    const host = new ScriptHost(shell);
    const dir = host.path('/var/tmp/shared');
    mkdirSync(dir);
    const ask = () => host.run(past, dir, `${dir}/actions.jsonl`, '--mark--', '4');
    expect(await ask()).toMatchObject({ said: 'folder\n--mark--\n', status: 0 });
    host.file('/var/tmp/shared/actions.jsonl', 'one\ntwo\n');
    expect((await ask()).said).toBe('folder\nfile 8 regular file\n--mark--\ntwo\n');
  });

  it('the journal of shutdowns is read where it is a file, and nowhere else', async () => {
    const host = new ScriptHost(shell);
    host.file('/var/tmp/shared/journal', '{}\n');
    expect((await host.run(journal, host.path('/var/tmp/shared/journal'))).said).toBe('{}\n');
    symlinkSync(host.path('/var/tmp/shared/journal'), host.path('/var/tmp/shared/link'));
    expect((await host.run(journal, host.path('/var/tmp/shared/link'))).status).toBe(1);
  });
});
