import { spawnSync } from 'node:child_process';

/** Runs a program to its end and gives what it printed. Throws with its name and the end of what it said when it is not there or fails. */
export const run = (
  program: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): string => {
  const { status, stdout, stderr, error } = spawnSync(program, [...args], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    ...options,
  });
  if (error && 'code' in error && error.code === 'ENOENT')
    throw new Error(
      `${program} is not installed; on Debian: apt-get install ${packageOf[program] ?? program}`,
    );
  if (error) throw error;
  if (status !== 0)
    throw new Error(
      `${program} ${args.join(' ')}: exit ${status}\n${stderr.slice(-2000)}${stdout.slice(-2000)}`,
    );
  return stdout;
};

/** The Debian package of a program that is called otherwise. */
const packageOf: Readonly<Record<string, string>> = {
  'dpkg-deb': 'dpkg',
  rpmbuild: 'rpm',
  ssh: 'openssh-client',
};
