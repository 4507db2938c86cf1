import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyFolder } from '../helpers/folder.ts';
import { runProgram } from '../smoke/terminal.ts';
import { iperfDown, iperfUp } from './iperf.ts';
import { IPERF_HOSTS, iperfNet, iperfOn, onHost } from './iperf-hosts.ts';
import { run, until } from './processes.ts';
import { programArgs } from '../helpers/source.ts';

const repository = join(import.meta.dirname, '../..');
const program = programArgs();

/** Whether this machine can make a network namespace and shape a wire in it. */
const problem = ((): string | undefined => {
  try {
    run('unshare', [
      '-n',
      'sh',
      '-c',
      'ip link add veth1 type veth peer name veth2 && tc qdisc add dev veth1 root tbf rate 1mbit burst 32kb latency 50ms',
    ]);
    return undefined;
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? 'no namespaces') : String(error);
  }
})();
if (problem !== undefined) process.stderr.write(`iperf lab: skipped, no shaped wires here: ${problem}\n`);

describe.skipIf(problem !== undefined)('iperf between real hosts', () => {
  const folder = emptyFolder('if');
  const env = { ...process.env, XDG_STATE_HOME: join(folder, 'state') };
  let site = '';
  beforeAll(async () => {
    mkdirSync(join(folder, 'state'));
    site = await iperfUp(folder);
  });
  afterAll(async () => {
    await iperfDown(folder);
  });

  const words = (action: string, target: string, ...more: string[]): string[] => [
    ...program,
    'act',
    action,
    target,
    '--site',
    site,
    '--confirm',
    target,
    ...more,
  ];
  const act = (action: string, target: string, ...more: string[]) =>
    runProgram(words(action, target, ...more), env, repository);

  const test = async (pair: string, ...set: string[]): Promise<string> => {
    const { stdout, stderr } = await act('iperf.run', pair, ...set.flatMap((one) => ['--set', one]));
    return stdout + stderr;
  };

  /** From another console. */
  const cancel = async (action: string, target: string): Promise<void> => {
    const { stdout, stderr } = await runProgram(
      [...program, 'act', action, target, '--site', site, '--confirm', 'y'],
      { ...env, XDG_STATE_HOME: join(folder, 'other') },
      repository,
    );
    expect(stdout + stderr).toContain('done and verified: nothing runs');
  };

  const status = async (): Promise<string> => {
    const { stdout } = await runProgram(
      [...program, 'status', '--site', site, '--system', 'iperf'],
      env,
      repository,
    );
    return stdout;
  };

  const left = (): string[] =>
    IPERF_HOSTS.flatMap((host) => iperfOn(folder, host).map((line) => `${host}: ${line}`));

  const gone = (): Promise<void> =>
    until('no iperf process left', () => left().length === 0, 60_000).catch((error: unknown) => {
      throw new Error(left().join('\n'), { cause: error });
    });

  it('healthy: at line rate', async () => {
    expect(await test('if1:if2')).toMatch(/done and verified: at line rate/);
    await gone();
  });

  it('one direction slow: known once both were tested', async () => {
    expect(await test('if1:if3')).toMatch(/done and verified: at line rate/);
    expect(await test('if3:if1')).toMatch(/done and verified: slow this way only: 0\.03\d+ against 0\.1\d+/);
  });

  it('bimodal by source port: twelve streams on two levels', async () => {
    // None takes more than its share of the fast level: what they lose to each other is not this test's subject.
    expect(await test('if4:if1', 'streams=12', 'rate=12')).toMatch(
      /done and verified: bimodal by source port/,
    );
  });

  it('bimodal in time: two levels over thirty intervals', async () => {
    expect(await test('if7:if1', 'seconds=32')).toMatch(
      /done and verified: bimodal 0\.1\d+ \/ 0\.0\d+ Gbit\/s over \d\d intervals/,
    );
  });

  it('a firewall that drops is told from a server that refuses', async () => {
    expect(await test('if6:if9')).toMatch(/no connection from if6 to if9 within 5 s.*: a firewall/);
    await gone();
  });

  it('iperf 2 where one end has nothing else: forward, reverse, both ways, cancelled', async () => {
    expect(await test('if1:if8')).toMatch(/done and verified: at line rate/);
    expect(left()).toEqual([]);
    expect(await test('if8:if1', 'mode=reverse')).toMatch(/done and verified: at line rate/);
    expect(await test('if8:if2', 'mode=both')).toMatch(/done and verified/);
    const going = test('if2:if8', 'seconds=60');
    await until('both ends', () => iperfOn(folder, 'if2').length > 0 && iperfOn(folder, 'if8').length > 0);
    await pause(3_000);
    await cancel('iperf.cancel', 'if8');
    expect(await going).toContain('cancelled');
    await gone();
  });

  it('lossy: says how much is sent again', async () => {
    expect(await test('if1:if5')).toMatch(/done and verified: loses \d+(\.\d)? % of its segments/);
  });

  it('one stream: known once several reached line rate together', async () => {
    expect(await test('if10:if2', 'streams=16')).toMatch(/done and verified/);
    expect(await test('if10:if2')).toMatch(
      /done and verified: one stream gives 0\.0[34]\d*, 16 streams 0\.(?:1[89]|2)\d* Gbit\/s/,
    );
  });

  it('a name that nobody resolves', async () => {
    expect(await test('if1:if11')).toMatch(
      /failed: .*if1 can't resolve the name it was given for if11: set iperf\.addresses in the site file/,
    );
    await gone();
  });

  it('refused: the server listened, so it is a firewall or a wrong address', async () => {
    expect(await test('if1:if6')).toMatch(/if6 refused the connection, though the server listened/);
    await gone();
  });

  it('a port that is taken: the next one is used; a busy host: refused', async () => {
    const taken = spawn(
      'nsenter',
      `-t ${iperfNet.pid(folder, 'if2')} -m -u -n -p -- timeout 60 iperf3 -s -p 5301`.split(' '),
    );
    await until('a foreign server', () => iperfOn(folder, 'if2').length > 0);
    const first = test('if1:if2', 'seconds=8');
    await until('the first test', () => iperfOn(folder, 'if1').length > 0);
    expect(await test('if2:if3')).toMatch(/refused \(6 one test\): if2 is in a test already/);
    expect(await first).toMatch(/done and verified/);
    taken.kill();
    onHost(folder, 'if2', 'pkill', '-x', 'iperf3');
    await gone();
  });

  it('the server vanishes: said, with what was measured until then', async () => {
    const going = test('if1:if2', 'seconds=20');
    await until('the test', () => iperfOn(folder, 'if1').length > 0);
    await pause(4_000);
    onHost(folder, 'if2', 'pkill', '-9', '-x', 'iperf3');
    expect(await going).toMatch(/failed: .*until then/);
    await gone();
  });

  it('cancel ends both ends', async () => {
    const going = test('if1:if2', 'seconds=60');
    await until('the test', () => iperfOn(folder, 'if1').length > 0);
    await pause(3_000);
    await cancel('iperf.cancel', 'if1');
    expect(await going).toContain('cancelled');
    await gone();
  });

  it('a sweep names the one bad host of five and says how sure it is', async () => {
    const { stdout } = await act(
      'iperf.sweep',
      'iperf-lab',
      '--set',
      'hosts=if[1-3],if[8-9]',
      '--set',
      'seconds=3',
    );
    expect(stdout).toMatch(
      /done and verified: if3 is slow when it sends: (?:\d\d|>99) % sure, from 10 tests/,
    );
    await gone();
    const seen = await status();
    expect(seen).toContain('if3 slow among 5 hosts: slow when it sends');
  });

  it('a sweep goes on without its console, is seen by the next, and can be ended from there', async () => {
    const args = ['act', 'iperf.sweep', 'iperf-lab', '--site', site, '--confirm', 'iperf-lab'];
    const set = ['--set', 'hosts=if1,if2,if9', '--set', 'seconds=7'];
    const console = spawn(process.execPath, [...program, ...args, ...set], {
      cwd: repository,
      env: { ...env, XDG_STATE_HOME: join(folder, 'gone') },
      stdio: 'ignore',
    });
    await until('the first round', () => left().length >= 2);
    console.kill('SIGKILL');
    const round = onHost(folder, 'if1', 'sed', '-n', 's/^round=//p', task).trim();
    await until(
      'the next round',
      () => Number(onHost(folder, 'if1', 'sed', '-n', 's/^round=//p', task)) > Number(round),
      90_000,
    );
    await until('its test', () => left().length >= 2, 60_000);
    await cancel('iperf.cancel', 'if9');
    await gone();
    expect(onHost(folder, 'if1', 'cat', task)).toContain('state=cancelled');
  });

  it('SIGKILL of the console leaves nothing behind', async () => {
    const state = { ...env, XDG_STATE_HOME: join(folder, 'killed') };
    const console = spawn(process.execPath, words('iperf.run', 'if1:if2', '--set', 'seconds=120'), {
      cwd: repository,
      env: state,
      stdio: 'ignore',
    });
    await until('both ends', () => iperfOn(folder, 'if1').length > 0 && iperfOn(folder, 'if2').length > 0);
    await pause(3_000);
    console.kill('SIGKILL');
    await gone();
  });

  it('loss of the link leaves nothing behind', async () => {
    const going = runProgram(
      words('iperf.run', 'if1:if2', '--set', 'seconds=120'),
      { ...env, XDG_STATE_HOME: join(folder, 'lost') },
      repository,
    );
    await until('both ends', () => iperfOn(folder, 'if1').length > 0 && iperfOn(folder, 'if2').length > 0);
    await pause(4_000);
    onHost(folder, 'if2', 'ip', 'link', 'set', 'eth0', 'down');
    await gone();
    onHost(folder, 'if2', 'ip', 'link', 'set', 'eth0', 'up');
    expect((await going).stdout).toMatch(/the link is gone/);
  });
});

const task = '/var/tmp/faultline-tasks/iperf-sweep.task';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
