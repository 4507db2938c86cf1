import { describe, expect, it } from 'vitest';
import { CommandFailed } from '../../src/model/errors.ts';
import { parseRuns } from '../../probes/iperf/read/parse-runs.ts';
import { answerOfParts } from '../helpers/answer.ts';
import type { Answer } from '../../src/model/answer.ts';

const now = Date.UTC(2026, 10, 20, 2, 21, 0);
const seconds = Math.floor(now / 1000);

const head = (started: number): string =>
  `id=${started}-17\nclient=a\nserver=b\ntool=iperf3\nseconds=3\nstreams=1\nmode=forward\nwindow=\nsweep=\nstarted=${started}\nrtt=rtt min/avg/max/mdev = 0.1/0.2/0.3/0.0 ms\n--- out\n`;

const output = `Connecting to host b, port 5301
[  5] local 10.0.0.1 port 43210 connected to 10.0.0.2 port 5301
[ ID] Interval           Transfer     Bitrate         Retr  Cwnd
[  5]   0.00-1.00   sec  1.10 GBytes  9.45 Gbits/sec    0   1.53 MBytes
[  5]   1.00-2.00   sec  1.10 GBytes  9.47 Gbits/sec    0   1.53 MBytes
[  5]   2.00-3.00   sec  1.10 GBytes  9.46 Gbits/sec    0   1.53 MBytes
- - - - - - - - - - - - - - - - - - - - - - - - -
[ ID] Interval           Transfer     Bitrate         Retr
[  5]   0.00-3.00   sec  3.30 GBytes  9.46 Gbits/sec    0             sender
[  5]   0.00-3.04   sec  3.30 GBytes  9.45 Gbits/sec                  receiver

iperf Done.
`;

const answer = (runs: string, clock = seconds, sweep = '', others = ''): Answer =>
  answerOfParts(
    ['clock', `${clock}\n`],
    ['runs', runs],
    ['servers', ''],
    ['sweep', sweep],
    ['others', others],
  );

const file = (body: string): string => `==> /var/tmp/faultline-tasks/iperf-a:b.1.run <==\n${body}`;

const one = (body: string, clock = seconds) => parseRuns(answer(file(body), clock), now).value.runs[0];

describe('state files of tests', () => {
  it('are read whole', () => {
    expect(one(`${head(seconds - 5)}${output}\n=== end 0 ${seconds - 2} 5301 \n`)).toMatchObject({
      client: 'a',
      server: 'b',
      status: 'ok',
      rttMs: 0.2,
      port: 5301,
      startedAt: now - 5000,
      endedAt: now - 2000,
      sourcePorts: { 5: 43_210 },
      retransmits: 0,
    });
  });

  it('are running without an end, and vanished when they should long be over', () => {
    expect(one(head(seconds - 2) + output.slice(0, 300))).toMatchObject({
      status: 'running',
      vanished: false,
    });
    expect(one(head(seconds - 200) + output.slice(0, 300))).toMatchObject({
      status: 'partial',
      vanished: true,
    });
  });

  it('can be cut anywhere', () => {
    const whole = `${head(seconds - 5)}${output}`;
    for (let at = 0; at < whole.length; at++) {
      const { value, notUnderstood } = parseRuns(answer(file(whole.slice(0, at))), now);
      expect(value.runs.length + notUnderstood).toBe(1);
      expect(value.runs[0]?.status ?? 'running').toBe('running');
    }
  });

  it('tell what a shell said instead of iperf, and why a test was ended', () => {
    const end = `=== end 127 ${seconds} 5301 `;
    expect(one(`${head(seconds - 5)}sh: 1: iperf3: not found\n\n${end}\n`)).toMatchObject({
      status: 'error',
      error: 'sh: 1: iperf3: not found',
    });
    expect(one(`${head(seconds - 5)}${output}\n=== end 1 ${seconds} 5301 cancelled\n`)).toMatchObject({
      status: 'partial',
      why: 'cancelled',
    });
  });

  it('are put right when the clock of the host is off', () => {
    const hour = 3600;
    const body = `${head(seconds + hour - 5)}${output}\n=== end 0 ${seconds + hour - 2} 5301 \n`;
    expect(one(body, seconds + hour)).toMatchObject({ startedAt: now - 5000, endedAt: now - 2000 });
  });

  it('tell of the sweep that the host is in; a part that says nothing for long has vanished', () => {
    const task = (updated: number): string =>
      `==> /var/tmp/faultline-tasks/iperf-sweep.task <==\nid=sweep-3\nhost=a\nhosts=16\ntests=2\nrounds=5\nround=2\nslot=12\nstarted=${seconds - 20}\npid=77\nstate=running\nupdated=${updated}\n`;
    const read = (updated: number) => parseRuns(answer('', seconds, task(updated)), now).value.sweep;
    expect(read(seconds - 3)).toMatchObject({
      id: 'sweep-3',
      round: 2,
      state: 'running',
      startedAt: now - 20_000,
    });
    expect(read(seconds - 600)).toMatchObject({ state: 'vanished' });
    const broken = parseRuns(answer('', seconds, task(seconds).replace('slot=12', 'slot=')), now);
    expect(broken).toMatchObject({ notUnderstood: 1 });
    expect(broken.value.sweep).toBeUndefined();
  });

  it.each([
    ['whole', `at=${seconds - 20}\neth0 6000 0\nseconds=10.31\n`, 1, 0],
    ['of a server that was ended in the moment it began', `at=${seconds - 20}\nseconds=0.00\n`, 1, 0],
    ['that is cut in the middle', `at=${seconds - 20}\neth0 60`, 0, 1],
  ])('what the interfaces carried: a file %s', (_what, body, read, notUnderstood) => {
    const file = `==> /var/tmp/faultline-tasks/iperf-a:b.carried <==\n${body}`;
    const parts = ['runs', 'servers', 'sweep', 'others'].map((name) => [name, ''] as const);
    const found = parseRuns(answerOfParts(['clock', `${seconds}\n`], ...parts, ['carried', file]), now);
    expect(found.value.carried ?? []).toHaveLength(read);
    expect(found.notUnderstood).toBe(notUnderstood);
  });

  it('of two parts of sweeps the one that is not over counts, whichever comes first', () => {
    const part = (id: string, state: string, updated: number): string =>
      `==> /var/tmp/faultline-tasks/iperf-sweep.task <==\nid=${id}\nhosts=2\ntests=1\nrounds=1\nround=1\nslot=9\nstarted=1\nstate=${state}\nupdated=${updated}\n`;
    const read = (...parts: string[]) =>
      parseRuns(answer('', seconds, parts.join('\n')), now).value.sweep?.id;
    const [over, later] = [part('over', 'done', seconds), part('later', 'cancelled', seconds + 1)];
    const open = part('open', 'running', seconds - 5);
    expect([read(over, open), read(open, over), read(over, later), read(later, over)]).toEqual([
      'open',
      'open',
      'later',
      'later',
    ]);
  });

  it("tell whose folder is not read, and nothing of folders where there is nobody else's", () => {
    const eve = '/var/tmp/faultline-tasks is not ours: directory of eve (12345), drwxr-xr-x';
    const others = (text: string) => parseRuns(answer('', seconds, '', text), now).value.others;
    expect(others(`${eve}\n`)).toEqual([eve]);
    expect(others('')).toBeUndefined();
    expect(others("find: '/var/tmp/': No such file or directory\n")).toBeUndefined();
  });

  it('are none where there is no folder yet; a folder that can’t be read is a failure', () => {
    const missing = 'find: ‘/var/tmp/faultline-tasks’: No such file or directory\n';
    expect(parseRuns(answer(missing), now).value.runs).toEqual([]);
    const closed = 'find: ‘/var/tmp/faultline-tasks’: Permission denied\n';
    expect(() => parseRuns(answer(closed), now)).toThrow(CommandFailed);
  });
});
