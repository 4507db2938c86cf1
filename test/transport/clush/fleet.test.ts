import { describe, expect, it } from 'vitest';
import { createFleet } from '../../../src/transport/clush/fleet.ts';
import { unsentAnswer, failure } from '../../../src/transport/failure.ts';
import type { Fleet, RawAnswer, ReadRequest } from '../../../src/model/answer.ts';
import { createFakeClock } from '../../collect/helpers/fake-clock.ts';
import { answerOf } from '../../collect/helpers/fake-site.ts';
import { adminHost, endLine, nodeLine, type Job } from './helpers.ts';

const request: ReadRequest = { script: 'uptime', deadlineMs: 8000 };

const fleetWith = (say: Parameters<typeof adminHost>[0], fanout?: number, eachMs = 0) => {
  const clock = createFakeClock();
  const { transport, jobs } = adminHost(say, eachMs === 0 ? undefined : () => clock.sleep(eachMs));
  const log: string[] = [];
  const clush = [
    { through: 'admin1', hosts: ['node1', 'node2', 'node3'], ...(fanout !== undefined && { fanout }) },
  ];
  const fleet = createFleet(
    { clush },
    { transports: { transportTo: () => transport }, clock, log: (line) => log.push(line) },
  );
  if (!fleet) throw new Error('no fleet');
  const alone: string[] = [];
  const read = (host: string, more: Partial<ReadRequest> = {}, signal?: AbortSignal): Promise<RawAnswer> =>
    fleet.read(host, { ...request, ...more }, async () => (alone.push(host), answerOf('by itself')), signal);
  return { clock, jobs, log, alone, read, fleet: fleet as Fleet };
};

const allFine = (job: Job) => ({
  lines: [
    ...job.nodes.map((node) => nodeLine(job, node, { stdout: `of ${node}`, exitCode: 3 })),
    endLine(job),
  ],
});

const textOf = ({ stdout }: RawAnswer): string => Buffer.from(stdout).toString();

describe('hosts that are asked together', () => {
  it('what is wanted of several within a moment is one run; each has its own answer', async () => {
    const { clock, jobs, read, alone, log } = fleetWith(allFine, 128);
    const all = Promise.all(['node1', 'node2', 'node3'].map((host) => read(host)));
    await clock.advance(300);
    const answers = await all;
    expect(jobs.map(({ nodes, fanout, seconds }) => ({ nodes, fanout, seconds }))).toEqual([
      { nodes: ['node1', 'node2', 'node3'], fanout: 128, seconds: 12 },
    ]);
    expect(answers.map(textOf)).toEqual(['of node1', 'of node2', 'of node3']);
    expect(answers[0]).toMatchObject({ exitCode: 3, lost: false, truncated: false });
    expect([alone, log]).toEqual([[], []]);
  });

  it('no name of a host stands in a command', async () => {
    const { clock, jobs, read } = fleetWith(allFine);
    const all = Promise.all(['node1', 'node2'].map((host) => read(host)));
    await clock.advance(300);
    await all;
    expect(jobs[0]?.command).toMatch(/^sh -c 'eval "\$\(echo [A-Za-z0-9+/=]+ \| base64 -d\)"'$/);
    expect(Buffer.from(jobs[0]?.command.split(' ')[4] ?? '', 'base64').toString()).not.toContain('node1');
  });

  it('each answer says how long the admin host is busy with all that answer, from the second run on the whole of it', async () => {
    const late = { out: null, err: null, rc: null, late: true };
    const { clock, read } = fleetWith(
      (job) => ({
        lines: [
          ...job.nodes.map((node) => nodeLine(job, node, {}, node === 'node3' ? late : {})),
          endLine(job),
        ],
      }),
      undefined,
      1000,
    );
    const busy: unknown[] = [];
    for (let run = 0; run < 2; run += 1) {
      const all = Promise.all(['node1', 'node2', 'node3'].map((host) => read(host)));
      await clock.advance(10_000);
      busy.push((await all).map(({ relayMs }) => relayMs));
    }
    expect(busy).toEqual([
      [1000, 2000, undefined],
      [2000, 2000, undefined],
    ]);
  });

  it('another command is another run, and a host alone is asked itself', async () => {
    const { clock, jobs, read, alone } = fleetWith(allFine);
    const all = Promise.all([read('node1'), read('node2'), read('node3', { script: 'free' })]);
    await clock.advance(300);
    expect((await all).map(textOf)).toEqual(['of node1', 'of node2', 'by itself']);
    expect(jobs).toHaveLength(1);
    expect(alone).toEqual(['node3']);
  });

  it('a script too long for one argument, and a host of no fleet, are asked alone', async () => {
    const { clock, jobs, read } = fleetWith(allFine);
    const all = Promise.all([read('node1', { script: 'x'.repeat(90_000) }), read('other')]);
    await clock.advance(300);
    expect((await all).map(textOf)).toEqual(['by itself', 'by itself']);
    expect(jobs).toEqual([]);
  });

  it('who gives up has a cancelled answer at once, and the run ends when all have', async () => {
    const { clock, jobs, read } = fleetWith(() => 'hang');
    const [one, two] = [new AbortController(), new AbortController()];
    const first = read('node1', {}, one.signal);
    const second = read('node2', {}, two.signal);
    await clock.advance(300);
    one.abort();
    expect(await first).toMatchObject({ cancelled: true });
    two.abort();
    expect(await second).toMatchObject({ cancelled: true });
    expect(jobs).toHaveLength(1);
  });
});

/** What a run of node1 and node2 gives them. */
const outcome = async (
  say: Parameters<typeof adminHost>[0],
  eachMs = 0,
): Promise<{ answers: RawAnswer[]; log: string[] }> => {
  const { clock, read, log } = fleetWith(say, undefined, eachMs);
  const all = Promise.all([read('node1'), read('node2')]);
  await clock.advance(300 + 4 * eachMs);
  return { answers: await all, log };
};

describe('a run that is not whole', () => {
  const fine = (job: Job): string => nodeLine(job, 'node1', { stdout: 'x' });
  const unread = { lost: true, truncated: false, timedOut: false };

  it.each<[string, Parameters<typeof adminHost>[0], string]>([
    [
      'no summary',
      (job) => ({ lines: [fine(job)] }),
      'ClusterShell on admin1 ended before all hosts were asked',
    ],
    [
      'another run',
      (job) => ({ lines: [fine(job), endLine(job, { end: 'x' })] }),
      'ClusterShell on admin1 ended with a summary of another run',
    ],
    [
      'other counts',
      (job) => ({ lines: [fine(job), endLine(job)] }),
      'ClusterShell on admin1 gave other answers than its summary counts',
    ],
    [
      'a host left out',
      (job) => ({ lines: [fine(job), endLine(job, { told: 1 })] }),
      'ClusterShell on admin1 said nothing of it within 33 s',
    ],
    [
      'killed',
      (job) => ({ lines: [fine(job)], ended: { exitCode: 137 } }),
      'ClusterShell on admin1 ended before all hosts were asked',
    ],
    [
      'cut in a line',
      (job) => ({ lines: [fine(job), fine(job).slice(0, 40)] }),
      'ClusterShell on admin1 ended before all hosts were asked',
    ],
    [
      'connection lost',
      (job) => ({ lines: [fine(job)], ended: { lost: true, exitCode: undefined } as object }),
      'connection to admin1 lost while ClusterShell ran there',
    ],
    [
      'failed',
      (job) => ({ lines: [fine(job), '{"fault":"failed","what":"TopologyError: x"}'] }),
      'ClusterShell on admin1 failed',
    ],
    [
      'flooded',
      (job) => ({ lines: [fine(job), '{"fault":"held","what":""}'] }),
      'hosts sent ClusterShell on admin1 more than 512 MB at once',
    ],
  ])('%s: who answered has answered, the rest is unread', async (_, say, what) => {
    const { answers, log } = await outcome(say);
    expect(textOf(answers[0] as RawAnswer)).toBe('x');
    expect(answers[1]).toMatchObject({ ...unread, notRelayed: { what } });
    expect(answers[1]?.exitCode).toBeUndefined();
    if (what.includes('said nothing')) expect(log).toEqual([]);
    else expect(log).toEqual([expect.stringContaining(what)]);
  });

  it('a second line about a host changes nothing, and one about a host that nobody asked is none', async () => {
    const { answers, log } = await outcome((job) => ({
      lines: [
        fine(job),
        nodeLine(job, 'node1', { stdout: 'false' }),
        nodeLine(job, 'node9', {}),
        nodeLine(job, 'node2', { stdout: 'y' }),
        endLine(job),
      ],
    }));
    expect(answers.map(textOf)).toEqual(['x', 'y']);
    expect(log).toEqual([expect.stringContaining('2 lines were none')]);
  });

  it('an admin host that cannot be reached is not the hosts that it asks', async () => {
    const down = unsentAnswer(failure('unreachable', 'admin1', 'connection refused', 'is sshd running?'), 1);
    const { answers } = await outcome(() => ({ lines: [], ended: down }));
    for (const answer of answers) {
      expect(answer.notConnected).toBeUndefined();
      expect(answer).toMatchObject({
        ...unread,
        notRelayed: {
          what: 'admin1, which asks it by ClusterShell, is not reached: connection refused',
          next: 'is sshd running?',
        },
      });
    }
  });
});

describe('one host of a run', () => {
  const ofNode = async (line: (job: Job) => string, eachMs = 0): Promise<RawAnswer | undefined> =>
    (await outcome((job) => ({ lines: [line(job), nodeLine(job, 'node2', {}), endLine(job)] }), eachMs))
      .answers[0];
  const bare = { out: null, err: null };
  const said = (text: string): string => Buffer.from(text).toString('base64');

  it('ssh of the admin host does not reach it: as if it had been asked from here', async () => {
    const refused = await ofNode((job) =>
      nodeLine(
        job,
        'node1',
        {},
        { ...bare, rc: 255, said: said('ssh: connect to host node1 port 22: No route to host\r\n') },
      ),
    );
    expect(refused?.notConnected).toMatchObject({
      kind: 'unreachable',
      message: 'node1: ClusterShell on admin1: no route to host; is it up, and is sshd running?',
    });
  });

  it('no answer in time, before the command and in it', async () => {
    const before = await ofNode((job) => nodeLine(job, 'node1', {}, { ...bare, rc: null, late: true }));
    expect(before?.notConnected).toMatchObject({ kind: 'timeout' });
    const during = await ofNode((job) =>
      nodeLine(
        job,
        'node1',
        {},
        { rc: null, late: true, out: said(`${job.mark}\nhalf`), err: said(`${job.mark}\n`) },
      ),
    );
    expect(during).toMatchObject({ timedOut: true, lost: false });
    expect(during?.exitCode).toBeUndefined();
    expect(textOf(during as RawAnswer)).toBe('half');
  });

  it('an exit code of 124 is a time-out only where the host took that long, however long the run did', async () => {
    const ended = (seconds: string) => (job: Job) =>
      nodeLine(job, 'node1', {}, { out: said(`${job.mark}\n\n${job.mark} 124 100.00 ${seconds}\n`) });
    expect(await ofNode(ended('100.40'))).toMatchObject({ exitCode: 124, timedOut: false });
    expect(await ofNode(ended('107.99'), 10_000)).toMatchObject({ exitCode: 124, timedOut: true });
    expect(await ofNode(ended('100.40'), 10_000)).toMatchObject({ exitCode: 124, timedOut: false });
  });

  it('a flood, and what is no base64, are no answer', async () => {
    const cut = await ofNode((job) => nodeLine(job, 'node1', { stdout: 'a' }, { cut: true }));
    expect(cut).toMatchObject({ truncated: true });
    const flood = await ofNode((job) => nodeLine(job, 'node1', {}, { ...bare, cut: true, rc: 137 }));
    expect(flood?.notConnected?.message).toContain('floods ClusterShell on admin1');
    const garbled = await ofNode((job) =>
      nodeLine(job, 'node1', {}, { out: undefined, err: undefined, garbled: true }),
    );
    expect(garbled).toMatchObject({
      lost: true,
      notRelayed: { what: expect.stringContaining('not what was asked for') as string },
    });
  });

  it('an exit code that did not come is never 0', async () => {
    const ended = await ofNode((job) =>
      nodeLine(job, 'node1', {}, { rc: 0, out: said(`${job.mark}\nall fine\n`), err: said(`${job.mark}\n`) }),
    );
    expect(ended).toMatchObject({ lost: true });
    expect(ended?.exitCode).toBeUndefined();
  });

  it('what ssh says is shown and never obeyed', async () => {
    const odd = await ofNode((job) =>
      nodeLine(job, 'node1', {}, { ...bare, rc: 1, said: said('\u001B[2Jbash: no such file\n') }),
    );
    expect(odd?.notConnected?.message).not.toContain('\u001B');
    expect(odd?.notConnected?.message).toContain('no such file');
  });
});
