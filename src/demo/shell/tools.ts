import { fileTools } from './file-tools.ts';
import { runLimited } from './limit.ts';
import { pause, type Builtin, type Command } from './shell.ts';
import { textTools } from './text-tools.ts';

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** `1.5`, `2m`, `inf` in seconds. */
const seconds = (text: string): number => {
  if (text.startsWith('inf')) return Number.POSITIVE_INFINITY;
  const unit = UNITS[text.at(-1) ?? ''];
  return unit === undefined ? Number(text) : Number(text.slice(0, -1)) * unit;
};

const sleep: Builtin = async ({ argv, signal }) => {
  await pause(seconds(argv[1] ?? '0') * 1000, signal);
  return 0;
};

const timeout: Builtin = (call) => {
  const words = call.argv.slice(1);
  while (words[0]?.startsWith('-')) {
    const option = words.shift() ?? '';
    if (option === '-k' || option === '-s') words.shift();
  }
  const limit = seconds(words.shift() ?? '0');
  return runLimited(limit, call.signal, (signal) => call.run(words, { signal }));
};

const sudo: Builtin = (call) => {
  const words = call.argv.slice(1);
  let user = 'root';
  let list = false;
  while (words[0]?.startsWith('-')) {
    const option = words.shift() ?? '';
    if (option === '-u') user = words.shift() ?? user;
    if (option === '-l') list = true;
    if (option === '--') break;
  }
  if (list) {
    call.streams.out(words.length > 0 ? `${words.join(' ')}\n` : '    (ALL) NOPASSWD: ALL\n');
    return 0;
  }
  return words.length === 0 ? 0 : call.run(words, { env: { ...call.env, USER: user } });
};

const env: Builtin = (call) => {
  const words = call.argv.slice(1);
  const settings: Record<string, string> = {};
  while (words[0]?.startsWith('-') || words[0]?.includes('=')) {
    const [name = '', ...value] = (words.shift() ?? '').split('=');
    if (!name.startsWith('-')) settings[name] = value.join('=');
  }
  const all = { ...call.env, ...settings };
  if (words.length > 0) return call.run(words, { env: all });
  call.streams.out(
    Object.entries(all)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
  return 0;
};

const id: Builtin = ({ argv, env, streams }) => {
  const user = env['USER'] ?? 'root';
  const uid = user === 'root' ? 0 : 1000;
  const byName = argv.some((word) => /^-[ugG]*n/.test(word) || word === '-n');
  const text = byName ? user : argv.some((word) => /^-[ugG]$/.test(word)) ? String(uid) : undefined;
  streams.out(`${text ?? `uid=${uid}(${user}) gid=${uid}(${user}) groups=${uid}(${user})`}\n`);
  return 0;
};

const KERNEL = '6.1.0-18-amd64';

const uname: Builtin = ({ argv, shell, streams }) => {
  const fields = { s: 'Linux', n: shell.outside.host, r: KERNEL, v: '#1 SMP', m: 'x86_64', o: 'GNU/Linux' };
  const letters = argv.slice(1).join('').replaceAll('-', '') || 's';
  const chosen = letters.includes('a')
    ? Object.values(fields)
    : Object.entries(fields).flatMap(([letter, value]) => (letters.includes(letter) ? [value] : []));
  streams.out(`${chosen.join(' ')}\n`);
  return 0;
};

const formatted = (format: string, at: number): string => {
  const iso = new Date(at).toISOString();
  const date = iso.slice(0, 10);
  const time = iso.slice(11, 19);
  const fields: Readonly<Record<string, string>> = {
    s: String(Math.floor(at / 1000)),
    N: `${iso.slice(20, 23)}000000`,
    F: date,
    T: time,
    Y: iso.slice(0, 4),
    m: iso.slice(5, 7),
    d: iso.slice(8, 10),
    H: iso.slice(11, 13),
    M: iso.slice(14, 16),
    S: iso.slice(17, 19),
    z: '+0000',
    Z: 'UTC',
    '%': '%',
  };
  return format.replace(/%([a-zA-Z%])/g, (found, letter: string) => fields[letter] ?? found);
};

const date: Builtin = ({ argv, shell, streams }) => {
  const format = argv.find((word) => word.startsWith('+'))?.slice(1) ?? '%F %T %Z';
  streams.out(`${formatted(format, shell.outside.now())}\n`);
  return 0;
};

const hostname: Builtin = ({ shell, streams }: Command) => {
  streams.out(`${shell.outside.host}\n`);
  return 0;
};

/** No process of the demo has a number: `kill -0` finds none, other signals reach none. */
const kill: Builtin = ({ argv, streams }) => {
  if (argv.at(-1) === '0') return 0;
  streams.err(`sh: 1: kill: No such process\n`);
  return 1;
};

/** Programs that every simulated host has. */
export const tools: Readonly<Record<string, Builtin>> = {
  ...fileTools,
  ...textTools,
  sleep,
  timeout,
  sudo,
  env,
  nice: (call) => call.run(call.argv.slice(call.argv[1]?.startsWith('-') ? 3 : 1)),
  id,
  whoami: ({ env, streams }) => {
    streams.out(`${env['USER'] ?? 'root'}\n`);
    return 0;
  },
  uname,
  date,
  hostname,
  kill,
  sync: () => 0,
};
