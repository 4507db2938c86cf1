import { execFile, spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { PROGRAM } from '../trials/program.ts';

const top = join(import.meta.dirname, '../..');
const python = process.env['FAULTLINE_PYTHON'] ?? 'python3';

/** One way to put situations before the built program: strangers' machines, and their own runner and judge. */
export interface World {
  name: string;
  /** Its folder in the shared one. */
  folder: string;
  /** Prints the names of its situations, one a line. */
  list: string;
  args(names: readonly string[]): readonly string[];
}

/** The shared runner, which waits longer for its hosts and goes on behind a situation that broke off. */
const patientRunner = join(import.meta.dirname, 'patient.py');

const clusters = (name: string, systems: readonly string[]): World => ({
  name,
  folder: 'worlds/clusters',
  list: `import importlib
for system in ${JSON.stringify(systems)}:
    print("\\n".join(case.id for case in importlib.import_module("cases." + system).SITUATIONS))`,
  args: (names) => [patientRunner, '--faultline', PROGRAM, '--node', process.execPath, ...names],
});

/** Generated from the shared models by a runner of ours; `real`: on real daemons. */
const ours = (name: string, folder: string, real = false): World => {
  const runner = join(import.meta.dirname, folder, 'run.py');
  return {
    name,
    folder: 'worlds/clusters',
    list: `import runpy, sys
sys.argv = ["run.py", "--list"${real ? ', "--real"' : ''}]
runpy.run_path(${JSON.stringify(runner)}, run_name="__main__")`,
    args: (names) => [runner, '--faultline', PROGRAM, '--node', process.execPath, ...names],
  };
};

/** Sites on which nothing is wrong: nothing above a notice may be found. */
const healthy = ours('healthy clusters', 'healthy');

/** Planned, passing, deliberate, broken and partly readable states, written by an operator who had not seen the readers. */
const strangers = ours("strangers' clusters", 'strangers');

const switches = (name: string, via: 'status' | 'console'): World => ({
  name,
  folder: 'worlds/switch',
  list: 'from situations import ALL; print("\\n".join(ALL))',
  args: (names) => ['run.py', '--project', top, '--via', via, ...names],
});

/**
 * Those that CI can carry out: by `status`, on machines that are simulated. The rows stand beside each other, as they mostly wait;
 * the worlds of a row come one after the other: clusters are many sshd, which start late on a busy machine.
 */
export const quickWorlds: readonly (readonly World[])[] = [
  [switches('switches', 'status')],
  [clusters('clusters', ['slurm', 'lustre']), healthy, strangers],
];

/** By hand: by the console, and by real daemons. */
export const slowWorlds: readonly World[] = [
  switches('switches in the console', 'console'),
  clusters('real daemons', ['iperf', 'gluster']),
  ours("strangers' real daemons", 'strangers', true),
];

/** The shared folder is read only; runners find the Node of this program first. */
const environment = {
  ...process.env,
  PYTHONDONTWRITEBYTECODE: '1',
  PYTHONUNBUFFERED: '1',
  PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? '/usr/bin:/bin'}`,
};

/** The names of a world's situations. Rejects where its Python or its requirements are missing. */
export const situationsOf = async (world: World, cwd: string): Promise<readonly string[]> => {
  const { stdout } = await promisify(execFile)(python, ['-c', world.list], { cwd, env: environment });
  return stdout.split('\n').filter((line) => line !== '');
};

/** Runs situations of a world, passes on what its runner prints, and gives it. */
export const runWorld = (
  world: World,
  cwd: string,
  names: readonly string[],
  tell: (text: string) => void,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(python, [...world.args(names)], { cwd, env: environment });
    let text = '';
    const take = (chunk: Buffer): void => {
      text += chunk.toString();
      tell(chunk.toString());
    };
    child.stdout.on('data', take);
    child.stderr.on('data', (chunk: Buffer) => tell(chunk.toString()));
    child.on('error', reject);
    child.on('close', () => resolve(text));
  });
