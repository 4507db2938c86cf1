import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { Files } from '../../src/demo/shell/files.ts';
import { parseLine } from '../../src/demo/shell/parse.ts';
import { runScript } from '../../src/demo/shell/run.ts';
import { newShell, pause, runLimited, type Command, type Outside } from '../../src/demo/shell/shell.ts';
import { Incomplete } from '../../src/demo/shell/syntax.ts';
import { emptyFolder } from '../helpers/folder.ts';

const changes: (readonly string[])[] = [];

const outside = (directory = '/srv'): Outside => ({
  host: 'node1',
  user: 'demo',
  files: new Files([directory, '/root'], () => 1_700_000_000_000),
  now: () => 1_700_000_000_000,
  call: ({ argv, streams, env, signal }: Command) => {
    if (argv[0] === 'show') {
      streams.out(`${env['A'] ?? '-'}|${argv.slice(1).join('|')}\n`);
      return Promise.resolve(0);
    }
    if (argv[0] === 'hang') return pause(Number.POSITIVE_INFINITY, signal).then(() => 0);
    return undefined;
  },
  knows: (name) => name === 'show' || name === 'hang',
  onChanged: (argv) => changes.push(argv),
});

const run = async (
  script: string,
  world = outside(),
  input = '',
): Promise<{ out: string; err: string; code: number }> => {
  let out = '';
  let err = '';
  const streams = {
    input: { text: input },
    out: (text: string | Uint8Array) => void (out += Buffer.from(text).toString()),
    err: (text: string | Uint8Array) => void (err += Buffer.from(text).toString()),
  };
  const shell = newShell(world);
  const code = await runLimited(2, new AbortController().signal, (signal) =>
    runScript(script, shell, streams, signal),
  );
  return { out, err, code };
};

/** Scripts that the real sh and ours must end with the same output, errors (but for their wording) and exit code. */
const SAME = [
  `echo one; echo 'two  words' "three $HOME_NOT_SET"`,
  `printf '%s\\n' "a'b" 'c"d' e\\ f; printf '%d %x %5s|%-5s|\\n' 12 255 ab cd`,
  `printf 'a\\tb\\n'; printf '%s-' 1 2 3; printf '%b' 'x\\ny'`,
  `printf -- '--- %s\\n' 'a b'; printf -- '-\\n'`,
  `false; echo "$?"; true && echo yes || echo no; false && echo yes || echo no`,
  `{ echo in; exit 3; }; echo never`,
  `(exit 4); echo "$?"; ! true; echo $?; ! false; echo $?`,
  `A=1 B='two words'; echo "$A" "$B" $B; export A; echo "\${A}x" "\${C:-none}" "\${C-none}"`,
  `x=$(echo hi; echo there); echo "$x"; y=$(false); echo $?; rc=$?; echo "rc=$rc"`,
  `if [ 1 -lt 2 ]; then echo less; elif true; then echo other; else echo more; fi`,
  `for f in a b "c d"; do echo "<$f>"; done; i=0; while [ "$i" != xxx ]; do i="x$i"; i=\${i}; [ "$i" = xx0 ] && break_ 2>/dev/null || true; [ "$i" = xxx0 ] && i=xxx; done; echo "$i"`,
  `echo to-err >&2; echo both 2>&1; { echo a; echo b >&2; } 2>/dev/null`,
  `echo one > f; echo two >> f; cat f; cat < f; cat nofile; echo "rc $?"; wc -l < f`,
  `set -C; echo first > g; echo second > g; echo "rc $?"; cat g`,
  `mkdir d && echo made; mkdir d 2>/dev/null || echo there; rmdir d; rmdir d 2>/dev/null; echo $?; mkdir -p a/b/c; ls a`,
  `mkdir x; echo 1 > x/one; mv x y; cat y/one; rm -rf y; ls y 2>/dev/null; echo $?; rm -f none; echo $?`,
  `echo 1 > a1; ln a1 a2 && cat a2; ln a1 a2 2>/dev/null || echo taken; echo a*; rm a1 a2; echo a*`,
  `set -- a 'b c'; echo $#; for w in "$@"; do echo "[$w]"; done; shift; echo "$1"`,
  `f() { echo "f $1"; return 7; }; f x; echo $?; set -e; false || echo saved; false; echo never`,
  `cat <<'EOT'\nhere 'it' is $HOME\nEOT\necho after`,
  `echo a b c | wc -l; printf '3\\n1\\n2\\n' | sort | head -n 2; echo xyz | grep -q y && echo found`,
  `command -v cat >/dev/null && echo has; command -v nosuchtool; echo $?; nosuchtool; echo $?`,
  `[ -d . ] && [ ! -e nothing ] && test -z "" && test -n x && echo all; [ 1 = 2 -o 3 = 3 ]; echo $?`,
  `timeout 5 true; echo $?; timeout -k 1 0.05 sleep 5; echo $?; env A=1 true; sleep 0`,
  `# a comment\necho a # behind\n\n\necho b \\\n  c`,
  `echo "unfinished`,
  `if true; then echo x`,
  `echo )`,
  `exit`,
  `printf x; exit 300`,
  `basename /a/b/c; dirname /a/b/c; printf 'a b c\\n' | { read x y; echo "$y/$x"; }`,
  `cd /nosuchdir 2>/dev/null; echo $?; unset A; echo "[$A]"; : nothing; echo "\\$x \\" \\\\"`,
];

describe('the demo shell against sh', () => {
  it.each(SAME)('%s', async (script) => {
    const place = emptyFolder('shell');
    const real = spawnSync('sh', ['-c', script], {
      cwd: place,
      env: { PATH: '/usr/bin:/bin' },
      encoding: 'utf8',
    });
    const world = outside(place);
    const ours = await run(`cd ${place}\n${script}`, world);
    expect({ out: ours.out, code: ours.code }).toEqual({ out: real.stdout, code: real.status });
    expect(ours.err === '').toBe(real.stderr === '');
  });
});

describe('the demo shell', () => {
  it('hands commands it does not know to the simulators, with their settings', async () => {
    expect(await run(`A='x y' show a "b c"; sudo -n timeout -k 1 8 show d`)).toEqual({
      out: 'x y|a|b c\n-|d\n',
      err: '',
      code: 0,
    });
  });

  it('kills what hangs at its limit, outside and inside of sudo', async () => {
    expect((await run('timeout -k 1 0.05 hang; echo "$?"; sudo -n timeout 0.05 hang; echo "$?"')).out).toBe(
      '124\n124\n',
    );
  });

  it('says 127 as dash does', async () => {
    const real = execFileSync('sh', ['-c', 'nosuch 2>&1; true'], { encoding: 'utf8' });
    expect((await run('nosuch 2>&1; true')).out).toBe(real);
  });

  it('logs changes of files and nothing that only reads', async () => {
    changes.length = 0;
    await run(
      'cat /etc/x 2>/dev/null; ls / >/dev/null; mkdir /srv/lock; mkdir /srv/lock 2>/dev/null; echo me > /srv/lock/owner',
    );
    expect(changes).toEqual([
      ['mkdir', '/srv/lock'],
      ['>', '/srv/lock/owner'],
    ]);
  });

  it('reads complete lines from a stream and waits inside a construct', () => {
    expect(() => parseLine(`echo 'a\n`)).toThrow(Incomplete);
    expect(parseLine('\n\n')).toBeUndefined();
    expect(parseLine(`echo 'a\nb'\necho c\n`)?.rest).toBe('echo c\n');
  });
});

it('a loop without end is ended by its time, and a variable that doubles by its length', async () => {
  expect(await run('timeout 0.2 sh -c "while true; do :; done"; echo $?')).toMatchObject({
    out: '124\n',
    code: 0,
  });
  expect(await run('x=0123456789; while true; do x=$x$x; done; echo never')).toEqual({
    out: '',
    err: 'sh: 1: Out of space\n',
    code: 2,
  });
  expect((await run('i=; while [ "$i" != xxx ]; do i=x$i; done; echo $i')).out).toBe('xxx\n');
});

it.each(['f() { f; }; f', 'f() { f | f; }; f', 'f() { x=$(f); }; f'])(
  '%s is ended by its depth',
  async (script) => {
    expect(await run(script)).toMatchObject({
      code: 124,
      err: 'sh: 1: Maximum function recursion depth reached\n',
    });
  },
);
