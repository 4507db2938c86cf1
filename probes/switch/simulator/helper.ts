import type { SimulatedAnswer, SimulatedCall, SimulatedSession } from '../../../src/model/simulator.ts';

/** A systemd timer on the helper host. */
interface Timer {
  unit: string;
  at: number;
  run(): void;
}

/** What the helper host holds: the consoles' journal and the undo timers. */
export interface Helper {
  journal: string;
  timers: Map<string, Timer>;
}

export const newHelper = (): Helper => ({ journal: '', timers: new Map() });

type Login = (host: string) => SimulatedSession | undefined;

/** Types lines on a device as `ssh -tt` with a pipe does; gives what it prints, undefined: nobody answers. */
const typed = (
  login: Login,
  host: string,
  lines: readonly string[],
): { text: string; mutated: boolean } | undefined => {
  const session = login(host);
  if (!session) return undefined;
  let text = '';
  let mutated = false;
  for (const line of lines) {
    text += `${session.prompt()}${line}\n`;
    const answer = session.type(line);
    if (!answer) break;
    text += answer.stdout;
    mutated ||= answer.mutated ?? false;
  }
  return { text, mutated };
};

/** Runs what is due: whoever looks first finds it done, as at a real host. */
export const runDue = (helper: Helper, now: number): void => {
  for (const [unit, timer] of helper.timers) {
    if (timer.at > now) continue;
    helper.timers.delete(unit);
    timer.run();
  }
};

/** Commands of the helper host: `sh -c` scripts of the console, systemd's two commands, the journal. */
export const helperCommand = (
  { argv, now }: SimulatedCall,
  helper: Helper,
  login: Login,
): SimulatedAnswer | undefined => {
  const [program, ...words] = argv;
  if (program === 'cat' && words[0]?.endsWith('/switch-journal.jsonl') === true)
    return helper.journal === ''
      ? { stderr: `cat: ${words[0]}: No such file or directory\n`, exitCode: 1 }
      : { stdout: helper.journal };
  if (program === 'systemctl' && words[0] === 'list-units')
    return {
      stdout: [...helper.timers.keys()]
        .map((unit) => `${unit}.timer loaded active waiting /usr/bin/sh -c ...\n`)
        .join(''),
    };
  if (program === 'systemd-run') return systemdRun(words, now, helper, login);
  return program === 'sh' && words[0] === '-c' ? script(words.slice(1), now, helper, login) : undefined;
};

const systemdRun = (words: readonly string[], now: number, helper: Helper, login: Login): SimulatedAnswer => {
  const value = (name: string): string =>
    words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
  const unit = value('--unit');
  const seconds = Number(/^(\d+)s$/.exec(value('--on-active'))?.[1] ?? NaN);
  const command = words.slice(words.findIndex((word) => !word.startsWith('--')));
  if (unit === '' || Number.isNaN(seconds))
    return { stderr: 'Failed to parse timer specification\n', exitCode: 1 };
  if (helper.timers.has(unit))
    return {
      stderr: `Failed to start transient timer unit: Unit ${unit}.timer was already loaded\n`,
      exitCode: 1,
    };
  const [, , , , file = '', port = '', seen = '', host = '', ...lines] = command;
  const run = (): void => {
    const answer = typed(login, host, lines);
    if (file !== '' && answer && new RegExp(seen, 'im').test(answer.text))
      helper.journal += `${JSON.stringify({ kind: 'restored', at: now, port, by: 'timer' })}\n`;
  };
  helper.timers.set(unit, { unit, at: now + seconds * 1000, run });
  return { stderr: `Running timer as unit: ${unit}.timer\n`, mutated: true };
};

const script = (
  [text = '', , ...args]: readonly string[],
  now: number,
  helper: Helper,
  login: Login,
): SimulatedAnswer | undefined => {
  if (text.includes('"kind":"%s"')) {
    const [, kind, port, part, by, said] = args;
    const line = { kind, at: Math.floor(now / 1000) * 1000, port, part, by, text: said };
    helper.journal += `${JSON.stringify(line)}\n`;
    return { mutated: true };
  }
  if (text.includes('systemctl stop')) {
    helper.timers.delete(args[0] ?? '');
    return { mutated: true };
  }
  if (!text.includes('ssh')) return undefined;
  if (!text.includes('grep')) {
    const [host = '', ...lines] = args;
    const answer = typed(login, host, lines);
    return answer
      ? { stdout: answer.text, mutated: answer.mutated }
      : { stderr: `ssh: Could not resolve hostname ${host}: Name or service not known\n`, exitCode: 255 };
  }
  const [pattern = '', host = '', ...lines] = args;
  const answer = typed(login, host, lines);
  return { exitCode: answer && new RegExp(pattern, 'im').test(answer.text) ? 0 : 1 };
};
