import { expect, it } from 'vitest';
import { iperfFormats } from '../../probes/iperf/read/formats.ts';
import { parseFacts } from '../../probes/iperf/read/parse-facts.ts';
import { parseRuns } from '../../probes/iperf/read/parse-runs.ts';
import { answerOfParts } from '../helpers/answer.ts';

const many = 50_000;
const digits = '1'.repeat(many);

/** Text that a form which tries every way to divide it never gets through: the test ends or it hangs. */
const texts = [
  `[  1] ${digits}-${digits} sec ${digits} MBytes ${digits} Mbits/hour`,
  `[  1] 0.0-1.0 sec 1.0 MBytes 1.0 Mbits/sec ${digits} x`,
  `[  1] 0.0-1.0 sec 1.0 MBytes 1.0 Mbits/sec 1${' '.repeat(many)}x`,
  `{"start":${'['.repeat(many)}${']'.repeat(many)}`,
  `{"start":${'{"a":'.repeat(many)}1${'}'.repeat(many)}`,
  `{${'\n'.repeat(many)}`,
  `${'a '.repeat(many)}failed`,
  `${'iperf-'.repeat(many)}`,
  `20261122000000,${'1,'.repeat(many)}`,
  `[${' '.repeat(many)}`,
];

it.each(texts.map((text) => [text.slice(0, 24), text]))(
  'the reader of results ends on %j and many more of it',
  (_, text) => {
    for (const stdout of [
      text,
      `Connecting to host a, port 1\n${text}\n`,
      `Client connecting to a, TCP port 1\n${text}`,
    ])
      try {
        expect(iperfFormats['iperf.result']?.({ stdout, stderr: text })).toBeDefined();
      } catch (error) {
        expect(String(error)).toMatch(/NotThisFormat|nested more than 200 levels deep/);
      }
  },
);

it.each(texts.map((text) => [text.slice(0, 24), text]))(
  'the readers of hosts end on %j and many more of it',
  (_, text) => {
    expect(parseFacts(answerOfParts(['speed', `${text}${'\n'.repeat(many)}x`])).speedMbps).toBeUndefined();
    const files = `==> /t/iperf-a:b.1.run <==\nid=1\n--- out\n${text}\n==> ${'iperf-'.repeat(many)} <==\n`;
    const { value } = parseRuns(answerOfParts(['runs', files], ['servers', files]), 0);
    expect([value.runs, value.servers]).toEqual([[], []]);
  },
);
