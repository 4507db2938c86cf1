import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { iperfFormats } from '../../probes/iperf/read/formats.ts';
import { NotThisFormat } from '../../src/model/errors.ts';

const row = z.looseObject({
  id: z.string(),
  start: z.number(),
  end: z.number(),
  bytes: z.number(),
  bps: z.number(),
});
const shape = z.looseObject({
  tool: z.string(),
  status: z.enum(['ok', 'partial', 'error']),
  streams: z.array(row),
  intervals: z.array(row),
});

/** The document, checked for the shape that every form of result has. */
const read = (stdout: string, stderr?: string): z.infer<typeof shape> & Record<string, unknown> => {
  const parse = iperfFormats['iperf.result'];
  if (!parse) throw new Error('iperf.result is not registered');
  return shape.parse(parse({ stdout, ...(stderr !== undefined && { stderr }) }));
};

const client2 = `------------------------------------------------------------
Client connecting to 10.9.0.2, TCP port 5001
TCP window size: 16.0 KByte (default)
------------------------------------------------------------
[  1] local 10.9.0.1 port 41942 connected with 10.9.0.2 port 5001 (icwnd/mss/irtt=87/8948/27)
[ ID] Interval       Transfer     Bandwidth
`;

describe('iperf 2 text', () => {
  it('tells intervals from the final row; bits in thousands, bytes in 1024s', () => {
    const result = read(
      `${client2}[  1] 0.0000-1.0000 sec  1.00 MBytes  8.39 Mbits/sec\n[  1] 1.0000-2.0000 sec   512 KBytes  4.19 Mbits/sec\n[  1] 0.0000-2.0010 sec  1.50 MBytes  6.29 Mbits/sec\n`,
    );
    expect(result.intervals.map((one) => one.bytes)).toEqual([1_048_576, 524_288]);
    expect(result.streams).toEqual([
      { id: '1', start: 0, end: 2.001, bytes: 1_572_864, bps: 6_290_000, dir: 'tx' },
    ]);
    expect(result).toMatchObject({ tool: 'iperf2', proto: 'TCP', status: 'ok', sumOfStreamsBps: 6_290_000 });
  });

  it('without a final row the run was cut short', () => {
    const result = read(
      `${client2}[  1] 0.0000-1.0000 sec  1.00 MBytes  8.39 Mbits/sec\n[  1] 1.0000-2.0000 sec  1.00 MBytes  8.39 Mbits/sec\n`,
    );
    expect(result).toMatchObject({ status: 'partial', streams: [] });
  });

  it('a refusal exits 0 and prints a row of zeros: no data means error', () => {
    const result = read(
      `${client2}[  1]  0.0- 0.0 sec  0.00 Bytes  0.00 bits/sec\n`,
      'tcp connect failed: Connection refused\n',
    );
    expect(result).toMatchObject({ status: 'error', error: 'tcp connect failed: Connection refused' });
  });

  it('killed after its first interval: one row on the full second is no final row', () => {
    const row = '[  1] 0.0000-1.0000 sec  1.00 MBytes  8.39 Mbits/sec\n';
    expect(read(client2 + row)).toMatchObject({ status: 'partial', streams: [], intervals: [{ id: '1' }] });
    expect(read(client2 + row.replace('1.0000 sec', '1.0024 sec'))).toMatchObject({
      status: 'ok',
      streams: [{ id: '1' }],
      intervals: [],
    });
  });

  it('--sum-only: sums alone are a whole result', () => {
    const result = read(
      `${client2}[SUM-3] 0.0000-1.0000 sec  1.32 GBytes  11.3 Gbits/sec\n[SUM-3] 0.0000-2.0647 sec  2.21 GBytes  9.19 Gbits/sec\n`,
    );
    expect(result).toMatchObject({
      status: 'ok',
      intervals: [{ id: 'SUM', bps: 11_300_000_000 }],
      sum: { bps: 9_190_000_000 },
    });
  });

  it('the reverse direction of --full-duplex', () => {
    const result = read(
      `${client2}[  1] 0.0000-3.0 sec  28.0 MBytes  77.7 Mbits/sec\n[ *1] 0.0000-3.9 sec  9.88 MBytes  20.8 Mbits/sec\n`,
    );
    expect(result.streams.map((one) => one.dir)).toEqual(['tx', 'rx']);
  });
});

describe('iperf 3', () => {
  it('dashes between intervals of several streams do not begin the final rows', () => {
    const line = (id: string, span: string, tail = ''): string =>
      `[${id}]   ${span} sec  1.00 MBytes  8.39 Mbits/sec    0   ${tail}\n`;
    const dashes = '- - - - - - - - - - - - -\n';
    const head = '[ ID] Interval           Transfer     Bitrate         Retr  Cwnd\n';
    const result = read(
      `Connecting to host 10.9.0.2, port 5201\n${head}${line('  5', '0.00-1.00', '71 KBytes')}${line('SUM', '0.00-1.00')}${dashes}${line('  5', '1.00-2.00', '71 KBytes')}${line('SUM', '1.00-2.00')}${dashes}[ ID] Interval           Transfer     Bitrate         Retr\n${line('  5', '0.00-2.00', 'sender')}${line('SUM', '0.00-2.00', 'sender')}`,
    );
    expect(result.intervals).toHaveLength(4);
    expect(result.streams).toEqual([
      { id: '5', start: 0, end: 2, bytes: 1_048_576, bps: 8_390_000, retransmits: 0, role: 'sender' },
    ]);
    expect(result.sumSent).toMatchObject({ bytes: 1_048_576 });
  });

  const interval = (start: number): string =>
    `{"streams":[{"socket":5,"start":${start},"end":${start + 1},"bytes":10,"bits_per_second":80,"sender":true}],"sum":{"start":${start},"end":${start + 1},"bytes":10,"bits_per_second":80,"sender":true},"sum":{"start":${start},"end":${start + 1},"bytes":4,"bits_per_second":32,"sender":false}}`;

  it('a repeated key is the reverse direction', () => {
    const result = read(`{"start":{"version":"iperf 3.7"},"intervals":[${interval(0)}],"end":{}}`);
    expect(result.intervals.filter((one) => one.id === 'SUM').map((one) => [one.bps, one.dir])).toEqual([
      [80, 'tx'],
      [32, 'rx'],
    ]);
  });

  it('JSON cut in the middle keeps what is whole; noise behind it is no matter', () => {
    const whole = `{"start":{"version":"iperf 3.12"},"intervals":[${interval(0)},${interval(1)}],"end":{"streams":[]}}`;
    expect(read(whole.slice(0, whole.lastIndexOf('"end"')))).toMatchObject({
      status: 'partial',
      error: 'the output ends in the middle',
    });
    expect(read(`${whole}\nKilled\n`).intervals).toHaveLength(6);
  });

  it('a stream of events whose error comes first is an error', () => {
    expect(
      read(
        '{"event":"error","data":"unable to connect to server: Connection refused"}\n{"event":"end","data":{}}\n',
      ),
    ).toMatchObject({
      status: 'error',
      error: 'unable to connect to server: Connection refused',
    });
  });

  const verbose = `Connecting to host 10.9.0.2, port 5201
      Cookie: tfdal2hwqjan3vtkmdc53dsh33w65dakqkzb
[  5] local 10.9.0.1 port 42532 connected to 10.9.0.2 port 5201
Starting Test: protocol: TCP, 1 streams, 131072 byte blocks, omitting 0 seconds, 2 second test, tos 0
[ ID] Interval           Transfer     Bitrate         Retr  Cwnd
[  5]   0.00-1.00   sec  4.19 GBytes  36.0 Gbits/sec    5   2.00 MBytes
[  5]   1.00-2.00   sec  4.84 GBytes  41.6 Gbits/sec    0   1.12 MBytes
- - - - - - - - - - - - - - - - - - - - - - - - -
Test Complete. Summary Results:
[ ID] Interval           Transfer     Bitrate         Retr
[  5]   0.00-2.00   sec  9.04 GBytes  38.8 Gbits/sec    5             sender
[  5]   0.00-2.00   sec  9.04 GBytes  38.7 Gbits/sec                  receiver
CPU Utilization: local/sender 39.5% (1.0%u/38.5%s), remote/receiver 56.5% (1.4%u/55.0%s)
snd_tcp_congestion bbr

iperf Done.
`;
  const plain = read(verbose);

  it('-V: the summary is announced between the dashes and the last header', () => {
    expect(plain).toMatchObject({
      status: 'ok',
      proto: 'TCP',
      streams: [{ role: 'sender', retransmits: 5 }, {}],
    });
    expect(plain.intervals).toHaveLength(2);
    expect(plain['notUnderstood']).toBeUndefined();
  });

  it.each([
    ['a title before every line', verbose.replaceAll(/^/gm, 'rack 7 (a+b):  ')],
    ['a time before every line', verbose.replaceAll(/^/gm, 'Sat Nov 21 22:47:43 2026 ')],
    ['carriage returns', verbose.replaceAll('\n', '\r\n')],
    [
      'what the server printed, behind it',
      `${verbose.slice(0, -12)}\nServer output:\n${verbose.slice(verbose.indexOf('[  5] local'))}`,
    ],
  ])('%s changes nothing', (_name, text) => {
    expect(read(text)).toEqual(plain);
  });

  it('a warning before the document, and a share of nothing that is no JSON (3.1)', () => {
    const result = read(
      `warning: UDP block size 9000 exceeds TCP MSS 8948\n{"start":{"version":"iperf 3.1"},"intervals":[],"end":{"streams":[{"udp":{"socket":5,"start":0,"end":1,"bytes":10,"bits_per_second":80,"lost_packets":0,"packets":0,"lost_percent":-nan}}]}}`,
    );
    expect(result.streams).toEqual([{ id: '5', start: 0, end: 1, bytes: 10, bps: 80, lost: 0, total: 0 }]);
  });

  it('a bad option prints the usage: the tool and the reason, and not a hundred lines not understood', () => {
    const result = read(
      'Usage: iperf3 [-s|-c host] [options]\n       iperf3 [-h|--help] [-v|--version]\n\nServer or Client:\n',
      'iperf3: parameter error - number of parallel streams too large (maximum = 128)\n',
    );
    expect(result).toMatchObject({ tool: 'iperf3', status: 'error' });
    expect(result['error']).toContain('number of parallel streams too large');
    expect(result['notUnderstood']).toBeUndefined();
  });

  it('the datagrams that came late are no failure of the test (3.1)', () => {
    expect(
      read(verbose, 'OUT OF ORDER - incoming packet = 5 and received packet = 7 AND SP = 5\n'),
    ).toMatchObject({ status: 'ok', warnings: [expect.stringContaining('OUT OF ORDER')] });
  });

  it('no error key, only standard error (3.9)', () => {
    expect(
      read(
        '{"start":{},"intervals":[],"end":{}}',
        'iperf3: error - unable to send control message: Bad file descriptor\n',
      ),
    ).toMatchObject({
      status: 'error',
      error: 'unable to send control message: Bad file descriptor',
    });
  });
});

it('CSV: the sum row of 2.0.x, a server report with its ends swapped, a client without one', () => {
  const result = read(
    '20261120221352,10.9.0.1,44052,10.9.0.2,5001,3,0.0-2.0,4737810,18925066\n20261120221352,10.9.0.2,5001,10.9.0.1,44052,3,0.0-5.4,4514370,6639793,0.000,151,3222,4.687,1\n20261120221352,10.9.0.1,0,10.9.0.2,5001,-1,0.0-2.1,28139520,109077736\n',
  );
  expect(result.streams).toHaveLength(1);
  expect(result.sum).toMatchObject({ bps: 109_077_736 });
  expect(result.serverReports).toEqual([
    {
      id: '3',
      start: 0,
      end: 5.4,
      bytes: 4_514_370,
      bps: 6_639_793,
      jitterMs: 0,
      lost: 151,
      total: 3222,
      lostPct: 4.687,
      outOfOrder: 1,
    },
  ]);
});

it('CSV cut inside its last figure: the row is not a row', () => {
  const row = '20261120221352,10.9.0.1,44052,10.9.0.2,5001,3,0.0-2.0,14032896,56131584';
  expect(read(`${row}\n`)).toMatchObject({ status: 'ok', streams: [{ bps: 56_131_584 }] });
  expect(read(row)).toMatchObject({ status: 'ok' });
  expect(read(`${row}\n${row.slice(0, -2)}`)).toMatchObject({
    streams: [{ bps: 56_131_584 }],
    notUnderstood: 1,
  });
});

it('nothing at all is not a result', () => {
  expect(() => read('')).toThrow(NotThisFormat);
  expect(() => read('total 12\ndrwx\n')).toThrow(NotThisFormat);
});

it('no text makes it fail but by saying that it is not its format', () => {
  const pieces = fc.constantFrom(
    '{"start":{',
    '"intervals":[{',
    '}]',
    '[  5] 0.0-1.0 sec 1 MBytes 2 Mbits/sec',
    '[SUM]',
    'iperf3: error',
    '- - - - - -',
    '20261120221352,a,1,b,2,3,0.0-1.0,1,2',
    '{"event":"interval","data":',
    client2,
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), pieces)), fc.string(), (parts, stderr) => {
      try {
        read(parts.join('\n'), stderr);
      } catch (error) {
        expect(error).toBeInstanceOf(NotThisFormat);
      }
    }),
  );
});
