import type { Answer } from '../../../src/model/answer.ts';
import { CommandFailed } from '../../../src/model/errors.ts';
import type { Probe } from '../../../src/model/system.ts';
import { kernelLine, kernelLogScript, readKernelLog } from '../../../src/kit/kernel-log.ts';
import { argvAsRoot } from './asking.ts';
import { type KernelReading, kernelSchema, type MdsReading, type OssReading } from '../readings.ts';

/** Lines kept: the newest. */
const most = 20;

/**
 * Messages of the quota code of servers (lustre/quota: qsd_*.c is the slave on a target, qmt_*.c the master, lquota_*.c both), as
 * CERROR prints them: `LustreError: PID:0:(qsd_reint.c:56:qsd_reint_completion()) scratch-OST0007: failed to enqueue ...`.
 */
const isQuotaLine = (line: string): boolean => {
  const [first, error] = [line.search(/Lustre(?:Error)?: /), line.indexOf('LustreError: ')];
  return (
    (first >= 0 && /\((?:qsd|qmt|lquota)_\w+\.c:/.test(line.slice(first))) ||
    (error >= 0 && /\bquota/.test(line.slice(error)))
  );
};

export const readKernelLines = ({ stdout, stderr, exitCode }: Answer): { value: KernelReading } => {
  const { lines: all, noRing } = readKernelLog({ stdout, stderr, exitCode });
  if (all.length === 0 && exitCode !== 0) throw new CommandFailed('kernel', `kernel lines: ${noRing}`);
  const lines = all.filter(isQuotaLine).slice(-most);
  return { value: { lines: lines.map((line) => kernelLine(line)), read: all.length } };
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
    script: kernelLogScript((argv) => argvAsRoot(site, argv)),
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
