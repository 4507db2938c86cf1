import { fileTools } from './file-tools.ts';
import { pause, printLine, runLimited, type Builtin } from './shell.ts';
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

const id = printLine(({ argv, env: { USER: user = 'root' } }) => {
  const uid = user === 'root' ? 0 : 1000;
  const byName = argv.some((word) => /^-[ugG]*n/.test(word) || word === '-n');
  if (byName) return user;
  return argv.some((word) => /^-[ugG]$/.test(word))
    ? String(uid)
    : `uid=${uid}(${user}) gid=${uid}(${user}) groups=${uid}(${user})`;
});

/** `logger -t TAG -p FACILITY TEXT`: a line in the file that Debian's syslog writes for `authpriv`. */
const logger: Builtin = ({ argv, shell }) => {
  const words = argv.slice(1);
  let tag = 'demo';
  while (words[0]?.startsWith('-')) {
    const [option, value = ''] = words.splice(0, 2);
    if (option === '-t') tag = value;
  }
  const { files, host, now } = shell.outside;
  const time = new Date(now()).toISOString();
  files.write('/var/log/auth.log', `${time} ${host} ${tag}: ${words.join(' ')}\n`, { append: true });
  return 0;
};

const KERNEL = '6.1.0-18-amd64';

const uname = printLine(({ argv, shell }) => {
  const fields = { s: 'Linux', n: shell.outside.host, r: KERNEL, v: '#1 SMP', m: 'x86_64', o: 'GNU/Linux' };
  const letters = argv.slice(1).join('').replaceAll('-', '') || 's';
  return Object.entries(fields)
    .flatMap(([letter, value]) => (/a/.test(letters) || letters.includes(letter) ? [value] : []))
    .join(' ');
});

const formatDate = (format: string, at: number): string => {
  const iso = new Date(at).toISOString();
  const [year = '', month = '', day = '', hour = '', minute = '', second = '', ms = ''] = iso.split(/\D/);
  const fields: Readonly<Record<string, string>> = {
    s: String(Math.floor(at / 1000)),
    N: `${ms}000000`,
    F: iso.slice(0, 10),
    T: iso.slice(11, 19),
    Y: year,
    m: month,
    d: day,
    H: hour,
    M: minute,
    S: second,
    z: '+0000',
    Z: 'UTC',
    '%': '%',
  };
  return format.replace(/%([a-zA-Z%])/g, (found, letter: string) => fields[letter] ?? found);
};

const date = printLine(({ argv, shell }) =>
  formatDate(argv.find((word) => word.startsWith('+'))?.slice(1) ?? '%F %T %Z', shell.outside.now()),
);

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
  whoami: printLine(({ env }) => env['USER'] ?? 'root'),
  uname,
  date,
  hostname: printLine(({ shell }) => shell.outside.host),
  kill,
  logger,
  sync: () => 0,
  // What is looked for by owner: every file here is root's, and what simulators keep they find themselves.
  find: ({ argv }) => (argv.includes('-user') || argv.includes('-maxdepth') ? 0 : 1),
};
