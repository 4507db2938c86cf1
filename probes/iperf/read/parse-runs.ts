import { fieldsOf, firstLine } from '../../../src/kit/answers.ts';
import { dropUndefined } from '../../../src/kit/known.ts';
import { type Part, findPart, sectionsOf } from '../../../src/kit/sections.ts';
import type { Answer } from '../../../src/model/answer.ts';
import { CommandFailed } from '../../../src/model/errors.ts';
import { iperfFormats } from './formats.ts';
import type { Carried, IperfRun, RunsReading } from '../readings.ts';
import type { Result, ResultRow } from './result.ts';
import { isOpen, parseSweepTask } from '../sweep/task.ts';

/** Where tasks of the console leave what they found, on the host that did them; beside it where somebody else made it first. */
export const tasksFolder = '/var/tmp/faultline-tasks';

/** A clock that is off by less is taken as it is: the answer took its time too. */
const clockSlackMs = 5_000;

/** Runs that the host keeps, newest first. `now`: UTC ms here at which the answer came. */
export const parseRuns = (
  answer: Pick<Answer, 'stdout' | 'stderr'>,
  now: number,
): { value: RunsReading; notUnderstood: number } => {
  const sections = sectionsOf(answer, 'looking at tests');
  const parts = ['runs', 'servers', 'sweep', 'others'].map((name) => findPart(sections, name));
  const [runFiles = [], serverFiles = [], sweepFiles = []] = parts.slice(0, 3).map(filesIn);
  const hostNow = Number(findPart(sections, 'clock')?.text ?? '0') * 1000;
  const off = Math.abs(now - hostNow) > clockSlackMs ? now - hostNow : 0;
  const runs: IperfRun[] = [];
  // A part that did not come is not a part in which nothing runs.
  let notUnderstood = parts.filter((part) => !part).length;
  for (const { body } of runFiles) {
    const run = parseRun(body, off, hostNow);
    if (run) runs.push(run);
    else notUnderstood += 1;
  }
  const servers = serverFiles.flatMap(({ path, body }) => {
    const pair = /^\S*\/iperf-([^/]+)\.server$/.exec(path)?.[1];
    const port = /^port=(\d+)$/m.exec(body)?.[1];
    return pair === undefined || port === undefined ? [] : [{ pair, port: Number(port) }];
  });
  notUnderstood += serverFiles.length - servers.length;
  const carriedFiles = filesIn(findPart(sections, 'carried'));
  const carried = carriedFiles.flatMap(({ path, body }) => parseCarried(path, body, off) ?? []);
  notUnderstood += carriedFiles.length - carried.length;
  const sweeps = sweepFiles.flatMap(({ body }) => parseSweepTask(body, off, hostNow) ?? []);
  notUnderstood += sweepFiles.length - sweeps.length;
  const sweep = sweeps.find(isOpen) ?? sweeps.toSorted((a, b) => b.updatedAt - a.updatedAt)[0];
  // What kept us from looking for others stands there, too; without the folder above there are none.
  const others = (parts[3]?.text ?? '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !/No such file or directory/.test(line));
  return {
    value: {
      runs: runs.sort((a, b) => b.startedAt - a.startedAt),
      servers,
      ...(carried.length > 0 && { carried }),
      ...(sweep && { sweep }),
      ...(others.length > 0 && { others }),
    },
    notUnderstood,
  };
};

/** `at=EPOCH`, a line `eth0 RXBYTES TXBYTES` of each interface that carried something, `seconds=10.31`. */
const parseCarried = (path: string, body: string, off: number): Carried | undefined => {
  const pair = /^\S*\/iperf-([^/]+)\.carried$/.exec(path)?.[1];
  const [at, seconds] = [/^at=(\d+)$/m, /^seconds=(\d+\.\d+)$/m].map((form) => Number(form.exec(body)?.[1]));
  // A server that nobody came to has looked twice in the same moment.
  if (pair === undefined || !at || seconds === undefined || Number.isNaN(seconds)) return undefined;
  const nics = [...body.matchAll(/^(\S+) (\d+) (\d+)$/gm)].map(([, nic = '', rx, tx]) => ({
    nic,
    rxBytes: Number(rx),
    txBytes: Number(tx),
  }));
  return { pair, at: at * 1000 + off, seconds, nics };
};

/** How a part ends when the folders could not be looked for (runs.sh). */
const NOT_LOOKED = 3;

/** `head -v` puts `==> FILE <==` before each. No folder yet is no run; one that can't be looked for or read is a failure. */
const filesIn = (part: Part | undefined): { path: string; body: string }[] => {
  const text = part?.text ?? '';
  const marks = [...text.matchAll(/^==> (\S+) <==\n/gm)];
  const before = text.slice(0, marks[0]?.index ?? text.length);
  const complaint = part?.code === NOT_LOOKED ? firstLine(text) : /^find: .*$/m.exec(before)?.[0];
  if (complaint !== undefined && !/No such file or directory/.test(complaint))
    throw new CommandFailed('tasks', complaint);
  return marks.map((mark, at) => ({
    path: mark[1] ?? '',
    body: text.slice(mark.index + mark[0].length, marks[at + 1]?.index ?? text.length),
  }));
};

/** `--- out` ends the head, `=== end CODE TIME PORT WHY` the output. */
const parseRun = (body: string, off: number, hostNow: number): IperfRun | undefined => {
  const out = body.indexOf('--- out\n');
  const head = fieldsOf(body.slice(0, Math.max(0, out)));
  const [id, client, server] = ['id', 'client', 'server'].map((name) => head.get(name) ?? '');
  const tool = tools.get(head.get('tool') ?? 'iperf3');
  const mode = modes.get(head.get('mode') ?? 'forward');
  if (out < 0 || !id || !client || !server || !head.has('started') || !tool || !mode) return undefined;
  const rest = body.slice(out + 8);
  const end = /^=== end (\d+) (\d+) (\d+) ?(\w*)$/m.exec(rest);
  const output = end ? rest.slice(0, end.index) : rest;
  const started = Number(head.get('started')) * 1000;
  const seconds = Number(head.get('seconds') ?? '0');
  const result = resultOf(output);
  const late = hostNow - started > (seconds + 30) * 1000;
  const [window, sweep] = [head.get('window'), head.get('sweep')];
  const rtt = /= [\d.]+\/([\d.]+)\//.exec(head.get('rtt') ?? '')?.[1];
  const error = result?.error;
  return {
    id,
    client,
    server,
    tool,
    seconds,
    streams: Number(head.get('streams') ?? '1'),
    mode,
    ...(window && { window }),
    ...(sweep && { sweep }),
    startedAt: started + off,
    ...(end && { endedAt: Number(end[2]) * 1000 + off }),
    ...(rtt !== undefined && { rttMs: Number(rtt) }),
    ...(end && Number(end[3]) > 0 && { port: Number(end[3]) }),
    ...(end?.[4] && { why: end[4] }),
    vanished: !end && late,
    status: !end
      ? late
        ? 'partial'
        : 'running'
      : end[4] && result?.status === 'ok'
        ? 'partial'
        : (result?.status ?? 'error'),
    ...(error !== undefined && { error }),
    ...pathIn(head),
    ...cpuIn(output),
    streamRows: result?.streams ?? [],
    intervals: result?.intervals ?? [],
    sourcePorts: portsIn(output),
    ...retransmitsOf(result),
  };
};

/** The words that our own scripts write; files of another program's, or of a later version's, are not guessed at. */
const tools = new Map((['iperf3', 'iperf2'] as const).map((word) => [`${word}`, word]));
const modes = new Map((['forward', 'reverse', 'both'] as const).map((word) => [`${word}`, word]));

const read = iperfFormats['iperf.result'];

/** Undefined: no line of it is iperf's yet. */
const resultOf = (output: string): Result | undefined => {
  try {
    // Both streams are in one file: iperf 2 writes its errors to the other one.
    const lines = output.split('\n');
    const failed = lines.filter((line) =>
      /^(?:\[\s*\*?\d+\] )?(?:tcp )?(?:connect|listener bind|bind|read|write|shutdown) failed|^error|^unable/i.test(
        line,
      ),
    );
    return read?.({ stdout: output, ...(failed.length > 0 && { stderr: failed.join('\n') }) }) as
      Result | undefined;
  } catch {
    // The reader says that it is no iperf output: what the shell said instead is the error.
    const said = output
      .trim()
      .split('\n')
      .findLast((line) => line.trim() !== '');
    return said === undefined
      ? undefined
      : { tool: 'iperf3', status: 'error', error: said.slice(0, 300), streams: [], intervals: [] };
  }
};

/** What the client's host found out of the path before the test. */
const pathIn = (head: ReadonlyMap<string, string>): Pick<IperfRun, 'mtu' | 'fullPings' | 'standardPings'> => {
  const number = (name: string): number | undefined => {
    const text = head.get(name) ?? '';
    return /^\d+$/.test(text) ? Number(text) : undefined;
  };
  return dropUndefined({ mtu: number('mtu'), fullPings: number('full'), standardPings: number('standard') });
};

/** `CPU Utilization: local/sender 12.8% (0.0%u/12.8%s), remote/receiver 11.2% (...)` and `iperf 3.12`, of iperf3 -V. */
const cpuIn = (output: string): Pick<IperfRun, 'cpu' | 'version'> => {
  const match = /^CPU Utilization: local\/\w+ ([\d.]+)%.*remote\/\w+ ([\d.]+)%/m.exec(output);
  return dropUndefined({
    version: /^iperf (3\.\d+[\w.]*)/m.exec(output)?.[1],
    cpu: match ? { client: Number(match[1]), server: Number(match[2]) } : undefined,
  });
};

const portsIn = (output: string): Record<string, number> =>
  Object.fromEntries(
    [...output.matchAll(/^\[\s*(\*?\d+)\](?:\[[TR]X-C\])? local \S+ port (\d+) connected/gm)].map((match) => [
      match[1] ?? '',
      Number(match[2]),
    ]),
  );

const retransmitsOf = (result: Result | undefined): { retransmits?: number } => {
  const rows: ResultRow[] = result?.streams.filter((row) => row.role !== 'receiver') ?? [];
  const counts = rows.flatMap((row) => (row.retransmits === undefined ? [] : [row.retransmits]));
  return counts.length === 0 ? {} : { retransmits: counts.reduce((sum, one) => sum + one, 0) };
};
