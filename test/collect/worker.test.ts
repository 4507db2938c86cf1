import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainSite } from '../../src/assemble/assemble.ts';
import { openSite, type OpenSite } from '../../src/commands/open-site.ts';
import { entry } from '../../src/threads/entry.ts';
import type { FromWorker, ToWorker, Update, WorkerStart } from '../../src/model/wire.ts';

let opened: OpenSite;
beforeAll(async () => {
  opened = await openSite({ demo: true, incident: 'hdfs-lost', nodes: 40 }, { env: process.env });
});
afterAll(() => opened.close());

interface Running {
  worker: Worker;
  post(message: ToWorker): void;
  /** The first message that fits, those that came before included. */
  until<M extends FromWorker>(fits: (message: FromWorker) => message is M): Promise<M>;
}

const start = (name: string): Running => {
  const env = Object.fromEntries(
    Object.entries(process.env).flatMap(([key, value]) => (value ? [[key, value]] : [])),
  );
  const { url, argv } = entry(name);
  const worker = new Worker(url, { argv: [...argv], stdout: true, stderr: true });
  const told: WorkerStart = { site: plainSite(opened.site), env, history: 'memory' };
  worker.postMessage({ type: 'start', start: told } satisfies ToWorker);
  const seen: FromWorker[] = [];
  const listeners = new Set<() => void>();
  worker.on('message', (message: FromWorker) => {
    if (message.type === 'update') worker.postMessage({ type: 'ack', seq: message.seq });
    seen.push(message);
    for (const listener of listeners) listener();
  });
  return {
    worker,
    post: (message) => worker.postMessage(message),
    until: (fits) =>
      new Promise((resolve, reject) => {
        worker.once('error', reject);
        const look = (): void => {
          const found = seen.find(fits);
          if (!found) return;
          listeners.delete(look);
          resolve(found);
        };
        listeners.add(look);
        look();
      }),
  };
};

const withFindings = (message: FromWorker): message is Update =>
  message.type === 'update' && (message.findings ?? []).some(({ kind }) => kind === 'drained-group');
const reply =
  (id: number) =>
  (message: FromWorker): message is Extract<FromWorker, { type: 'reply' }> =>
    message.type === 'reply' && message.id === id;

describe.each(['worker', 'worker-readonly'])('%s on the demo site, through ssh', (name) => {
  it('shows rows and findings, answers requests, and ends when told', async () => {
    const { worker, post, until } = start(name);
    const update = await until(withFindings);
    expect(update.findings?.[0]).toMatchObject({ system: 'slurm', kind: 'drained-group' });
    const subject = update.findings?.[0]?.members?.[0];
    expect(subject).toBeDefined();
    if (!subject) return;
    post({ type: 'request', id: 1, name: 'menu', args: { subjects: [subject] } });
    const menu = await until(reply(1));
    expect(menu).toMatchObject({
      ok: true,
      value:
        name === 'worker'
          ? expect.arrayContaining([expect.objectContaining({ action: 'slurm.resume' })])
          : [],
    });
    post({
      type: 'request',
      id: 2,
      name: 'evidence',
      args: { sources: [{ probe: 'slurm.nodes', host: 'ctl1' }] },
    });
    expect(await until(reply(2))).toMatchObject({ ok: true, value: [{ host: 'ctl1', ended: 'exit 0' }] });
    post({ type: 'request', id: 3, name: 'host', args: { host: subject.id } });
    expect(await until(reply(3))).toMatchObject({ ok: true });
    post({ type: 'stop' });
    const [code] = (await once(worker, 'exit')) as [number];
    expect(code).toBe(0);
  });
});
