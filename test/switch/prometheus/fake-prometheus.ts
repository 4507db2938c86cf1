import { execFile } from 'node:child_process';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { switches } from '../../../probes/switch/index.ts';
import { collectedSchema, type Collected } from '../../../probes/switch/prometheus/read.ts';
import { CommandFailed } from '../../../src/model/errors.ts';
import type { PrometheusOf, SiteView } from '../../../src/model/site.ts';
import type { AskContext, Probe } from '../../../src/model/system.ts';
import { answerOf } from '../../helpers/answer.ts';
import { siteOf, Sources } from '../../helpers/judging.ts';

/** A site whose switches sw1 and sw2 and whose node n1 are read from the Prometheus at `url`. */
export const siteWith = (prometheus: Partial<PrometheusOf> & { url: string }): SiteView =>
  siteOf(
    [
      { name: 'admin1', roles: ['switch-helper'] },
      { name: 'sw1', roles: ['switch'], platform: 'cisco_ios' },
      { name: 'sw2', roles: ['switch'], platform: 'arista_eos' },
      { name: 'n1', roles: ['nic'] },
    ],
    {
      prometheus: { through: 'admin1', match: {}, label: 'instance', ...prometheus },
      settings: { switch: { prometheus: { switches: 'sw[1-2]', nics: 'n1' } } },
    },
  );

export const queryProbe = (site: SiteView): Probe => {
  const found = switches.onSite?.(site).probes.find(({ id }) => id === 'switch.prometheus');
  if (!found) throw new Error('no probe');
  return found;
};

export const contextOf = (site: SiteView): AskContext => ({ site, readings: new Sources(), now: 0 });

/** One scrape has one time for all of its series. In seconds. */
export const began = Math.floor(Date.now() / 1000);

/** A series of the IF-MIB on sw1, unless said otherwise. Times in seconds before this test began. */
export const seriesOf = (
  metric: string,
  labels: Record<string, string>,
  ...samples: readonly (readonly [ago: number, value: string])[]
): object => ({
  metric: { __name__: metric, job: 'snmp', instance: 'sw1', ...labels },
  values: samples.map(([ago, value]) => [began - ago, value]),
});

export const port = (index: number, more: Record<string, string> = {}): Record<string, string> => ({
  ifIndex: `${index}`,
  ifName: `Te1/${index}`,
  ...more,
});

export const documentOf = (series: readonly object[], more: object = {}): string =>
  JSON.stringify({ status: 'success', data: { resultType: 'matrix', result: series }, ...more });

interface Server {
  url: string;
  requests: IncomingMessage[];
  close(): void;
}

const serve = (listener: RequestListener): Promise<Server> =>
  new Promise((resolve) => {
    const requests: IncomingMessage[] = [];
    const server = createServer((request, response) => {
      requests.push(request);
      listener(request, response);
    });
    server.listen(0, '127.0.0.1', () => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on TCP
      const { port: number } = server.address() as AddressInfo;
      resolve({
        url: `http://127.0.0.1:${number}`,
        requests,
        close: () => {
          server.closeAllConnections();
          server.close();
        },
      });
    });
  });

/** What the probe's own script brings, as a host with this shell would run it, and what is read of that. */
export const askAndRead = async (
  site: SiteView,
): Promise<{ said: string; value?: Collected; code?: string; failure?: string }> => {
  const probe = queryProbe(site);
  const [host] = site.hosts;
  if (!host) throw new Error('no host');
  const ask = probe.ask(host, contextOf(site));
  if (!('script' in ask)) throw new Error('no script');
  const raw = await new Promise<{ stdout: Buffer; stderr: Buffer; exitCode: number }>((resolve) => {
    const child = execFile(
      'sh',
      ['-s'],
      { encoding: 'buffer', maxBuffer: 200_000_000, env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } },
      (error, stdout, stderr) => resolve({ stdout, stderr, exitCode: Number(error?.code ?? 0) }),
    );
    child.stdin?.end(ask.script);
  });
  const stderr = raw.stderr.toString();
  const stdout = raw.stdout.length > 0 ? gunzipSync(raw.stdout) : raw.stdout;
  const answer = answerOf(stdout.toString(), { exitCode: raw.exitCode, stderr, stdoutBytes: stdout.length });
  const said = `${ask.script}${stderr}`;
  try {
    return { said, value: collectedSchema.parse(probe.read(answer, host, contextOf(site)).value) };
  } catch (error) {
    if (error instanceof CommandFailed) return { said, code: error.code, failure: error.message };
    throw error;
  }
};

/** Asks a server that answers so. */
export const askServer = async (
  listener: RequestListener,
  more: Partial<PrometheusOf> = {},
): Promise<Awaited<ReturnType<typeof askAndRead>> & { requests: IncomingMessage[]; url: string }> => {
  const server = await serve(listener);
  try {
    const done = await askAndRead(siteWith({ url: server.url, ...more }));
    return { ...done, requests: server.requests, url: server.url };
  } finally {
    server.close();
  }
};
