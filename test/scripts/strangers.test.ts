import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readDumps } from '../../probes/gluster/read/read-dumps.ts';
import { readTasks } from '../../probes/lustre/ask/probe-tasks.ts';
import { readListing } from '../../probes/nfs/read/read-listing.ts';
import { parseRuns } from '../../probes/iperf/read/parse-runs.ts';
import { shellText } from '../../scripts/shell-text.ts';
import { answerOf } from '../helpers/answer.ts';
import { ScriptHost, shells, until } from './script-host.ts';

const folder = '/var/tmp/faultline-tasks';
const tasks = 'probes/lustre/ask/tasks.sh';
const runs = 'probes/iperf/ask/runs.sh';
const dumps = 'probes/gluster/ask/dumps.sh';
const listing = 'probes/nfs/ask/listing.sh';

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

    it('a folder that everybody may write to, and a link in its place, are not read; what is beside them is', async () => {
      const host = hostOf(shell);
      host.file(`${folder}/lustre-drain-fs-OST0001.task`, task);
      host.file(`${folder}/iperf-a:b.server`, server);
      const others = async () => {
        const { value } = parseRuns(answerOf((await host.run(runs)).said), Date.now());
        return value.others;
      };
      expect(await others()).toBeUndefined();
      execFileSync('chmod', ['777', host.path(folder)]);
      expect(await readBoth(host)).toEqual(both([]));
      expect(await others()).toEqual([expect.stringMatching(`^${folder} is not ours: directory of .*`)]);
      execFileSync('chmod', ['755', host.path(folder)]);
      execFileSync('mv', [host.path(folder), host.path('/var/tmp/else')]);
      for (const target of [host.path('/var/tmp/else'), '/nothing']) {
        symlinkSync(target, host.path(folder));
        expect(await readBoth(host)).toEqual(both([]));
        expect(await others()).toEqual([
          expect.stringMatching(`^${folder} is not ours: symbolic link of .*`),
        ]);
        rmSync(host.path(folder));
      }
      symlinkSync('/nothing', host.path(folder));
      host.file(`${folder}.aB3xY9/lustre-drain-fs-OST0001.task`, task);
      host.file(`${folder}.aB3xY9/iperf-a:b.server`, server);
      expect(await readBoth(host)).toEqual({
        lustre: [expect.objectContaining({ target: 'fs-OST0001', done: 7 })],
        iperf: [{ pair: 'a:b', port: 5301 }],
      });
    });

    it('where others may rename what is ours nothing is begun, nor where no folder can be made', async () => {
      const host = hostOf(shell);
      const start = () =>
        host.run('probes/lustre/act/task-start.sh', 'lustre-start', 'list', 'fs-OST0001', '/scratch', '1');
      execFileSync('chmod', ['777', host.path('/var/tmp')]);
      expect(await start()).toMatchObject({
        status: 3,
        complaints: '/var/tmp is not ours: others may rename what lies there, or it is not there\n',
      });
      execFileSync('chmod', ['1777', host.path('/var/tmp')]);
      host.file(folder, '');
      host.program('mktemp', 'echo "mktemp: No space left on device" >&2; exit 1');
      expect(await start()).toMatchObject({
        status: 3,
        complaints: 'no folder for tasks: mktemp: No space left on device\n',
      });
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

    it.runIf(isRoot)(
      'of a folder that a stranger made first nothing is read, and tasks go on beside it',
      async () => {
        const host = hostOf(shell);
        const at = host.path(folder);
        asStranger(
          `mkdir '${at}' && cd '${at}' && ln -s '${host.path('/var/made')}' iperf-lease && mkfifo iperf-x.run` +
            ` && printf '${task}' >lustre-drain-fs-OST0001.task && printf '${server}' >iperf-a:b.server` +
            ' && printf "id=i\nstate=armed\npid=1\n" >iperf-sweep.task' +
            // Names that would be lines of ours, and a crowd that would have to be looked at one by one.
            ` && mkdir '${at}.x\n@@faultline runs' && cd '${host.path('/var/tmp')}' && i=0` +
            '; while [ $i -lt 500 ]; do mkdir "faultline-tasks.$i"; i=$((i + 1)); done',
        );
        expect(await readBoth(host)).toEqual(both([]));
        const { value } = parseRuns(answerOf((await host.run(runs)).said), Date.now());
        expect(value.others).toHaveLength(3);
        for (const other of value.others ?? [])
          expect(other).toMatch(
            new RegExp(
              String.raw`^${folder}\S* is not ours: directory of \S+ \(${STRANGER}\), drwx[-rwx]{6}$`,
            ),
          );
        expect(
          await host.run('probes/lustre/act/task-cancel.sh', 'lustre-cancel', 'drain', 'fs-OST0001'),
        ).toMatchObject({ status: 1, complaints: 'no such task\n' });
        expect(await host.run('probes/iperf/act/cancel.sh', 'cancel')).toMatchObject({ status: 0 });
        expect(await host.run('probes/iperf/sweep/go.sh', 'sweep-go', 'i')).toMatchObject({ status: 1 });
        // Nothing is written through a stranger's link either.
        await host.runText(`lease=yes\n${shellText(runs)}`);
        expect(host.has('/var/made')).toBe(false);
        host.program('systemd-run', 'exit 1');
        host.program('lfs', 'echo u1/a');
        const start = await host.run(
          'probes/lustre/act/task-start.sh',
          'x',
          'fid',
          '[0x1:0x2:0x0]',
          '/scratch',
          '1',
        );
        expect(start).toMatchObject({ status: 0, complaints: '' });
        const arm = () => host.run('probes/iperf/sweep/arm.sh', 'sweep-arm', 'j', 'a', '2', '1', '2', '1');
        expect(await arm()).toMatchObject({ status: 0, said: 'armed j\n' });
        expect(await arm()).toMatchObject({ status: 4 });
        const own = readdirSync(host.path('/var/tmp')).filter(
          (name) => statSync(host.path(`/var/tmp/${name}`)).uid !== STRANGER,
        );
        expect(own).toEqual([expect.stringMatching(/^faultline-tasks\.[A-Za-z0-9]{6}$/)]);
        expect(statSync(host.path(`/var/tmp/${own[0]}`)).mode & 0o777).toBe(0o755);
        expect(await readBoth(host)).toMatchObject({ lustre: [{ kind: 'fid' }] });
        expect(await host.run('probes/iperf/act/cancel.sh', 'cancel')).toMatchObject({ status: 0 });
        await until(() => host.text(`/var/tmp/${own[0]}/iperf-sweep.task`).includes('state=cancelled'));
      },
    );

    it("figures of listings are read where they are ours: no stranger's, no pipe, no link without end", async () => {
      const host = new ScriptHost(shell, ['/proc/', '/etc/']);
      host.file('/proc/self/mountinfo', '');
      execFileSync('chmod', ['1777', host.path('/var/tmp')]);
      const kept = (directory: string): string => `directory ${directory}\nat 5\nlimits 2 10\nend\n`;
      host.file(`${folder}/listing-1.kept`, kept('/home'));
      execFileSync('mkfifo', [host.path(`${folder}/listing-2.kept`)]);
      symlinkSync('/dev/zero', host.path(`${folder}/listing-3.kept`));
      const directories = async () =>
        readListing(answerOf((await host.run(listing)).said), Date.now()).value.listings.map(
          ({ directory }) => directory,
        );
      expect(await directories()).toEqual(['/home']);
      if (isRoot) {
        host.file(`${folder}/listing-4.kept`, kept('/stranger'));
        execFileSync('chown', [`${STRANGER}`, host.path(`${folder}/listing-4.kept`)]);
        expect(await directories()).toEqual(['/home']);
        execFileSync('chown', [`${STRANGER}`, host.path(folder)]);
        expect(await directories()).toEqual([]);
        execFileSync('chown', ['0', host.path(folder)]);
      }
      execFileSync('chmod', ['777', host.path(folder)]);
      expect(await directories()).toEqual([]);
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
