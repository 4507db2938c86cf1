import type { KernelLine } from '../model/fact.ts';
import type { Cell } from '../model/view.ts';
import { clockTime } from '../text/ages.ts';
import { makeSafe } from '../text/safe.ts';
import { shellCommand } from '../text/shell.ts';

const JOURNAL = ['journalctl', '-k', '-q', '--no-pager', '-o', 'short-unix', '-n', '4000'];

/** Between what the journal gave and the ring buffer, on both streams. */
const MARK = '--faultline-ring--';

type AsRoot = (argv: readonly string[]) => readonly string[];

/**
 * The kernel's messages since the boot: the journal's and, where that has no line, the ring buffer's. Reads only. journalctl ends with
 * 0 and no line when no journal is kept or the account may read none of the system's (it wants the group systemd-journal or adm), so
 * that its lines are counted, not its exit code. `dmesg` wants root where kernel.dmesg_restrict is set; a sudo that is refused is
 * written down on the host, so it is tried last. `asRoot`: how commands are run where the site says that root is needed.
 */
export const kernelLogScript = (asRoot?: AsRoot): string => {
  const run: AsRoot = asRoot ?? ((argv) => argv);
  const ring = asRoot ? shellCommand(asRoot(['dmesg'])) : 'dmesg || sudo -n dmesg';
  const mark = `printf '%s\\n' ${MARK}`;
  return `${shellCommand(run(JOURNAL))} | grep . || { ${mark}; ${mark} >&2; ${ring}; }`;
};

/** What came of `kernelLogScript`: lines as they were printed. */
export interface KernelLog {
  from: 'the journal' | 'dmesg';
  lines: readonly string[];
  /** Why the journal, which is asked first, gave none. */
  noJournal?: string;
  /** Why the ring buffer gave none either. */
  noRing?: string;
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

const joinErrors = (stderr: string): string => makeSafe(stderr.trim().split('\n').join('; '), 200);

/** Splits the output of `kernelLogScript`. */
export const readKernelLog = ({
  stdout,
  stderr,
  exitCode: code = 'not known',
}: {
  stdout: string;
  stderr: string;
  exitCode?: number | string | undefined;
}): KernelLog => {
  const [journal = '', ring = ''] = stdout.split(`${MARK}\n`);
  const [journalErrors = '', ringErrors = ''] = stderr.includes(MARK)
    ? stderr.split(`${MARK}\n`)
    : ['', stderr];
  const journalLines = linesOf(journal);
  if (journalLines.length > 0) return { from: 'the journal', lines: journalLines };
  const lines = linesOf(ring);
  return {
    from: 'dmesg',
    lines,
    noJournal: joinErrors(journalErrors) || 'it is empty or not readable for this account',
    ...(lines.length === 0 && { noRing: joinErrors(ringErrors) || (code === 0 ? 'empty' : `exit ${code}`) }),
  };
};

/** A line of the journal or, where it is known when the host was booted (UTC ms), of the ring buffer, with its time. */
export const kernelLine = (line: string, bootedAt?: number): KernelLine => {
  const journal = /^(\d{9,11}(?:\.\d+)?) \S+ kernel: (.*)$/.exec(line);
  if (journal) return { at: Math.round(Number(journal[1]) * 1000), text: makeSafe(journal[2] ?? '', 300) };
  const ring = bootedAt === undefined ? null : /^(?:<\d+>)?\[ *(\d+\.\d+)\] (.*)$/.exec(line);
  return ring && bootedAt !== undefined
    ? { at: Math.round(bootedAt + Number(ring[1]) * 1000), text: makeSafe(ring[2] ?? '', 300) }
    : { text: makeSafe(line, 300) };
};

/** The kind of a line: that of the first pattern that matches. */
export interface LineKind {
  kind: string;
  pattern: RegExp;
}

/** Lines shown of one host. */
const MOST = 50;

/** The lines of these kinds, newest last. */
export const linesOfKinds = (
  lines: readonly KernelLine[],
  kinds: readonly LineKind[],
): readonly (KernelLine & { kind: string })[] =>
  lines
    .flatMap((line) => {
      const found = kinds.find(({ pattern }) => pattern.test(line.text));
      return found ? [{ ...line, kind: found.kind }] : [];
    })
    .slice(-MOST);

/** As a page shows them: newest first. */
export const kernelCells = (lines: readonly (KernelLine & { kind: string })[], now: number): Cell[] =>
  lines.toReversed().map(({ kind, at, text }) => ({
    text: `${at === undefined ? '' : `${clockTime(at, now)} `}${kind}: ${text}`,
  }));
