import { describe, expect, it } from 'vitest';
import { runAction } from '../../probes/iperf/act/run.ts';
import { runParameters, sweepParameters } from '../../probes/iperf/act/parameters.ts';
import { flowsOf } from '../../probes/iperf/judge/pairs.ts';
import { parseRuns } from '../../probes/iperf/read/parse-runs.ts';
import { World } from './world.ts';
import { answerOfParts } from '../helpers/answer.ts';

/** What is said of a test between two hosts whose state file holds this output. */
const verdictOn = async (output: string, end: string, tool = 'iperf3'): Promise<string | undefined> => {
  const world = new World('quiet');
  await world.poll();
  const started = Math.floor(world.now / 1000) - 20;
  const head = `id=${started}-1\nclient=wn-d-09\nserver=wn-d-10\ntool=${tool}\nseconds=10\nstreams=1\nmode=forward\nwindow=\nsweep=\nstarted=${started}\nrtt=\n--- out\n`;
  const file = `==> /var/tmp/faultline-tasks/iperf-wn-d-09:wn-d-10.1.run <==\n${head}${output}\n=== end ${end}\n`;
  const answer = answerOfParts(
    ['clock', `${started + 20}\n`],
    ['runs', file],
    ['servers', ''],
    ['sweep', ''],
    ['others', ''],
  );
  world.readings.good('iperf.results', 'wn-d-09', parseRuns(answer, world.now).value, world.now);
  return flowsOf(world.judgement()).find(({ id }) => id === 'wn-d-09:wn-d-10')?.verdict.text;
};

const head2 = `------------------------------------------------------------
Client connecting to 10.9.0.2, TCP port 5301
TCP window size: 16.0 KByte (default)
------------------------------------------------------------
`;

describe('a test that went wrong says why, for each tool in its own words', () => {
  it.each([
    [
      'refused',
      'iperf3: error - unable to connect to server: Connection refused\n',
      '1 9 5301',
      'iperf3',
      /^wn-d-10 refused the connection, though the server listened: a firewall, or a wrong address$/,
    ],
    [
      'refused (3.14)',
      'iperf3: error - unable to connect to server - server may have stopped running or use a different port, firewall issue, etc.: Connection refused\n',
      '1 9 5301',
      'iperf3',
      /^wn-d-10 refused the connection/,
    ],
    [
      'refused (iperf 2 exits 0)',
      `${head2}tcp connect failed: Connection refused\n[  1] local 0.0.0.0 port 0 connected with 10.9.0.2 port 5301\n`,
      '0 9 5301',
      'iperf2',
      /^wn-d-10 refused the connection/,
    ],
    [
      'busy',
      'iperf3: error - the server is busy running a test. try again later\n',
      '1 9 5301',
      'iperf3',
      /^the server on wn-d-10 is busy with another test$/,
    ],
    [
      'dropped by a firewall',
      '',
      '130 9 5301 noConnection',
      'iperf3',
      /no connection from wn-d-09 to wn-d-10 within 5 s.*: a firewall/,
    ],
    [
      'a name that does not resolve (iperf3 says something else)',
      'iperf3: error - unable to connect to server: Resource temporarily unavailable\n',
      '1 9 5301',
      'iperf3',
      /^wn-d-09 can't resolve the name it was given for wn-d-10: set iperf.addresses in the site file$/,
    ],
    [
      'a name that does not resolve (iperf 2)',
      'wn-d-10: Host name lookup failure\n',
      '1 9 5301',
      'iperf2',
      /^wn-d-09 can't resolve the name it was given for wn-d-10/,
    ],
    ['no program', 'sh: 1: iperf3: not found\n', '127 9 5301', 'iperf3', /iperf3: not found/],
    [
      'no way there',
      'iperf3: error - unable to connect to server: Network is unreachable\n',
      '1 9 5301',
      'iperf3',
      /Network is unreachable/,
    ],
  ])('%s', async (_name, output, end, tool, words) => {
    expect(await verdictOn(output, end, tool)).toMatch(words);
  });

  it('output that ends in the middle keeps what was measured and is no slow link', async () => {
    const rows = Array.from(
      { length: 4 },
      (_, at) => `[  5]   ${at}.00-${at + 1}.00   sec  1.10 GBytes  9.47 Gbits/sec    0   1.53 MBytes\n`,
    ).join('');
    const output = `Connecting to host b, port 5301\n[ ID] Interval           Transfer     Bitrate         Retr  Cwnd\n${rows}[  5]   4.00-5.0\niperf3: error - control socket has closed unexpectedly\n`;
    expect(await verdictOn(output, '1 9 5301')).toBe(
      'control socket has closed unexpectedly; 9.47 Gbit/s until then',
    );
  });
});

it('no port of the range is free: refused before anything is sent', async () => {
  const world = new World('quiet', { ports: '5301-5302' });
  await world.poll();
  const tools = [{ tool: 'iperf3', version: '3.12' }];
  world.readings.good('iperf.tools', 'wn-d-02', { tools, listening: [22, 5301, 5302] }, world.now);
  const plan = runAction.plan(
    [{ kind: 'pair', id: 'wn-d-01:wn-d-02' }],
    {},
    {
      judgement: world.judgement(),
      operator: 'alice',
    },
  );
  expect(plan).toMatchObject({ refused: true, reason: 'no port of the range is free on wn-d-02' });
});

it.each([
  ['zero seconds', runParameters, { seconds: '0' }, 'seconds must be from 1 to 300'],
  ['a hundred streams', runParameters, { streams: '100' }, 'streams must be from 1 to 64'],
  [
    'a long test in a sweep',
    sweepParameters,
    { hosts: 'n[1-9]', seconds: '60' },
    'seconds must be from 1 to 7',
  ],
])('%s: the bounds are said', (_name, schema, set, words) => {
  expect(schema.safeParse(set).error?.issues[0]?.message).toBe(words);
});
