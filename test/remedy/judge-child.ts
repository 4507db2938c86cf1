import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { judgeProcess, stampOf, thisProcess, type ProcessOwner } from '../../src/remedy/process-stamp.ts';

/**
 * `node judge-child.ts OWNER`: what this process, wherever it was started, says of an owner (JSON). `node judge-child.ts hidden`, as
 * root where /proc hides processes of other accounts: what an account that sees nothing says of one that runs, and of one that ended.
 */
const self = { host: 'adm1', version: '0', ...thisProcess() };
const [what = ''] = process.argv.slice(2);
const judge = (owner: ProcessOwner) => judgeProcess(owner, self, 60_000);
const say = (value: object): void => void process.stdout.write(JSON.stringify(value));

if (what === 'hidden') {
  const [runs, ends] = [spawn('sleep', ['60']), spawn('sleep', ['60'])];
  const ownerOf = (pid = 0): ProcessOwner => ({ ...self, pid, stamp: stampOf(pid) });
  const [running, ended] = [ownerOf(runs.pid), ownerOf(ends.pid)];
  ends.kill('SIGKILL');
  await once(ends, 'exit');
  const seenByRoot = judge(running);
  process.setgid?.(65_534);
  process.setgroups?.([]);
  process.setuid?.(65_534);
  say({ seenByRoot, seen: stampOf(running.pid), running: judge(running), ended: judge(ended) });
  process.exit(0);
}
say(judge(JSON.parse(what) as ProcessOwner));
