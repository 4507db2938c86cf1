import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { childWire } from '../../src/transport/child-wire.ts';
import { Session } from '../../src/transport/session.ts';
import { brief, childrenOf, clock } from './sshd.ts';

const shells: [string, [string, ...string[]]][] = [
  ['dash', ['dash']],
  ['bash', ['bash', '--posix']],
  ['busybox', ['busybox', 'sh']],
];

const present = ([file]: readonly string[]): boolean => {
  const found = spawnSync('sh', ['-c', `command -v ${file}`]).status === 0;
  if (!found) console.warn(`skipped: ${file} is not installed`);
  return found;
};

/** The process of ours that runs this command line. */
const childRunning = (argv: readonly string[]): number => {
  const running = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8') === `${argv.join('\0')}\0`;
  return childrenOf(process.pid).find(running) ?? Number.NaN;
};

describe.each(shells.filter(([, argv]) => present(argv)))('the frame in %s', (_, argv) => {
  const start = async (atEnd: (end: () => void) => void, ...more: string[]): Promise<Session> => {
    const wire = childWire(
      [...argv, ...more],
      { PATH: process.env['PATH'], ENV: '/nowhere' },
      () => undefined,
    );
    const session = new Session(wire, clock, () => {});
    atEnd(() => session.close());
    expect(await session.hello(5000)).toBe('ready');
    return session;
  };
  const run = (session: Session, script: string, seconds = 5, maxBytes = 30_000_000) =>
    session.run({ script, seconds, maxBytes });
  /** The next answer is clean: nothing of the last request hangs on. */
  const clean = async (session: Session) =>
    expect(brief(await run(session, 'echo next; echo e >&2'))).toEqual({
      code: 0,
      out: 'next\n',
      err: 'e\n',
    });

  it('gives streams apart and exact, and the exit code', async ({ onTestFinished }) => {
    const session = await start(onTestFinished);
    const cases: [string, { code: number; out?: string; err?: string }][] = [
      ['printf a; printf b >&2', { code: 0, out: 'a', err: 'b' }],
      ['printf "\\n\\n"; printf "\\n" >&2', { code: 0, out: '\n\n', err: '\n' }],
      ['printf "a\\000b"', { code: 0, out: 'a\0b' }],
      ['', { code: 0 }],
      ['exit 3', { code: 3 }],
      ['set -e; false; echo no', { code: 1 }],
      ['exec true', { code: 0 }],
      ['cat', { code: 0 }],
      ['read x; echo "[$x] $?"', { code: 0, out: '[] 1\n' }],
      ['trap "" TERM; exit 0', { code: 0 }],
      [
        `echo "it's" 'a"b'`,
        {
          code: 0,
          out: `it's a"b
`,
        },
      ],
      [
        'echo "fl0123456789abcdef0123456789abcdef 0"; exit 7',
        { code: 7, out: 'fl0123456789abcdef0123456789abcdef 0\n' },
      ],
      ['echo one\necho two', { code: 0, out: 'one\ntwo\n' }],
      ['echo $LC_ALL $LANG $PATH ${ENV-none}', { code: 0, out: 'C C /usr/sbin:/usr/bin:/sbin:/bin none\n' }],
    ];
    for (const [script, expected] of cases)
      expect(brief(await run(session, script)), script).toEqual({ out: '', err: '', ...expected });
    await clean(session);
  });

  it('survives what breaks the script', async ({ onTestFinished }) => {
    const session = await start(onTestFinished);
    for (const script of ['echo "unterminated', 'if', 'no-such-command', '. /no/such/file', '}', ')']) {
      const answer = await run(session, script);
      expect(answer.exitCode, script).toBeGreaterThan(0);
      expect(answer.stderr.length, script).toBeGreaterThan(0);
    }
    expect((await run(session, 'kill -9 $$')).exitCode).toBe(137);
    expect((await run(session, 'kill -9 -$PPID')).exitCode).toBe(137);
    expect((await run(session, 'kill -9 $PPID')).exitCode).toBe(137);
    await clean(session);
  });

  it('carries 20 MB on both streams at once', async ({ onTestFinished }) => {
    const session = await start(onTestFinished);
    const answer = await run(session, 'head -c 20000000 /dev/zero & head -c 20000000 /dev/zero >&2; wait');
    expect(answer).toMatchObject({ exitCode: 0, truncated: false, stdoutBytes: 20_000_000 });
    expect(answer.stderr.length).toBe(20_000_000);
    await clean(session);
  });

  it('kills background children with their group', async ({ onTestFinished }) => {
    const session = await start(onTestFinished);
    const answer = await run(session, '(sleep 3; echo late) & echo now');
    expect(brief(answer)).toMatchObject({ code: 0, out: 'now\n' });
    await clean(session);
  });

  // As rpcbind and daemons of old init scripts do: the first process ends before the second has left the group of the command.
  it('lets a daemon live that leaves the group right after its command has ended', async ({
    onTestFinished,
  }) => {
    const session = await start(onTestFinished);
    const daemon = 'sleep 0.3; exec setsid sleep 77.0';
    const answer = await run(session, `sh -c '${daemon}' </dev/null >/dev/null 2>&1 & echo $!; exit 3`);
    expect(brief(answer)).toMatchObject({ code: 3 });
    const pid = Number(brief(answer).out);
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).toBe('sleep\u000077.0\0');
    process.kill(pid);
    expect(answer.durationMs).toBeLessThan(1500);
    await clean(session);
  });

  it('gives what stays in the group a second, and none where the time was over', async ({
    onTestFinished,
  }) => {
    const session = await start(onTestFinished);
    const ended = await run(session, 'sleep 78 & exit 0');
    expect(brief(ended)).toEqual({ code: 0, out: '', err: '' });
    expect(ended.durationMs).toBeGreaterThan(900);
    expect(ended.durationMs).toBeLessThan(4000);
    const late = await run(session, 'sleep 79 & wait', 1);
    expect(late).toMatchObject({ exitCode: 124, timedOut: true });
    expect(late.durationMs).toBeLessThan(1900);
  });

  it.concurrent(
    'keeps the text of a child in its own session in its own answer',
    async ({ onTestFinished }) => {
      const session = await start(onTestFinished);
      expect(
        brief(await run(session, 'setsid sh -c "sleep 0.5; echo late" & sleep 0.2; echo now')),
      ).toMatchObject({
        code: 0,
        out: 'now\nlate\n',
      });
      await clean(session);
    },
  );

  it.concurrent('limits time, also of what ignores TERM', async ({ onTestFinished }) => {
    const session = await start(onTestFinished);
    expect(brief(await run(session, 'exit 124'))).toEqual({ code: 124, out: '', err: '' });
    const answer = await run(session, 'trap "" TERM; echo a; while :; do sleep 0.1; done', 1);
    expect(brief(answer)).toMatchObject({ code: 137, out: 'a\n', timedOut: true });
    expect(session.ended).toBeDefined();
  });

  it.concurrent('never reads the death of the shell as success', async ({ onTestFinished }) => {
    const session = await start(onTestFinished, '-s');
    const asked = run(session, 'echo a; sleep 1');
    setTimeout(() => process.kill(childRunning([...argv, '-s']), 'SIGKILL'), 200);
    const answer = await asked;
    expect(answer.exitCode).toBeUndefined();
    expect(answer).toMatchObject({ lost: true, timedOut: false });
  });

  it('hides its nonce from the script', async ({ onTestFinished }) => {
    const session = await start(onTestFinished);
    const answer = await run(session, 'set; env; cat /proc/[0-9]*/cmdline /proc/$PPID/environ');
    expect(brief(answer).out).not.toMatch(/fl[0-9a-f]{32}/);
  });

  it('hands standard input over', async ({ onTestFinished }) => {
    const session = await start(onTestFinished);
    const input = `a 'quoted'\nline\n\\n %s "$x"\n${'x'.repeat(200_000)}`;
    const answer = await session.run({
      script: 'cat; exit 5',
      stdin: input,
      seconds: 5,
      maxBytes: 1_000_000,
    });
    expect(brief(answer)).toEqual({ code: 5, out: input, err: '' });
    const unread = await session.run({ script: 'exit 6', stdin: input, seconds: 5, maxBytes: 1000 });
    expect(brief(unread)).toEqual({ code: 6, out: '', err: '' });
    await clean(session);
  });

  it('tells what the command took on the host apart from what the way there and back took', async ({
    onTestFinished,
  }) => {
    const wire = childWire(argv, { PATH: process.env['PATH'] }, () => undefined);
    let lateMs = 0;
    const session = new Session(
      {
        ...wire,
        listen: (on) =>
          wire.listen({
            ...on,
            data: (stream, chunk) => void setTimeout(() => on.data(stream, chunk), lateMs),
          }),
      },
      clock,
      () => {},
    );
    onTestFinished(() => session.close());
    expect(await session.hello(5000)).toBe('ready');
    const busy = await run(session, 'sleep 0.5');
    expect(busy.hostMs).toBeGreaterThanOrEqual(480);
    expect(busy.hostMs).toBeLessThanOrEqual(busy.durationMs);
    lateMs = 1500;
    const held = await run(session, 'true');
    expect(held.durationMs).toBeGreaterThanOrEqual(1490);
    expect(held.durationMs - (held.hostMs ?? Infinity)).toBeGreaterThanOrEqual(1400);
  });

  it('cuts a flood short', async ({ onTestFinished }) => {
    const session = await start(onTestFinished);
    const answer = await run(session, 'yes', 5, 1000);
    expect(answer).toMatchObject({ truncated: true, timedOut: false, lost: false });
    expect(answer.exitCode).toBeUndefined();
    expect(answer.stdout.length).toBe(1000);
    expect(answer.stdoutBytes).toBeGreaterThan(1_000_000);
  });
});

const sleeps: readonly (readonly [what: string, body: string])[] = [
  [
    'knows whole seconds only',
    'case $1 in *.*) echo "sleep: invalid number" >&2; return 1;; esac; command sleep "$@"',
  ],
  ['is not there', 'echo "sleep: not found" >&2; return 127'],
];

// Only bash takes functions from its environment; the text is the same for all shells.
it.each(sleeps.filter(() => present(['bash'])))(
  'the frame says nothing of its own where sleep %s',
  async (_, body) => {
    const wire = childWire(
      ['bash', '--posix'],
      { PATH: process.env['PATH'], 'BASH_FUNC_sleep%%': `() { ${body}; }` },
      () => undefined,
    );
    const session = new Session(wire, clock, () => {});
    expect(await session.hello(5000)).toBe('ready');
    const answer = await session.run({ script: 'tail -f /dev/null & exit 3', seconds: 5, maxBytes: 1000 });
    expect(brief(answer)).toEqual({ code: 3, out: '', err: '' });
    expect(answer.durationMs).toBeLessThan(1900);
    session.close();
  },
);
