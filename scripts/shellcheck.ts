import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';

/**
 * ShellCheck over every script of the program: Debian's package, not npm's, which fetches its program from elsewhere. Where it is
 * not installed that is one line to see, and a failure in CI.
 */
const files = globSync('{src,probes}/**/*.sh').toSorted();
const { status, error } = spawnSync('/usr/bin/shellcheck', ['--shell=sh', ...files], {
  stdio: 'inherit',
});
if (error) {
  process.stderr.write(
    `shellcheck is not installed (apt-get install shellcheck): ${files.length} scripts were not checked\n`,
  );
  process.exitCode = process.env['CI'] === undefined ? 0 : 1;
} else process.exitCode = status ?? 1;
