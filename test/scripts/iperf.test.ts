import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Said, ScriptHost, shells, until } from './script-host.ts';

const folder = '/var/tmp/faultline-tasks';
const sweep = (name: string): string => `probes/iperf/sweep/${name}.sh`;
const cancel = 'probes/iperf/act/cancel.sh';

/** State files whose names end so. */
const files = (host: ScriptHost, ending: string): string[] =>
  (host.has(folder) ? readdirSync(host.path(folder)) : []).filter((name) => name.endsWith(ending));

const text = (host: ScriptHost, ending: string): string =>
  files(host, ending)
    .map((name) => host.text(`${folder}/${name}`))
    .join('');

/** A host where `ping` answers and iperf3 does this. */
const hostWith = (shell: string, iperf3: string): ScriptHost => {
  const host = new ScriptHost(shell, ['/proc/net/']);
  host.program('ping', 'echo "rtt min/avg/max/mdev = 0.1/0.2/0.3/0.0 ms"');
  host.program('iperf3', iperf3);
  return host;
};

const client = (host: ScriptHost): Promise<Said> =>
  host.run(
    sweep('client'),
    'a',
    'b',
    'bounded',
    '10.0.0.2',
    'iperf3',
    '5',
    '1',
    'forward',
    '',
    '',
    '1',
    '5301 5302',
    '-t',
    '5',
  );

/** Listens, as /proc/net/tcp shows it: 14B5 is port 5301. */
const listens = 'echo "  0: 00000000:14B5 00000000:0000 0A 0" >/proc/net/tcp; exec sleep 20';

describe.each(shells)('scripts of iperf under %s', { concurrent: true }, (shell) => {
  it('client.sh keeps what the test printed and how it ended, on the first port that takes it', async () => {
    const host = hostWith(
      shell,
      'case "$*" in *5301*) echo "connect failed: Connection refused"; exit 1;; esac; echo "connected $*"',
    );
    expect(await client(host)).toMatchObject({
      status: 0,
      complaints: '',
      said: expect.stringMatching(/^started \S+\n$/),
    });
    await until(() => text(host, '.run').includes('=== end'));
    const said = text(host, '.run');
    expect(said).toContain('client=a\nserver=b\ntool=iperf3\nseconds=5\nstreams=1\nmode=forward\n');
    expect(said).toContain(
      'rtt=rtt min/avg/max/mdev = 0.1/0.2/0.3/0.0 ms\n--- out\nconnected -c 10.0.0.2 -p 5302 -t 5\n',
    );
    expect(said).toMatch(/\n=== end 0 \d+ 5302 \n$/);
  });

  it('cancel.sh ends a client that runs', async () => {
    const host = hostWith(shell, 'echo connected; exec sleep 20');
    expect((await client(host)).status).toBe(0);
    expect((await host.run(cancel, 'cancel')).status).toBe(0);
    await until(() => text(host, '.run').includes('=== end'));
    expect(text(host, '.run')).toMatch(/\n=== end \d+ \d+ 5301 cancelled\n$/);
  });

  it('server.sh listens on the first port that is free, until it is cancelled', async () => {
    const host = hostWith(shell, `case "$*" in *5300*) echo "address in use"; exit 1;; esac; ${listens}`);
    host.file('/proc/net/tcp', '');
    const began = await host.run(sweep('server'), 'a:b', 'iperf3', '5', 'bounded', '1', '5300', '5301');
    expect(began).toMatchObject({ status: 0, said: 'listening on port 5301\n' });
    expect(text(host, '.server')).toBe('port=5301\nguarded\n');
    await host.run(cancel, 'cancel');
    expect(files(host, '.server')).toEqual([]);
  });

  it('server.sh says why no server could be started', async () => {
    const host = hostWith(shell, 'echo "address in use"; exit 1');
    host.file('/proc/net/tcp', '');
    const began = await host.run(sweep('server'), 'a:b', 'iperf3', '5', 'bounded', '1', '5301');
    expect(began).toMatchObject({ status: 1, complaints: 'address in use\nno server could be started\n' });
  });

  it('a sweep is armed once, begins at the word, makes its tests and ends', async () => {
    const host = hostWith(shell, 'echo "connected $*"');
    const arm = (): Promise<Said> =>
      host.run(
        sweep('arm'),
        'sweep-arm',
        'id1',
        'a',
        'a,b',
        '1',
        '2',
        '1',
        '1,send,b,10.0.0.2,iperf3,5301+5302',
      );
    expect(await arm()).toMatchObject({ status: 0, complaints: '', said: 'armed id1\n' });
    expect(await arm()).toMatchObject({ status: 4, complaints: 'a sweep runs here already\n' });
    expect(await host.run(sweep('go'), 'sweep-go', 'other')).toMatchObject({ status: 1 });
    expect(text(host, '.task')).toContain('id=id1\nhost=a\nhosts=a,b\ntests=1\nrounds=1\nround=0\nslot=2\n');
    expect(await host.run(sweep('go'), 'sweep-go', 'id1')).toMatchObject({ status: 0, complaints: '' });
    await until(() => text(host, '.task').includes('state=done'));
    expect(text(host, '.run')).toContain('sweep=id1\n');
    expect(text(host, '.run')).toMatch(/connected -c 10\.0\.0\.2 -p 5301 -t 1 -i 1 -P 1\n\n=== end 0 /);
  });

  it('an armed sweep that is cancelled says so', async () => {
    const host = hostWith(shell, 'exit 0');
    await host.run(
      sweep('arm'),
      'sweep-arm',
      'id2',
      'a',
      'a,b',
      '1',
      '2',
      '1',
      '1,receive,b,10.0.0.2,iperf3,5301',
    );
    expect((await host.run(cancel, 'cancel')).status).toBe(0);
    await until(() => text(host, '.task').includes('state=cancelled'));
  });
});
