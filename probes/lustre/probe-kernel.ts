import type { Answer } from '../../src/model/answer.ts';
import { CommandFailed } from '../../src/model/errors.ts';
import type { Probe } from '../../src/model/system.ts';
import { shellCommand } from '../../src/text/shell.ts';
import { asRoot } from './asking.ts';
import type { MdsReading, OssReading } from './readings.ts';
import { type KernelReading, kernelSchema } from './readings-kernel.ts';

/** Lines kept: the newest. */
const most = 20;

/**
 * Messages of the quota code of servers (lustre/quota: qsd_*.c is the slave on a target, qmt_*.c the master, lquota_*.c both), as
 * CERROR prints them: `LustreError: PID:0:(qsd_reint.c:56:qsd_reint_completion()) scratch-OST0007: failed to enqueue ...`.
 */
const quotaLine = /Lustre(?:Error)?: .*\((?:qsd|qmt|lquota)_\w+\.c:|LustreError: .*\bquota/;

export const readKernelLines = ({ stdout, stderr, exitCode }: Answer): { value: KernelReading } => {
  const all = stdout.split('\n').filter((line) => line !== '');
  if (all.length === 0 && exitCode !== 0)
    throw new CommandFailed(
      'kernel',
      `kernel lines: ${stderr.trim().split('\n').at(-1) || `exit ${exitCode}`}`,
    );
  const lines = all
    .filter((line) => quotaLine.test(line))
    .slice(-most)
    .map((line) => {
      const [, seconds, text] = /^(\d{9,11}(?:\.\d+)?) \S+ kernel: (.*)$/.exec(line) ?? [];
      return seconds === undefined || text === undefined
        ? { text: line }
        : { at: Math.round(Number(seconds) * 1000), text };
    });
  return { value: { lines, read: all.length } };
};

/** Whether a server's own reading says that a quota slave there is late: only then its kernel is asked. */
const hasLateQuota = (reading: MdsReading | OssReading | undefined): boolean =>
  reading?.quota.some(({ late }) => late.length > 0) ?? false;

const kernelProbe = (id: string, of: string, role: string): Probe<KernelReading> => ({
  id,
  role,
  everyMs: 60_000,
  touches: 'nothing',
  when: ({ name }, { readings }) =>
    hasLateQuota(readings.source<MdsReading | OssReading>(of, name)?.good?.value),
  ask: (_host, { site }) => ({
    script: `${shellCommand(asRoot(site, ['journalctl', '-k', '-q', '--no-pager', '-o', 'short-unix', '-n', '3000']))} 2>/dev/null || ${shellCommand(asRoot(site, ['dmesg']))}`,
    maxBytes: 2_000_000,
  }),
  read: readKernelLines,
  schema: kernelSchema,
});

/** What the kernels of servers say of quota, while a slave is late: the journal, else the ring buffer. */
export const kernelProbes: readonly Probe[] = [
  kernelProbe('lustre.mds-kernel', 'lustre.mds', 'lustre-mds'),
  kernelProbe('lustre.oss-kernel', 'lustre.oss', 'lustre-oss'),
];
