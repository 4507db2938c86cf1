import * as z from 'zod';
import type { Answer } from '../../../src/model/answer.ts';
import { CommandFailed } from '../../../src/model/errors.ts';
import type { Probe } from '../../../src/model/system.ts';
import { kernelLine, kernelLogScript, readKernelLog } from '../../../src/kit/kernel-log.ts';
import { makeSafe } from '../../../src/text/safe.ts';

/** What a host's kernel says of itself. */
const kernelSchema = z.object({
  release: z.string().optional(),
  uptimeMs: z.number().optional(),
  from: z.enum(['the journal', 'dmesg']),
  /** Why the journal, which is asked first, gave no line. */
  noJournal: z.string().optional(),
  /** All that came, the newest last. `at`: UTC ms; absent when the line has no time. */
  lines: z.array(z.object({ at: z.number().optional(), text: z.string() })),
});
export type KernelReading = z.infer<typeof kernelSchema>;

export const KERNEL_PROBE = 'hosts.kernel';

const MARK = '--faultline-kernel--';

/** Reads release, uptime and messages. Throws where neither the journal nor the ring buffer gave a line. `now`: UTC ms. */
export const readKernel = (
  answer: Pick<Answer, 'stdout' | 'stderr' | 'exitCode'>,
  now: number,
): KernelReading => {
  const [head = '', body = ''] = answer.stdout.split(`${MARK}\n`);
  const [release = '', uptime = ''] = head.split('\n');
  const seconds = Number(uptime.split(' ')[0]);
  const uptimeMs = Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : undefined;
  const { from, lines, noJournal, noRing } = readKernelLog({ ...answer, stdout: body });
  if (noRing !== undefined)
    throw new CommandFailed(
      'kernel',
      `the kernel's messages cannot be read: the journal: ${noJournal}; dmesg: ${noRing}`,
    );
  return {
    from,
    ...(noJournal !== undefined && { noJournal }),
    ...(/^\d/.test(release) && { release: makeSafe(release, 100) }),
    ...(uptimeMs !== undefined && { uptimeMs }),
    lines: lines.map((line) => kernelLine(line, uptimeMs === undefined ? undefined : now - uptimeMs)),
  };
};

/** Any host's kernel, asked when a person wants it: reading every kernel all the time costs more than it tells. */
export const kernelProbe: Probe<KernelReading> = {
  id: KERNEL_PROBE,
  role: '*',
  everyMs: 0,
  touches: 'nothing',
  mayHang: true,
  deadlineMs: 10_000,
  ask: () => ({
    script: ['uname -r', 'cat /proc/uptime', `printf '%s\\n' ${MARK}`, kernelLogScript()].join('\n'),
    maxBytes: 8_000_000,
  }),
  read: (answer, _host, { now }) => ({ value: readKernel(answer, now) }),
  schema: kernelSchema,
};
