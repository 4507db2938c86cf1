import { describe, expect, it } from 'vitest';
import { ScriptHost, shells } from './script-host.ts';

const query = 'probes/switch/prometheus/query.sh';

/** Prints what it was called with, what it read, and a hundred bytes of an answer. */
const curl = `printf 'argument %s\\n' "$@" >&2
sed 's/^/read /' >&2
printf '%0100d' 7`;

describe.each(shells)('the question to Prometheus under %s', (shell) => {
  const ask = (bytes: string, file: string, ...command: readonly string[]) => {
    const host = new ScriptHost(shell);
    host.program('curl', curl);
    host.file('/var/token', 'abc.D-1~2+3/4==\n');
    host.file('/var/page', '<html> "x"\n');
    const place = file === '' ? '' : host.path(file);
    // A text in a test: what packs is tried with the real one.
    host.program('gzip', 'cat');
    return host.run(query, 'http://p:9090', '{__name__=~"a|b"}[9s]', bytes, '5', place, ...command);
  };

  it('gives the clock, the answer and how curl ended; the token is read by curl and stands in no argument', async () => {
    const { said, complaints, status } = await ask('1000', '/var/token');
    expect(status).toBe(0);
    expect(said).toMatch(/^\d{10,}\n0{99}7$/);
    expect(complaints).toContain('read header = "Authorization: Bearer abc.D-1~2+3/4=="');
    expect(complaints).toContain('argument query={__name__=~"a|b"}[9s]\n');
    expect(complaints).toContain('argument http://p:9090/api/v1/query\n');
    expect(complaints).toMatch(/curl ended: 0\n$/);
    expect(complaints).not.toMatch(/argument .*abc/);
  });

  it('reads no header where there is no token, and takes it from a command', async () => {
    expect((await ask('1000', '')).complaints).not.toContain('read ');
    expect((await ask('1000', '', 'printf', '%s', 'xyz')).complaints).toContain('Bearer xyz"');
  });

  it('ends an answer that is too large on the host', async () => {
    const { said } = await ask('10', '');
    expect(said.split('\n')[1]).toBe('0'.repeat(10));
  });

  it.each([
    ['/var/none', [], /No such file/],
    ['/var/page', [], /holds other characters than a bearer token has/],
    ['', ['true'], /it is empty/],
    ['', ['sh', '-c', 'echo locked >&2; exit 1'], /locked/],
  ])('asks nothing without its token: %s %j', async (file, command, told) => {
    const { said, complaints, status } = await ask('1000', file, ...command);
    expect([said, status]).toEqual(['', 3]);
    expect(complaints).toMatch(told);
  });
});
