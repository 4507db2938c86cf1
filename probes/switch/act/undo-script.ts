import type { Dialect } from '../../../src/model/answer.ts';

const ssh = 'ssh -o BatchMode=yes -o ConnectTimeout=10';

/** How an undo host reaches the port: a device's command line, its shell, or commands of its own (a fabric). */
export type Reach = 'cli' | 'sh' | 'here';

const ways: Readonly<Record<Reach, string>> = {
  cli: `timeout 20 ${ssh} -tt "$h" 2>&1 | tr -d "\\r"`,
  sh: `timeout 20 ${ssh} "$h" "exec sh -e" 2>&1`,
  here: 'timeout 10 sh -e 2>&1',
};

/** What an undo is made of. Every expression is an extended regular one, for any case. */
export interface UndoWords {
  reach: Reach;
  /** The device, or the host itself. */
  host: string;
  /** What a command line says when it refuses; unused elsewhere. */
  refuses: string;
  /** The prompt in the configuration of the port. */
  prompt: string;
  /** Stands in a line of `look` when the port is not switched off. */
  on: string;
  undo: readonly string[];
  look: readonly string[];
}

/** Of a dialect, as `grep -E` reads it. */
export const refusalsOf = (dialect: Dialect | undefined): string => (dialect?.errors ?? []).join('|');

/** The words behind a script: `r`, `c`, `p`, `h`, `n`, the lines of the undo and those that look. */
export const wordsOf = ({ refuses, prompt, on, host, undo, look }: UndoWords): readonly string[] => [
  refuses,
  prompt,
  on,
  host,
  String(undo.length),
  ...undo,
  ...look,
];

/**
 * Whether a command line took the undo: no refusal that it is known to print; the prompt of the port's configuration stood before the
 * last command and after it; and between the two nothing, for a Cisco-like command line is silent when it obeys. Log messages
 * (`%FACILITY-6-NAME`) may come at any time. `sh -e` says it with its exit code.
 */
const judged: Readonly<Record<Reach, string>> = {
  cli: [
    'w=$(printf "%s\\n" "$o" | grep -iE "$r" | head -n 1)',
    'test -n "$w" || w=$(printf "%s\\n" "$o" | sed -nE "\\,$c,,\\,$c,p" | grep -vE "$c|^ *$|%[A-Z0-9_]+-[0-7]-" | head -n 1)',
    'test -n "$w" || test "$(printf "%s\\n" "$o" | grep -cE "$c")" -ge 2 || w="its configuration was not reached: $(printf "%s\\n" "$o" | grep -v "^ *$" | tail -n 1)"',
    'test -z "$w"',
  ].join('; '),
  sh: 'test $s -eq 0 || w="exit $s: $(printf "%s\\n" "$o" | tail -n 1)"; test $s -eq 0',
  here: 'test $s -eq 0 || w="exit $s: $(printf "%s\\n" "$o" | tail -n 1)"; test $s -eq 0',
};

/**
 * Functions of a script whose words are those of `wordsOf`: `undo` and `look`, each with what speaks against it in `w`. They are two
 * logins, so that what one prints is never taken for the other's. No `${...}` and no `$$`: systemd would replace them.
 */
const functions = (reach: Reach): string =>
  [
    'r=$1; c=$2; p=$3; h=$4; n=$5; shift 5',
    `undo() { w=; o=$(printf "%s\\n" "$@" | head -n "$n" | ${ways[reach]}); s=$?; ${judged[reach]}; }`,
    `look() { w=; o=$(printf "%s\\n" "$@" | tail -n "+$((n+1))" | ${ways[reach]}); printf "%s\\n" "$o" | grep -iE "$p" >/dev/null && return 0; ` +
      'w=$(printf "%s\\n" "$o" | grep -iE "down|disabled|refused|denied|timed|timeout|closed|error|invalid|not" | head -n 1); test -n "$w" || w="nothing is shown of it"; return 1; }',
  ].join('; ');

/** A fabric may lose a question on the very link that is to be shut. */
const tries: Readonly<Record<Reach, number>> = { cli: 1, sh: 1, here: 4 };

const upTo = (count: number, what: string, refused: string): string =>
  `k=1; until ${what} "$@"; do test $k -lt ${count} || { echo "${refused}: $w" >&2; exit 1; }; k=$((k+1)); sleep 1; done`;

/**
 * Shows that the undo can do what it will have to: by the same way and account it sees the port switched on, and is let carry out the
 * undo's own commands on it, which then change nothing. What speaks against it is the first line of its standard error.
 */
export const proofScript = (reach: Reach): string =>
  [
    functions(reach),
    upTo(tries[reach], 'look', '$h does not show the port switched on'),
    upTo(tries[reach], 'undo', '$h does not let the undo account switch the port on'),
  ].join('; ');

/**
 * One attempt, and what speaks against it in `w`. What is read back decides. Of a fabric's port: a link that is up is left alone, for
 * `enable` would let it train anew; without one the undo's own answer is wanted too, for a port polls as long as its far end is off.
 */
const attempts: Readonly<Record<Reach, string>> = {
  cli: 'undo "$@"; u=$w; look "$@"',
  sh: 'undo "$@"; u=$w; look "$@"',
  here: 'u=; { look "$@" && printf "%s\\n" "$o" | grep LinkUp >/dev/null; } || { undo "$@" && look "$@"; }',
};

/** Failures after which it is told, and after which nobody tries any more: half an hour at least. */
const TOLD = 5;
const LAST = 35;

/**
 * Writes a line into the journal `f`, as `append-line.sh` does and for the same reason: this is root, and others may write in the journal's
 * folder. What stands in its place is left alone; the undo goes on.
 */
const add =
  'add() { test -n "$f" && test ! -L "$f" && { test -f "$f" || test ! -e "$f"; } && ' +
  '{ test -f /proc/self/fd/3 && test "$(stat -L -c "%d:%i %h" /proc/self/fd/3)" = "$(stat -c "%d:%i 1" "$f")" && printf "%s\\n" "$1" >&3; } 3>>"$f"; :; }';

/**
 * Undoes it, and looks. Only what it saw to be switched on does it write down as restored. What it could not restore it tries again, every
 * 10 s; then it tells, in the consoles' journal where that lies on this host and in a file of its own in `/run`, and goes on once a
 * minute. Its words: the journal (or nothing), the file, the port, this host, and those of `wordsOf`.
 */
export const undoScript = (reach: Reach): string =>
  [
    // A journal that it begins is for the consoles' accounts to go on with.
    'umask 002; f=$1; x=$2; i=$3; y=$4; shift 4',
    functions(reach),
    add,
    'rm -f "$x"; k=1',
    `until ${attempts[reach]}; do test -z "$u" || w=$u; ` +
      `if test $k -eq ${TOLD}; then ` +
      'w=$(printf "%s" "$w" | tr -cd "A-Za-z0-9 .,:;()_/@+=%^-" | cut -c 1-160); ' +
      `j=$(printf '{"kind":"notRestored","at":%s000,"port":"%s","by":"timer","host":"%s","text":"%s"}' "$(date +%s)" "$i" "$y" "$w"); ` +
      'mkdir -p "$(dirname "$x")"; printf "%s\\n" "$j" > "$x"; add "$j"; fi; ' +
      `test $k -lt ${LAST} || exit 1; if test $k -lt ${TOLD}; then sleep 10; else sleep 60; fi; k=$((k+1)); done`,
    'rm -f "$x"',
    `add "$(printf '{"kind":"restored","at":%s000,"port":"%s","by":"timer"}' "$(date +%s)" "$i")"`,
  ].join('; ');
