import { endOf, type SimTest } from './state.ts';

const twoDecimals = (value: number): string => value.toFixed(2);

/** iperf's own way with figures: three digits, K/M/G of 1024 for bytes and 1000 for bits. */
const scaleFigure = (value: number, base: number, units: readonly string[]): string => {
  let rest = value;
  let at = 0;
  while (rest >= base && at < units.length - 1) {
    rest /= base;
    at += 1;
  }
  const text = rest >= 99.95 ? rest.toFixed(0) : rest >= 9.995 ? rest.toFixed(1) : rest.toFixed(2);
  return `${text} ${units[at]}`;
};
const bytes = (value: number): string =>
  scaleFigure(value, 1024, ['Bytes', 'KBytes', 'MBytes', 'GBytes', 'TBytes']);
const bits = (value: number): string =>
  scaleFigure(value, 1000, ['bits/sec', 'Kbits/sec', 'Mbits/sec', 'Gbits/sec']);

/** A row of iperf 3.12. */
const row3 = (id: string, role: string, from: number, to: number, bps: number, rest: string): string =>
  `[${id.padStart(3)}]${role}  ${`${twoDecimals(from)}-${twoDecimals(to)}`.padStart(11)}  sec  ${bytes((bps / 8) * (to - from))}  ${bits(bps)}${rest}`;

const dashes = '- - - - - - - - - - - - - - - - - - - - - - - - -';

interface Way {
  role: string;
  rates: readonly number[];
  ids: readonly string[];
  sends: boolean;
}

const waysOf = (test: SimTest): Way[] => {
  const both = test.mode === 'both';
  const ids = (from: number): string[] =>
    Array.from({ length: test.streams }, (_, at) => String(from + 2 * at));
  return [
    ...(test.there.length > 0
      ? [{ role: both ? '[TX-C]' : '', rates: test.there, ids: ids(5), sends: true }]
      : []),
    ...(test.back.length > 0
      ? [
          {
            role: both ? '[RX-C]' : '',
            rates: test.back,
            ids: ids(both ? 5 + 2 * test.streams : 5),
            sends: false,
          },
        ]
      : []),
  ];
};

/** iperf 3.12's text, as far as the test has come. */
const text3 = (test: SimTest, seconds: number, done: boolean): string => {
  const ways = waysOf(test);
  const titled = ways.length > 1 ? '[ ID][Role]' : '[ ID]';
  const all = ways.flatMap(({ ids }) => ids);
  const lines = [
    `Connecting to host ${test.address}, port ${test.port}`,
    ...(test.mode === 'reverse' ? [`Reverse mode, remote host ${test.address} is sending`] : []),
    ...all.map(
      (id, at) =>
        `[${id.padStart(3)}] local ${test.client} port ${40_000 + (test.startedAt % 20_000) + at * 2} connected to ${test.address} port ${test.port}`,
    ),
    `${titled} Interval           Transfer     Bitrate${ways[0]?.sends ? '         Retr  Cwnd' : ''}`,
  ];
  for (let second = 0; second < seconds; second++) {
    for (const { role, rates, ids, sends } of ways) {
      const bps = (rates[second] ?? 0) / ids.length;
      for (const id of ids)
        lines.push(row3(id, role, second, second + 1, bps, sends ? '    0   1.53 MBytes' : ''));
      if (ids.length > 1)
        lines.push(row3('SUM', role, second, second + 1, rates[second] ?? 0, sends ? '    0' : ''));
    }
    if (all.length > 1 && ways.length === 1) lines.push(dashes);
  }
  if (!done) return `${lines.join('\n')}\n`;
  lines.push(dashes, `${titled} Interval           Transfer     Bitrate         Retr`);
  for (const { role, rates, ids } of ways) {
    const bps =
      rates.slice(0, seconds).reduce((sum, one) => sum + one, 0) / Math.max(1, seconds) / ids.length;
    for (const id of ids) {
      lines.push(row3(id, role, 0, seconds, bps, '    0             sender'));
      lines.push(row3(id, role, 0, seconds + 0.04, bps, '                  receiver'));
    }
  }
  lines.push(
    '',
    test.cancelledAt === undefined ? 'iperf Done.' : 'iperf3: interrupt - the client has terminated',
  );
  return `${lines.join('\n')}\n`;
};

/** iperf 2.1.8's text. */
const text2 = (test: SimTest, seconds: number, done: boolean): string => {
  const rule = '-'.repeat(60);
  const rates = test.there.length > 0 ? test.there : test.back;
  const ids = Array.from(
    { length: test.streams },
    (_, at) => `${test.mode === 'reverse' ? '*' : ''}${at + 1}`,
  );
  const row = (id: string, from: number, to: number, bps: number): string =>
    `[${id.padStart(3)}] ${from.toFixed(4)}-${to.toFixed(4)} sec  ${bytes((bps / 8) * (to - from))}  ${bits(bps)}`;
  const lines = [
    rule,
    `Client connecting to ${test.address}, TCP port ${test.port}`,
    'TCP window size: 16.0 KByte (default)',
    rule,
    ...ids.map(
      (id, at) =>
        `[${id.padStart(3)}] local ${test.client} port ${40_000 + (test.startedAt % 20_000) + at * 2} connected with ${test.address} port ${test.port}`,
    ),
    '[ ID] Interval       Transfer     Bandwidth',
  ];
  for (let second = 0; second < seconds; second++)
    for (const id of ids) lines.push(row(id, second, second + 1, (rates[second] ?? 0) / ids.length));
  if (done) {
    const bps = rates.slice(0, seconds).reduce((sum, one) => sum + one, 0) / Math.max(1, seconds);
    for (const id of ids) lines.push(row(id, 0, seconds + 0.01, bps / ids.length));
  }
  return `${lines.join('\n')}\n`;
};

/** The state file of a test as it stands now. */
export const stateFile = (test: SimTest, now: number): string => {
  const end = endOf(test);
  const done = now >= end;
  const seconds = Math.max(
    0,
    Math.min(test.seconds, Math.floor((Math.min(now, end) - test.startedAt) / 1000)),
  );
  const head = [
    `id=${test.id}`,
    `client=${test.client}`,
    `server=${test.server}`,
    `tool=${test.tool}`,
    `seconds=${test.seconds}`,
    `streams=${test.streams}`,
    `mode=${test.mode}`,
    `window=${test.window}`,
    `sweep=${test.sweep}`,
    `started=${Math.floor(test.startedAt / 1000)}`,
    'rtt=rtt min/avg/max/mdev = 0.162/0.180/0.198/0.018 ms',
    '--- out',
  ];
  const out =
    test.error === undefined
      ? (test.tool === 'iperf2' ? text2 : text3)(test, seconds, done)
      : `${test.error}\n`;
  const code = test.error === undefined && test.cancelledAt === undefined ? 0 : 1;
  const tail = done
    ? `\n=== end ${code} ${Math.ceil(end / 1000)} ${test.port} ${test.cancelledAt === undefined ? '' : 'cancelled'}\n`
    : '';
  return `${head.join('\n')}\n${out}${tail}`;
};
