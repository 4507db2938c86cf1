import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { shellText } from '../../scripts/shell-text.ts';

const scripts = globSync('{src,probes}/**/*.sh').toSorted();

/** The shells that hosts have for `sh`: Debian, embedded, Red Hat. */
const shells = [['dash'], ['busybox', 'sh'], ['bash', '--posix']].filter(([name = '']) =>
  existsSync(`/usr/bin/${name}`),
);

describe.each(scripts)('%s', (path) => {
  it.each(shells)('is read by %s', (...shell) => {
    const [program = '', ...options] = shell;
    const { stderr, status } = spawnSync(program, [...options, '-n'], { input: shellText(path) });
    expect(stderr.toString()).toBe('');
    expect(status).toBe(0);
  });

  it('says what it is for, and which shell it is checked as', () =>
    expect(shellText(path).length).toBeGreaterThan(0));
});

it('dash, busybox and bash are there in CI', () => {
  if (process.env['CI'] !== undefined) expect(shells).toHaveLength(3);
});
