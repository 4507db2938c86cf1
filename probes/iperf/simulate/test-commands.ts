import type { SimulatedAnswer } from '../../../src/model/simulator.ts';
import { stateFile } from './print-test.ts';
import { armSweep, beginSweep, cancelSweep, refuseUnmet, sweepFile } from './sweep-commands.ts';
import { begin, endOf, type SimHost, type SimNet } from './state.ts';

const folder = '/var/tmp/faultline-tasks';

const versions = {
  iperf3:
    'iperf 3.12 (cJSON 1.7.15)\nOptional features available: CPU affinity setting, IPv6 flow label, SCTP\n',
  iperf: 'iperf version 2.1.8 (12 August 2022) pthreads\n',
};

/** The scripts of tests, and reading what they left; undefined for what is none of it. */
export const testCommand = (
  net: SimNet,
  host: SimHost,
  argv: readonly string[],
  now: number,
): SimulatedAnswer | undefined => {
  const [program, ...words] = argv;
  if (program === 'iperf3' && words[0] === '--version') return { stdout: versions.iperf3 };
  if (program === 'iperf' && words[0] === '--version') return { stdout: versions.iperf };
  if (program === 'touch' && words[0]?.startsWith(folder)) return {};
  if (program === 'cat' && words[0] === '/proc/net/tcp') return { stdout: listeningText(host, now) };
  // Where the folders of tests are looked for; nobody else has made one here.
  if (program === 'find' && words[0] === '/var/tmp/')
    return { stdout: words.includes('-exec') ? '' : `${folder}\n` };
  if (program === 'find' && words[0] === folder) {
    refuseUnmet(net, host, now);
    return { stdout: findFiles(host, words, now) };
  }
  if (program !== 'sh' || words[0] !== '-s') return undefined;
  return script(net, host, words.slice(2), now);
};

const dropEnded = (host: SimHost, now: number): SimHost['servers'] => {
  host.servers = host.servers.filter(({ until }) => until > now);
  return host.servers;
};

const listeningText = (host: SimHost, now: number): string => {
  const row = (at: number, port: number): string =>
    `${String(at).padStart(4)}: 00000000:${port.toString(16).toUpperCase().padStart(4, '0')} 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 21${at} 1 0000000000000000 100 0 0 10 0\n`;
  const ports = [22, ...dropEnded(host, now).map(({ port }) => port)];
  return `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n${ports.map((port, at) => row(at, port)).join('')}`;
};

const findFiles = (host: SimHost, words: readonly string[], now: number): string =>
  filesOf(host, words[words.indexOf('-name') + 1] ?? '', now)
    .map(([name, text]) => `==> ${folder}/${name} <==\n${text}`)
    .join('\n');

const filesOf = (host: SimHost, name: string, now: number): (readonly [string, string])[] => {
  if (name === 'iperf-*.server')
    return dropEnded(host, now).map(({ pair, port }) => [`iperf-${pair}.server`, `port=${port}\n`]);
  if (name === 'iperf-*.carried') return [];
  if (name === 'iperf-sweep.task') {
    const text = sweepFile(host, now);
    return text === undefined ? [] : [[name, text]];
  }
  return host.tests
    .filter(({ startedAt }) => startedAt <= now)
    .map((test) => [`iperf-${test.client}:${test.server}.${test.id}.run`, stateFile(test, now)]);
};

const script = (
  net: SimNet,
  host: SimHost,
  words: readonly string[],
  now: number,
): SimulatedAnswer | undefined => {
  const [first = '', second = '', third = ''] = words;
  if (first === 'cancel') {
    for (const test of host.tests) if (endOf(test) > now) test.cancelledAt = now;
    host.servers = [];
    cancelSweep(host, now);
    return { mutated: true };
  }
  if (first === 'sweep-arm') return armSweep(host, words.slice(1), now);
  if (first === 'sweep-go') return beginSweep(net, host, words.slice(1), now);
  if (first.includes(':') && /^iperf[23]$/.test(second)) {
    const port = Number(words[5]);
    dropEnded(host, now).push({ pair: first, port, until: now + (Number(third) + 8) * 1000 });
    return { stdout: `listening on port ${port}\n`, mutated: true };
  }
  if (/^(?:watched|bounded)$/.test(third)) return client(net, words, now);
  return undefined;
};

/** CLIENT SERVER WATCHED ADDRESS TOOL SECONDS STREAMS MODE WINDOW SWEEP ROWS PORTS OPTIONS... */
const client = (net: SimNet, words: readonly string[], now: number): SimulatedAnswer => {
  const [
    from = '',
    to = '',
    ,
    address = '',
    tool = '',
    seconds,
    streams,
    mode = '',
    window = '',
    sweep = '',
    ,
    ports = '',
  ] = words;
  const server = net.hosts.get(to);
  const waiting = server && dropEnded(server, now).find(({ pair }) => pair === `${from}:${to}`);
  const port = waiting?.port ?? Number(ports.split(' ')[0]);
  const test = begin(
    net,
    {
      client: from,
      server: to,
      address,
      tool,
      seconds: Number(seconds),
      streams: Number(streams),
      mode,
      window,
      sweep,
      port,
    },
    now,
  );
  if (waiting) waiting.until = endOf(test);
  else test.error = 'iperf3: error - unable to connect to server: Connection refused';
  return { stdout: `started ${test.id}\n`, mutated: true };
};
