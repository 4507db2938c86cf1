import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseFacts, parseTools } from '../../probes/iperf/read/parse-facts.ts';
import { parseRuns } from '../../probes/iperf/read/parse-runs.ts';
import { findPart, splitSections } from '../../src/kit/sections.ts';
import { answerOf } from '../helpers/answer.ts';
import { shellText } from '../../scripts/shell-text.ts';
import { quote } from '../../src/text/shell.ts';
import { type Said, ScriptHost, shells, until } from './script-host.ts';

const folder = '/var/tmp/faultline-tasks';
const sweep = (name: string): string => `probes/iperf/sweep/${name}.sh`;
const ask = (name: string): string => `probes/iperf/ask/${name}.sh`;
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

  it('what the interfaces carried meanwhile is kept by both ends, the loop and what did not move left out', async () => {
    const host = hostWith(
      shell,
      'cat >/proc/net/dev <<E\n  eth0:90000000000 9 0 0 0 0 0 0 4096 8 0 0 0 0 0 0\n    lo: 9 9 0 0 0 0 0 0 9 9 0 0 0 0 0 0\nE\necho connected',
    );
    host.file(
      '/proc/net/dev',
      'Inter-| Receive\n face |bytes\n  eth0: 1000 1 0 0 0 0 0 0 96 1 0 0 0 0 0 0\n    lo: 1 1 0 0 0 0 0 0 1 1 0 0 0 0 0 0\n  ib0: 5 1 0 0 0 0 0 0 5 1 0 0 0 0 0 0\n',
    );
    expect(await client(host)).toMatchObject({ status: 0, complaints: '' });
    await until(() => text(host, '.run').includes('=== end'));
    expect(text(host, '.carried')).toMatch(/^at=\d+\neth0 89999999000 4000\nseconds=\d+\.\d\d\n$/);
    const read = await host.run(ask('runs'));
    const { value, notUnderstood } = parseRuns(answerOf(read.said), Date.now());
    expect(notUnderstood).toBe(0);
    expect(value.carried).toMatchObject([
      { pair: 'a:b', nics: [{ nic: 'eth0', rxBytes: 89_999_999_000, txBytes: 4000 }] },
    ]);
  });

  it('server.sh keeps what its interfaces carried, too', async () => {
    const host = hostWith(
      shell,
      'echo "  0: 00000000:14B5 00000000:0000 0A 0" >/proc/net/tcp; sleep 0.3; echo "  0: 00000000:14B5 00000000:0000 01 0" >>/proc/net/tcp; sleep 3; echo "eth0: 7000 1 0 0 0 0 0 0 96 1 0 0 0 0 0 0" >/proc/net/dev',
    );
    host.file('/proc/net/tcp', '');
    host.file('/proc/net/dev', 'eth0: 1000 1 0 0 0 0 0 0 96 1 0 0 0 0 0 0\n');
    const began = await host.run(sweep('server'), 'a:b', 'iperf3', '300', 'bounded', '1', '5301');
    expect(began).toMatchObject({ status: 0, complaints: '' });
    await until(() => files(host, '.server').length === 0);
    expect(text(host, '.carried')).toMatch(/^at=\d+\neth0 6000 0\nseconds=\d+\.\d\d\n$/);
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

  it('server.sh tells of no server any more once its iperf has ended', async () => {
    const host = hostWith(shell, listens.replace('exec sleep 20', 'sleep 1'));
    host.file('/proc/net/tcp', '');
    const began = await host.run(sweep('server'), 'a:b', 'iperf3', '300', 'bounded', '1', '5301');
    expect(began).toMatchObject({ status: 0, complaints: '' });
    expect(files(host, '.server')).toHaveLength(1);
    await until(() => files(host, '.server').length === 0);
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
    expect(text(host, '.run')).toMatch(/connected -c 10\.0\.0\.2 -p 5301 -t 1 -i 1 -P 1 -V\n\n=== end 0 /);
  });

  it('a test of a sweep, too, begins with pings that may not be cut up, and iperf 2 is not asked for words', async () => {
    const host = hostWith(shell, 'exit 1');
    host.program('getent', 'echo "10.0.0.2 STREAM b"');
    host.program('ip', 'echo "10.0.0.2 dev lo src 10.0.0.1"');
    host.program(
      'ping',
      'case "$*" in *-s*) echo "2 packets transmitted, 0 received";; *) echo "rtt 0.2";; esac',
    );
    host.program('iperf', 'echo "connected $*"');
    await host.run(
      sweep('arm'),
      'sweep-arm',
      'id3',
      'a',
      'a,b',
      '1',
      '2',
      '1',
      '1,send,b,10.0.0.2,iperf2,5301',
    );
    await host.run(sweep('go'), 'sweep-go', 'id3');
    await until(() => text(host, '.run').includes('=== end'));
    expect(text(host, '.run')).toMatch(/\nmtu=\d+\nfull=0\nstandard=0\n/);
    expect(text(host, '.run')).toMatch(/connected -c 10\.0\.0\.2 -p 5301 -t 1 -i 1 -P 1\n/);
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

  it('facts.sh tells of the NIC by which the route to the peer goes, else of the default route’s', async () => {
    const host = hostWith(shell, 'exit 0');
    host.program(
      'ip',
      'case "$*" in *"route get 10.0.0.2") echo "10.0.0.2 dev ib0 src 10.0.0.1";; *"route get"*) exit 2;; *default*) echo "default via 10.0.0.9 dev eth0";; *) echo "[$*]";; esac',
    );
    host.program('ethtool', 'echo "of $*"; exit 3');
    const facts = (peer: string): Promise<Said> =>
      host.runText(`peer=${quote(peer)}\n${shellText(ask('facts'))}`);
    const { said, complaints, status } = await facts('10.0.0.2');
    expect(complaints).toBe('');
    expect([0, 1]).toContain(status);
    const part = (name: string) => findPart(splitSections(said), name);
    expect(part('nic')).toEqual({ text: 'ib0', code: 0 });
    expect(part('speed')).toEqual({ text: 'of ib0\n', code: 3 });
    expect(part('link')?.text).toContain('link show dev ib0');
    expect(part('kernel')?.code).toBe(0);
    expect(parseFacts(answerOf(said))).toMatchObject({ nic: 'ib0' });
    for (const peer of ['', '10.9.9.9', 'a b; echo odd'])
      expect(findPart(splitSections((await facts(peer)).said), 'nic')?.text).toBe('eth0');
  });

  it('affinity.sh writes each interrupt’s cores, and stops at one that the kernel does not take', async () => {
    const host = new ScriptHost(shell, ['/proc/irq/']);
    host.file('/proc/irq/40/smp_affinity_list', '0-7\n');
    host.file('/proc/irq/42/smp_affinity_list', '0-7\n');
    const path = 'probes/iperf/act/affinity.sh';
    expect(await host.run(path, '40:0-3,8')).toEqual({ said: '', complaints: '', status: 0 });
    expect(host.text('/proc/irq/40/smp_affinity_list')).toBe('0-3,8\n');
    expect((await host.run(path, '40:1', '41:2', '42:3')).status).toBe(1);
    expect(host.text('/proc/irq/40/smp_affinity_list')).toBe('1\n');
    expect(host.text('/proc/irq/42/smp_affinity_list')).toBe('0-7\n');
  });

  it('tools.sh and runs.sh say of each part how it ended, also where nothing is there', async () => {
    const host = hostWith(shell, 'echo "iperf 3.12 (cJSON 1.7.15)"');
    host.program('iperf', 'echo "iperf version 2.1.8 (12 August 2022) pthreads" >&2');
    host.file('/proc/net/tcp', '  0: 00000000:14B5 00000000:0000 0A 0\n');
    const tools = await host.run(ask('tools'));
    expect(parseTools(answerOf(tools.said))).toEqual({
      tools: [
        { tool: 'iperf3', version: '3.12' },
        { tool: 'iperf2', version: '2.1.8' },
      ],
      listening: [5301],
    });
    const none = await host.run(ask('runs'));
    const parts = splitSections(none.said);
    expect(parts.map(({ word }) => word).filter((word) => !word.endsWith('-exit'))).toEqual([
      'clock',
      'others',
      'runs',
      'servers',
      'carried',
      'sweep',
      'end',
    ]);
    expect(findPart(parts, 'runs')).toEqual({ text: '', code: 0 });
    host.program('find', 'echo "find: cannot look" >&2; exit 1');
    const blind = await host.run(ask('runs'));
    expect(findPart(splitSections(blind.said), 'runs')).toEqual({ text: 'find: cannot look\n', code: 3 });
    expect(() => parseRuns(answerOf(blind.said), Date.now())).toThrow('find: cannot look');
    host.program('find', 'exec /usr/bin/find "$@"');
    host.file(`${folder}/iperf-a:b.server`, 'port=5301\nguarded\n');
    const one = await host.run(ask('runs'));
    expect(parseRuns(answerOf(one.said), Date.now()).value.servers).toEqual([{ pair: 'a:b', port: 5301 }]);
  });
});
