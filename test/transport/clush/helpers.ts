import type { RawAnswer } from '../../../src/model/answer.ts';
import type { HostTransport, StreamedRequest } from '../../../src/transport/host-state.ts';
import { encodeAnswer } from '../../../src/transport/frame.ts';
import { answerOf } from '../../collect/helpers/fake-site.ts';

/** What `boot.sh` gets on standard input. */
export interface Job {
  mark: string;
  run: string;
  nodes: string[];
  command: string;
  seconds: number;
  fanout: number | null;
}

/** A node's line as `ask-nodes.py` prints it. */
export const nodeLine = (
  job: Job,
  node: string,
  answer: { stdout?: string; stderr?: string; exitCode?: number },
  more: object = {},
): string => {
  const { stdout, stderr } = encodeAnswer(job.mark, answer);
  const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
  return JSON.stringify({
    node,
    rc: 0,
    late: false,
    out: text(stdout),
    err: text(stderr),
    cut: false,
    said: '',
    ...more,
  });
};

export const endLine = (job: Job, more: object = {}): string =>
  JSON.stringify({
    end: job.run,
    asked: job.nodes.length,
    told: job.nodes.length,
    tree: false,
    version: '1.9.1',
    ...more,
  });

/** An admin host: `say` gives the lines that the program there prints, and how it ends; before each line there is a `pause`. */
export const adminHost = (
  say: (job: Job) => { lines: readonly string[]; ended?: Partial<RawAnswer> } | 'hang',
  pause?: () => Promise<void>,
): { transport: HostTransport; jobs: Job[] } => {
  const jobs: Job[] = [];
  const run = async (request: StreamedRequest, signal?: AbortSignal): Promise<RawAnswer> => {
    const job = JSON.parse(request.stdin ?? '{}') as Job;
    jobs.push(job);
    const said = say(job);
    if (said === 'hang') {
      await new Promise((resolve) => signal?.addEventListener('abort', resolve, { once: true }));
      return answerOf('', { cancelled: true });
    }
    for (const line of said.lines) {
      await pause?.();
      // In pieces that end anywhere.
      const bytes = Buffer.from(`${line}\n`);
      for (let at = 0; at < bytes.length; at += 100) request.onStdout?.(bytes.subarray(at, at + 100));
    }
    return answerOf('', said.ended);
  };
  const transport: HostTransport = {
    kind: 'ssh2',
    run,
    connection: () => ({ host: 'admin1', kind: 'ssh2', state: 'up', since: 0, badges: [] }),
    retry: () => {},
    reset: () => {},
    close: async () => {},
  };
  return { transport, jobs };
};
