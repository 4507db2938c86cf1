import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readDumps } from '../../probes/gluster/read/read-dumps.ts';
import { readTasks } from '../../probes/lustre/ask/probe-tasks.ts';
import { parseRuns } from '../../probes/iperf/read/parse-runs.ts';
import { shellText } from '../../scripts/shell-text.ts';
import { answerOf } from '../helpers/answer.ts';
import { ScriptHost, shells } from './script-host.ts';

const folder = '/var/tmp/faultline-tasks';
const tasks = 'probes/lustre/ask/tasks.sh';
const runs = 'probes/iperf/ask/runs.sh';
const dumps = 'probes/gluster/ask/dumps.sh';

const STRANGER = 12_345;
const isRoot = process.getuid?.() === 0;
/** Makes something as another user of the host: only root can become one. */
const asStranger = (script: string): void => {
  const become = [`--reuid=${STRANGER}`, `--regid=${STRANGER}`, '--clear-groups'];
  execFileSync('setpriv', [...become, 'sh', '-c', script], { stdio: ['ignore', 'ignore', 'inherit'] });
};
if (!isRoot) process.stdout.write('not root: no files of a second user are made, those tests are left out\n');

const task = 'kind=drain\ntarget=fs-OST0001\nid=1-2\nstate=migrating\ndone=7\n';
const server = 'port=5301\nguarded\n';

/** A host on which everybody may write below /var, as below the real /var/tmp. */
const hostOf = (shell: string): ScriptHost => {
  const host = new ScriptHost(shell);
  mkdirSync(host.path('/var/tmp'), { recursive: true });
  if (isRoot) execFileSync('chmod', ['711', host.root]);
  execFileSync('chmod', ['1777', host.path('/var/tmp')]);
  return host;
};

/** What each of the two readers says of the folder. */
const readBoth = async (host: ScriptHost): Promise<{ lustre: unknown; iperf: unknown }> => {
  const ofTasks = await host.run(tasks);
  const ofRuns = await host.run(runs);
  const tried = (read: () => unknown): unknown => {
    try {
      return read();
    } catch (error) {
      return (error as Error).message;
    }
  };
  return {
    lustre: tried(
      () =>
        readTasks({
          ...answerOf(ofTasks.said),
          stderr: ofTasks.complaints,
          exitCode: Number(ofTasks.status),
        }).value.tasks,
    ),
    iperf: tried(() => parseRuns(answerOf(ofRuns.said), Date.now()).value.servers),
  };
};

const both = (said: unknown): unknown => ({ lustre: said, iperf: said });

describe.each(shells)(
  'what another user put where tasks are read, under %s',
  { concurrent: true },
  (shell) => {
    it('our own is read, and of no folder nothing is said', async () => {
      const host = hostOf(shell);
      expect(await readBoth(host)).toEqual(both([]));
      host.file(`${folder}/lustre-drain-fs-OST0001.task`, task);
      host.file(`${folder}/iperf-a:b.server`, server);
      expect(await readBoth(host)).toEqual({
        lustre: [expect.objectContaining({ target: 'fs-OST0001', done: 7 })],
        iperf: [{ pair: 'a:b', port: 5301 }],
      });
    });

    it('a folder that everybody may write to, and a link in its place, are refused', async () => {
      const host = hostOf(shell);
      host.file(`${folder}/lustre-drain-fs-OST0001.task`, task);
      host.file(`${folder}/iperf-a:b.server`, server);
      execFileSync('chmod', ['777', host.path(folder)]);
      const refused = (what: string) =>
        both(expect.stringMatching(new RegExp(`^${folder} is not ours: ${what} of .*`)));
      expect(await readBoth(host)).toEqual(refused('directory'));
      execFileSync('chmod', ['755', host.path(folder)]);
      execFileSync('mv', [host.path(folder), host.path('/var/tmp/else')]);
      symlinkSync(host.path('/var/tmp/else'), host.path(folder));
      expect(await readBoth(host)).toEqual(refused('symbolic link'));
      rmSync(host.path(folder));
      symlinkSync('/nothing', host.path(folder));
      expect(await readBoth(host)).toEqual(refused('symbolic link'));
    });

    it('a pipe, a link and a file without end among ours hold nobody', async () => {
      const host = hostOf(shell);
      host.file(`${folder}/iperf-a:b.server`, server);
      for (const name of ['lustre-drain-x.task', 'iperf-x.run', 'iperf-y.server'])
        execFileSync('mkfifo', [host.path(`${folder}/${name}`)]);
      symlinkSync('/dev/zero', host.path(`${folder}/lustre-list-x.task`));
      symlinkSync('/dev/zero', host.path(`${folder}/iperf-sweep.task`));
      host.file(`${folder}/lustre-list-y.task`, '');
      truncateSync(host.path(`${folder}/lustre-list-y.task`), 4e9);
      expect((await host.run(tasks)).said.length).toBeLessThan(9000);
      expect(await readBoth(host)).toEqual({ lustre: [], iperf: [{ pair: 'a:b', port: 5301 }] });
    });

    it.runIf(isRoot)('a folder that a stranger made first is refused by all, with its owner', async () => {
      const host = hostOf(shell);
      const at = host.path(folder);
      asStranger(
        `mkdir '${at}' && cd '${at}' && ln -s '${host.path('/var/made')}' iperf-lease && mkfifo iperf-x.run` +
          ` && printf '${task}' >lustre-drain-fs-OST0001.task && printf '${server}' >iperf-a:b.server` +
          ' && printf "id=i\nstate=armed\npid=1\n" >iperf-sweep.task',
      );
      const owner = new RegExp(
        String.raw`^${folder} is not ours: directory of \S+ \(${STRANGER}\), drwx[-rwx]{6}`,
      );
      expect(await readBoth(host)).toEqual(both(expect.stringMatching(owner)));
      for (const [script, ...words] of [
        ['probes/lustre/act/task-start.sh', 'lustre-start', 'list', 'fs-OST0001', '/scratch', '1'],
        ['probes/lustre/act/task-cancel.sh', 'lustre-cancel', 'drain', 'fs-OST0001'],
        ['probes/iperf/act/cancel.sh', 'cancel'],
        ['probes/iperf/sweep/arm.sh', 'sweep-arm', 'i', 'a', 'a,b', '1', '2', '1'],
      ] as const)
        expect(await host.run(script, ...words)).toMatchObject({
          status: 3,
          complaints: expect.stringMatching(owner),
        });
      expect(await host.run('probes/iperf/sweep/go.sh', 'sweep-go', 'i')).toMatchObject({ status: 1 });
      // Nothing is written through a stranger's link either.
      await host.runText(`lease=yes\n${shellText(runs)}`);
      expect(host.has('/var/made')).toBe(false);
    });

    it.runIf(isRoot)(
      "a stranger's dump of glusterd is not read, and a pipe of that name holds nobody",
      async () => {
        const host = hostOf(shell);
        host.program('gluster', `echo '${host.path('/var/tmp')}'`);
        const name = host.path('/var/tmp/glusterdump.5.dump.9');
        asStranger(`printf 'DUMP-START-TIME: x\nglusterd.my-uuid=u\n' >'${name}'; mkfifo '${name}9'`);
        writeFileSync(host.path('/var/tmp/brick.7.dump.1'), 'DUMP-START-TIME: y\nDUMP-END-TIME: y\n');
        const { said, complaints } = await host.run(dumps);
        expect(complaints).toContain(`/var/tmp/glusterdump.5.dump.9 is not ours: regular file of `);
        expect(complaints).toContain(`(${STRANGER})`);
        const { value } = readDumps(answerOf(said));
        expect(value.files.map(({ file }) => file)).toEqual(['/var/tmp/brick.7.dump.1']);
        expect(statSync(name).uid).toBe(STRANGER);
      },
    );
  },
);
