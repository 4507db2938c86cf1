import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { until } from '../lab/processes.ts';

/** Where a command that changes something waits: before the real `scontrol` is started, or after it ended. */
export type Gate = 'before' | 'after';

/**
 * What the wrapper does in place of the real thing. `nothing`: says nothing, exits 0 and has changed nothing; `denies`: does it and
 * exits 1 with words that no table knows; `stale`: what is read after a change is from before it.
 */
export type Lie = 'nothing' | 'denies' | 'stale';

/** One call that reached the host, as the host itself saw it. */
export interface Reached {
  argv: readonly string[];
  /** Absent: it has not ended, or was killed. */
  exit?: number;
}

/**
 * A `scontrol` that writes down what really reached the host, holds what changes something at a gate, and may lie; as `sinfo` it tells
 * that it was read. Bound over the real ones where the controller's sshd and its sessions see it and nobody else.
 */
const script = (folder: string): string => `#!/bin/sh
place=${folder}
name=\${0##*/}
if [ "$name" = sinfo ] || [ "$1" = show ]; then
  : >>"$place/shown"
  old=$place/old/$(printf %s "$name $*" | tr -c 'a-z-' _)
  [ "$(cat "$place/lie" 2>/dev/null)" = stale ] && [ -e "$place/changed" ] && [ -e "$old" ] && exec cat "$old"
  [ -d "$place/old" ] && "$place/real-$name" "$@" >"$old.new" 2>/dev/null && mv "$old.new" "$old"
  exec "$place/real-$name" "$@"
fi
case "$1" in update | reboot | delete | create | reconfigure | power) ;; *) exec "$place/real-scontrol" "$@" ;; esac
call="$place/calls/$(date +%s%N).$$"
printf '%s\\n' "$@" >"$call.new" && mv "$call.new" "$call"
wait_at() {
  [ -e "$place/gate-$1" ] || return 0
  : >"$place/at-$1"
  turn=0
  while [ -e "$place/gate-$1" ] && [ "$turn" -lt 3000 ]; do sleep 0.02; turn=$((turn + 1)); done
}
trap 'echo 143 >"$call.exit"; exit 143' TERM HUP
wait_at before
: >"$place/changed"
lie=$(cat "$place/lie" 2>/dev/null)
if [ "$lie" = nothing ]; then code=0; else "$place/real-scontrol" "$@" </dev/null; code=$?; fi
if [ "$lie" = denies ]; then echo 'slurm_update error: Vorgang nicht ausgefuehrt' >&2; code=1; fi
echo "$code" >"$call.exit"
wait_at after
exit "$code"
`;

const NAMES = ['scontrol', 'sinfo'];

export class CountedScontrol {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = join(folder, 'counted');
    mkdirSync(join(this.folder, 'calls'), { recursive: true });
    for (const name of NAMES) copyFileSync(`/usr/bin/${name}`, this.at(`real-${name}`));
    writeFileSync(this.at('wrapper'), script(this.folder), { mode: 0o755 });
  }

  /** What lays it over the real ones, as lines of sh. */
  get mounts(): string {
    return NAMES.map((name) => `mount --bind ${this.at('wrapper')} /usr/bin/${name}`).join('; ');
  }

  private at(name: string): string {
    return join(this.folder, name);
  }

  /** Forgets what reached the host, opens the gates, and tells the truth again. */
  reset(): void {
    for (const name of [
      'gate-before',
      'gate-after',
      'at-before',
      'at-after',
      'lie',
      'shown',
      'changed',
      'old',
      'calls',
    ])
      rmSync(this.at(name), { recursive: true, force: true });
    mkdirSync(this.at('calls'));
  }

  lie(lie: Lie): void {
    if (lie === 'stale') mkdirSync(this.at('old'));
    writeFileSync(this.at('lie'), lie);
  }

  close(gate: Gate): void {
    writeFileSync(this.at(`gate-${gate}`), '');
  }

  open(gate: Gate): void {
    rmSync(this.at(`gate-${gate}`), { force: true });
  }

  waitsAt(gate: Gate): boolean {
    return existsSync(this.at(`at-${gate}`));
  }

  /** Calls that change something, in the order in which they came. */
  changes(): Reached[] {
    const calls = readdirSync(this.at('calls')).filter((name) => /^\d+\.\d+$/.test(name));
    return calls.sort().map((name): Reached => {
      const argv = readFileSync(join(this.at('calls'), name), 'utf8')
        .trimEnd()
        .split('\n');
      const exit = join(this.at('calls'), `${name}.exit`);
      const text = existsSync(exit) ? readFileSync(exit, 'utf8').trim() : '';
      return { argv, ...(text !== '' && { exit: Number(text) }) };
    });
  }

  /** Reads that came since the last reset or the last call of this. */
  wasShown(): boolean {
    return existsSync(this.at('shown'));
  }

  forgetShown(): void {
    rmSync(this.at('shown'), { force: true });
  }

  /** Until every call that reached the host has ended there: before that nobody can say what is true. */
  async settled(limitMs = 90_000): Promise<void> {
    await until(
      'every scontrol has ended on its host',
      () => this.changes().every(({ exit }) => exit !== undefined),
      limitMs,
    );
  }
}
