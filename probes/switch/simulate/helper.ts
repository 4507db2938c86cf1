import type { SimulatedAnswer, SimulatedCall, SimulatedSession } from '../../../src/model/simulator.ts';

/** A systemd timer on the helper host. */
interface Timer {
  unit: string;
  at: number;
  run(): void;
}

/** What the helper host holds: the consoles' journal, the undo timers, and what failed undos told by the file that they told it in. */
export interface Helper {
  journal: string;
  timers: Map<string, Timer>;
  failed: Map<string, string>;
}

export const newHelper = (): Helper => ({ journal: '', timers: new Map(), failed: new Map() });

/** What an undo script is given: how the device refuses, the prompt of the port's configuration, how it shows a port that is on. */
interface UndoWords {
  refuses: RegExp;
  prompt: RegExp;
  on: RegExp;
  host: string;
  undo: readonly string[];
  look: readonly string[];
}

const undoWords = ([
  ,
  refuses = '',
  prompt = '',
  on = '',
  host = '',
  count = '0',
  ...lines
]: readonly string[]): UndoWords => ({
  refuses: new RegExp(refuses, 'im'),
  prompt: new RegExp(prompt, 'g'),
  on: new RegExp(on, 'im'),
  host,
  undo: lines.slice(0, Number(count)),
  look: lines.slice(Number(count)),
});

/** Gives what speaks against it, after the undo's lines were typed. */
const typeUndo = (login: Login, { refuses, prompt, host, undo }: UndoWords): string | undefined => {
  const text = typeLines(login, host, undo)?.text;
  if (text === undefined) return `ssh: connect to host ${host} port 22: Connection refused`;
  const no = text.split('\n').find((line) => refuses.test(line));
  if (no !== undefined) return no;
  return [...text.matchAll(prompt)].length < 2 ? 'its configuration was not reached' : undefined;
};

const isOn = (login: Login, { on, host, look }: UndoWords): boolean =>
  on.test(typeLines(login, host, look)?.text ?? '');

type Login = (host: string) => SimulatedSession | undefined;

/** Types lines on a device as `ssh -tt` with a pipe does; gives what it prints, undefined: nobody answers. */
const typeLines = (
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
  if (program === 'cat' && words[0]?.startsWith('/run/faultline-undo/') === true)
    return helper.failed.size === 0
      ? { stderr: `cat: '${words[0]}': No such file or directory\n`, exitCode: 1 }
      : { stdout: [...helper.failed.values()].join('') };
  if (program === 'systemctl' && words[0] === 'list-units')
    return {
      stdout: [...helper.timers.keys()]
        .map((unit) => `${unit}.timer loaded active waiting /usr/bin/sh -c ...\n`)
        .join(''),
    };
  if (program === 'systemctl') return timerCommand(words, helper);
  if (program === 'systemd-run') return systemdRun(words, now, helper, login);
  return program === 'sh' && words[0] === '-c' ? script(words.slice(1), now, helper, login) : undefined;
};

/** `systemctl stop UNIT.timer`, `systemctl is-active UNIT...`: of a unit that is gone it knows nothing. */
const timerCommand = ([verb, ...units]: readonly string[], { timers }: Helper): SimulatedAnswer => {
  const known = units.map((unit) => unit.replace(/\.timer$/, '')).filter((unit) => timers.has(unit));
  if (verb === 'is-active') return { exitCode: known.length > 0 ? 0 : 3 };
  if (verb !== 'stop' || known.length === 0) return { exitCode: 5 };
  for (const unit of known) timers.delete(unit);
  return { mutated: true };
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
  const [, , , , file = '', own = '', port = '', name = '', ...rest] = command;
  const undo = undoWords(rest);
  const run = (): void => {
    const no = typeUndo(login, undo);
    const restored = isOn(login, undo);
    const line = restored
      ? { kind: 'restored', at: now, port, by: 'timer' }
      : { kind: 'notRestored', at: now, port, by: 'timer', host: name, text: no ?? 'it is down' };
    const text = `${JSON.stringify(line)}\n`;
    if (file !== '') helper.journal += text;
    if (restored) helper.failed.delete(own);
    else helper.failed.set(own, text);
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
  if (!text.includes('ssh')) return undefined;
  const words = undoWords(args);
  if (!isOn(login, words))
    return { stderr: `${words.host} does not show the port switched on\n`, exitCode: 1 };
  const no = typeUndo(login, words);
  return no === undefined
    ? {}
    : { stderr: `${words.host} does not let the undo account switch the port on: ${no}\n`, exitCode: 1 };
};
