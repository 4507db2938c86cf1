import type { PrometheusOf } from '../../../src/model/site.ts';
import { withWords } from '../../../src/text/shell.ts';
import script from './query.sh';

/** Bytes of an answer: the ports of 200 switches with 64 each; of what is larger no part is read. */
export const MOST_BYTES = 64_000_000;

/** Above the time that Prometheus itself takes at most by default would be two minutes: a console does not wait so long. */
export const SECONDS = 20;

/** Devices of a Linux host that are no end of a cable. */
const virtual = 'lo|veth.*|docker.*|br-.*|virbr.*|vnet.*|cali.*|cni.*|flannel.*|tap.*';

/** A text in PromQL, which escapes as JSON does (prometheus.io, "Querying basics": string literals). */
const literal = (text: string): string => JSON.stringify(text);

/**
 * The samples of the last so many seconds, each with its own time: what `timestamp()` says, without losing the name of the metric as that
 * does, and with the sample before, so that there is a rate at once.
 */
export const queryOf = (
  metrics: readonly string[],
  { match }: Pick<PrometheusOf, 'match'>,
  seconds: number,
): string => {
  const labels = Object.entries(match).map(([name, value]) => `${name}=${literal(value)}`);
  const chosen = [`__name__=~${literal(metrics.join('|'))}`, ...labels, `device!~${literal(virtual)}`];
  return `{${chosen.join(',')}}[${seconds}s]`;
};

/** What is run on the host that asks. */
export const scriptOf = ({ url, tokenFile = '', tokenCommand = [] }: PrometheusOf, query: string): string =>
  withWords(script, url, query, `${MOST_BYTES}`, `${SECONDS}`, tokenFile, ...tokenCommand);
