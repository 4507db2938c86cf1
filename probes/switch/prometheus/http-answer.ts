import type { Answer } from '../../../src/model/answer.ts';
import { CommandFailed } from '../../../src/model/errors.ts';
import { firstLine } from '../../../src/kit/answers.ts';
import type { PrometheusOf } from '../../../src/model/site.ts';
import { MOST_BYTES } from './query.ts';

/** The document of an answer, and the clock of the host that asked, UTC ms. */
export interface Told {
  body: string;
  askedAt: number;
}

/** Two machines of a cluster are nearer to each other, ms; an HTTP date has whole seconds. */
const CLOCK_MS = 30_000;

/** Exit codes of curl(1), and what would be right. */
const curlEnds: Readonly<Record<number, string>> = {
  5: 'no proxy is used',
  6: 'name a host that it can resolve in prometheus.url',
  7: 'is it running, and is that its port? See prometheus.url',
  28: 'is it overloaded, or a firewall between?',
  35: 'is it http in place of https? See prometheus.url',
  52: 'is it Prometheus that listens there? See prometheus.url',
  56: 'is it Prometheus that listens there? See prometheus.url',
  60: 'put the certificate of its authority among those that the host trusts',
};

/** What the status line of HTTP means here. */
const statuses: Readonly<Record<number, string>> = {
  401: 'it wants a token: set prometheus.tokenFile or tokenCommand, or renew what they give',
  403: 'the token may not query: give its owner leave to read',
  404: 'nothing answers at /api/v1/query there: is a path missing in prometheus.url?',
  429: 'it is asked too often',
  503: 'it has not started yet, or is overloaded',
};

/** The document that Prometheus gave. Throws CommandFailed that says where it was asked, what was wrong and what would be right. */
export const documentIn = (answer: Answer, prometheus: PrometheusOf): Told => {
  const { url } = prometheus;
  const fail = (code: string, what: string, next?: string): never => {
    throw new CommandFailed(code, `Prometheus at ${url}: ${what}${next === undefined ? '' : `; ${next}`}`);
  };
  const said = answer.stderr.replaceAll(/^curl ended: \d+\s*$/gm, '').trim();
  if (answer.exitCode === 127) fail('noCommand', 'there is no curl to ask it with', 'install curl');
  if (answer.exitCode === 3) fail('token', `no token: ${firstLine(said)}`, tokenHint(prometheus));
  if (answer.stdoutBytes >= MOST_BYTES)
    fail('tooLarge', `more than ${MOST_BYTES / 1e6} MB came`, 'narrow it with prometheus.match');
  const curl = Number(/^curl ended: (\d+)\s*$/m.exec(answer.stderr)?.[1] ?? '-1');
  if (curl !== 0)
    fail(
      'notAsked',
      firstLine(said).replace(/^curl: \(\d+\) /, '') || `curl ended with ${curl}`,
      curlEnds[curl],
    );
  const [, epoch = '', rest = ''] = /^(\d{1,12})\r?\n([^]*)$/.exec(answer.stdout) ?? [];
  const { status, headers, body } = headOf(rest);
  if (status === undefined) return fail('notHttp', 'no HTTP came', 'see prometheus.url');
  if (status >= 300 && status < 400)
    fail(
      'redirect',
      `it sends to ${headers.get('location') ?? 'another place'}, where a token does not go`,
      'put the last address into prometheus.url',
    );
  const isJson = /^\s*\{/.test(body);
  if (status >= 400 && !isJson)
    fail(`http${status}`, `HTTP ${status}: ${firstLine(body).slice(0, 80)}`, statuses[status]);
  if (!isJson)
    fail(
      'notJson',
      `a page of ${headers.get('content-type') ?? 'no type'} came and no answer`,
      'prometheus.url is that of its web page, or a login stands before it',
    );
  const askedAt = Number(epoch) * 1000;
  const date = Date.parse(headers.get('date') ?? '');
  if (Math.abs(date - askedAt) > CLOCK_MS)
    fail(
      'clock',
      `its clock says ${new Date(date).toISOString()}, that of the host ${new Date(askedAt).toISOString()}: how old its samples are is not known`,
      'set both by NTP',
    );
  requireStatus(status, body, fail);
  return { body, askedAt };
};

/** A status of an error with a document: what that says comes first. */
const requireStatus = (
  status: number,
  body: string,
  fail: (code: string, what: string, next?: string) => never,
): void => {
  if (status < 400) return;
  const error = /"error"\s*:\s*"((?:[^"\\]|\\.){0,300})/.exec(body)?.[1] ?? '';
  fail(`http${status}`, `HTTP ${status}: ${error}`, statuses[status]);
};

const tokenHint = ({ tokenFile, tokenCommand = [] }: PrometheusOf): string =>
  tokenFile === undefined
    ? `see prometheus.tokenCommand: ${tokenCommand.join(' ')}`
    : `see prometheus.tokenFile: ${tokenFile}`;

/** Status, header fields and what stands behind them; interim answers (1xx) are passed over. */
const headOf = (text: string): { status?: number; headers: ReadonlyMap<string, string>; body: string } => {
  for (let rest = text; ;) {
    const [head] = /^HTTP\/[\d.]+ [^]*?\r?\n\r?\n/.exec(rest.slice(0, 65_536)) ?? [];
    if (head === undefined) return { headers: new Map(), body: rest };
    rest = rest.slice(head.length);
    const status = Number(/^HTTP\/[\d.]+ (\d{3})/.exec(head)?.[1]);
    if (status < 200) continue;
    const fields = head.split(/\r?\n/).flatMap((line): [string, string][] => {
      const [, name, value = ''] = /^([A-Za-z-]+):\s*(.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name.toLowerCase(), value.slice(0, 200)]];
    });
    return { status, headers: new Map(fields), body: rest };
  }
};
