import { describe, expect, it } from 'vitest';
import { type Said, ScriptHost, shells, until } from './script-host.ts';

const folder = '/var/tmp/faultline-tasks';

const says = (host: ScriptHost, file: string, line: string): boolean =>
  host.has(file) && host.text(file).split('\n').includes(line);

describe.each(shells)('scripts of switches under %s', { concurrent: true }, (shell) => {
  it('journal-line.sh adds a line with the time of the host', async () => {
    const host = new ScriptHost(shell);
    const words = [host.path('/journal'), 'note', 'core:te1', 'optic', 'anna', 'changed'];
    const script = 'probes/switch/act/journal-line.sh';
    expect((await host.run(script, ...words)).status).toBe(0);
    expect((await host.run(script, ...words)).status).toBe(0);
    const [line = '', ...rest] = host.text('/journal').trim().split('\n');
    expect(rest).toHaveLength(1);
    expect(JSON.parse(line)).toEqual({
      kind: 'note',
      at: expect.closeTo(Date.now(), -5),
      port: 'core:te1',
      part: 'optic',
      by: 'anna',
      text: 'changed',
    });
  });

  it('stop-undo.sh says no while the undo is at work, and takes its file away when it is not', async () => {
    const host = new ScriptHost(shell);
    const script = 'probes/switch/act/stop-undo.sh';
    host.file('/told', '');
    host.program('systemctl', 'echo "$*" >>/var/calls; [ "$1" = stop ]');
    host.file('/var/calls', '');
    expect((await host.run(script, 'unit', host.path('/told'))).status).toBe(0);
    expect(host.has('/told')).toBe(false);
    expect(host.text('/var/calls')).toBe('stop unit.timer\nis-active --quiet unit.timer unit.service\n');
    host.file('/told', '');
    host.program('systemctl', 'exit 0');
    expect((await host.run(script, 'unit', host.path('/told'))).status).not.toBe(0);
    expect(host.has('/told')).toBe(true);
  });
});

describe.each(shells)('scripts of tasks on a Lustre client under %s', { concurrent: true }, (shell) => {
  const start = 'probes/lustre/act/task-start.sh';
  const cancel = 'probes/lustre/act/task-cancel.sh';
  const client = (): ScriptHost => {
    const host = new ScriptHost(shell);
    host.program('systemd-run', 'exit 1');
    host.file('/scratch/u1/a b', '');
    return host;
  };

  it('task-start.sh lets the worker go, which finds the path of a FID', async () => {
    const host = client();
    host.program('lfs', 'echo "u1/a b"');
    const began = await host.run(start, 'lustre-start', 'fid', '[0x1:0x2:0x0]', host.path('/scratch'), '1');
    expect(began).toMatchObject({
      status: 0,
      complaints: '',
      said: expect.stringMatching(/^started \d+-\d+\n$/),
    });
    const file = `${folder}/lustre-fid-[0x1:0x2:0x0].task`;
    await until(() => says(host, file, 'state=done'));
    expect(says(host, file, 'result=u1/a b')).toBe(true);
  });

  it('the worker moves what a list holds until two lists are empty', async () => {
    const host = client();
    host.program(
      'lfs',
      'case "$*" in *--maxdepth*) ;; *) [ -e /var/moved ] || printf "%s/a b\\0" "$2";; esac',
    );
    host.program('lfs_migrate', ': >/var/moved; xargs -0 -n 1 sh -c \'echo "$1: done"\' sh');
    const began = await host.run(start, 'lustre-start', 'drain', 'fs-OST0001', host.path('/scratch'), '2');
    expect(began).toMatchObject({ status: 0, complaints: '' });
    const file = `${folder}/lustre-drain-fs-OST0001.task`;
    await until(() => says(host, file, 'state=done'));
    for (const line of ['done=1', 'pass=3', 'empty=2', 'skipped=0'])
      expect(says(host, file, line)).toBe(true);
  });

  it('task-cancel.sh ends a worker that runs, and says when there is none', async () => {
    const host = client();
    host.program('lfs', 'sleep 30 & echo $! >/var/lfs; wait');
    const script = (): Promise<Said> => host.run(cancel, 'lustre-cancel', 'list', 'fs-OST0001');
    expect(await script()).toMatchObject({ status: 1, complaints: 'no such task\n' });
    await host.run(start, 'lustre-start', 'list', 'fs-OST0001', host.path('/scratch'), '1');
    const again = await host.run(start, 'lustre-start', 'list', 'fs-OST0001', host.path('/scratch'), '1');
    expect(again).toMatchObject({ status: 4, complaints: 'it runs already\n' });
    await until(() => host.has('/var/lfs'));
    expect((await script()).status).toBe(0);
    await until(() => says(host, `${folder}/lustre-list-fs-OST0001.task`, 'state=cancelled'));
    expect(await script()).toMatchObject({ status: 0, complaints: '' });
  });
});
