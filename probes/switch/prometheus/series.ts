import { CommandFailed, NotThisFormat } from '../../../src/model/errors.ts';
import { isRecord, type Json } from '../read/parse-json.ts';

/** One series: its labels, and its samples from the oldest on. */
export interface Series {
  labels: Readonly<Record<string, string>>;
  /** UTC ms by Prometheus' clock, and the value as it was written. */
  samples: readonly (readonly [at: number, text: string])[];
}

/**
 * The series of an answer of the HTTP API to a query for a range of samples (prometheus.io, "HTTP API": `resultType` `matrix`). Throws
 * NotThisFormat for any other document, and CommandFailed for an error and for an answer that says itself that it is not whole.
 */
export const seriesIn = (body: string): { series: readonly Series[]; notUnderstood: number } => {
  const document = parse(body);
  if (!isRecord(document) || typeof document['status'] !== 'string')
    throw new NotThisFormat('this is no answer of the HTTP API of Prometheus');
  if (document['status'] !== 'success')
    throw new CommandFailed(
      'refused',
      `it refuses the query: ${textIn(document['errorType'])}: ${textIn(document['error'])}`,
    );
  const warnings = Array.isArray(document['warnings']) ? document['warnings'] : [];
  if (warnings.length > 0)
    throw new CommandFailed(
      'partial',
      `its answer is not whole: ${textIn(warnings[0])}; mend what it warns of: nobody knows what is missing`,
    );
  const data = document['data'];
  if (!isRecord(data) || data['resultType'] !== 'matrix' || !Array.isArray(data['result']))
    throw new NotThisFormat('this is no list of samples (resultType "matrix")');
  const series = data['result'].flatMap((one: Json) => seriesOf(one) ?? []);
  return { series, notUnderstood: data['result'].length - series.length };
};

const textIn = (value: Json | undefined): string =>
  typeof value === 'string' ? value.slice(0, 300) : 'no reason';

/** Nobody walks through all of it: what is too deep is in no place that is looked at. */
const parse = (body: string): Json => {
  try {
    return JSON.parse(body) as Json;
  } catch (cause) {
    throw new NotThisFormat('this is no JSON, or it ends in the middle', { cause });
  }
};

/** A hundred thousand of them come at once: what is in shape is taken as it is, and not copied. */
const seriesOf = (one: Json): Series | undefined => {
  if (!isRecord(one)) return undefined;
  const { metric, values } = one;
  if (!isRecord(metric) || !Array.isArray(values)) return undefined;
  for (const name in metric) if (typeof metric[name] !== 'string') return undefined;
  for (const pair of values) {
    if (!Array.isArray(pair) || typeof pair[0] !== 'number' || typeof pair[1] !== 'string') return undefined;
    pair[0] = Math.round(pair[0] * 1000);
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each of its parts was looked at
  return { labels: metric, samples: values } as unknown as Series;
};
