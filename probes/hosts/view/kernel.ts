import { kernelCells, linesOfKinds, type LineKind } from '../../../src/kit/kernel-log.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { Block, Cell } from '../../../src/model/view.ts';
import { age } from '../../../src/text/ages.ts';
import { groupThousands } from '../../../src/text/units.ts';
import { KERNEL_PROBE, type KernelReading } from '../ask/kernel.ts';

/** Lines that are nobody's but the machine's, in the words of mm/oom_kill and the drivers; first match wins. */
const kinds: readonly LineKind[] = [
  { kind: 'mce', pattern: /\bmce:|Machine check|\[Hardware Error\]|EDAC .*\b(?:CE|UE)\b/i },
  { kind: 'xid', pattern: /NVRM: Xid/ },
  { kind: 'oom', pattern: /Out of memory|oom-kill|invoked oom-killer|Killed process/i },
  { kind: 'link', pattern: /(?:NIC )?Link is Down|link (?:is )?down\b|link becomes not ready/i },
  { kind: 'hung', pattern: /blocked for more than \d+ seconds|soft lockup|rcu.*stall/i },
  { kind: 'disk', pattern: /I\/O error|EXT4-fs error|XFS .*(?:corrupt|shut ?down)|Buffer I\/O/i },
];

/** What its kernel said; before it was asked, how to ask. */
export const kernelBlock = (host: string, { readings, now }: Judgement): Block => {
  const { good, failure } = readings.source<KernelReading>(KERNEL_PROBE, host) ?? {};
  const lines: Cell[] = [];
  if (!good && !failure) lines.push({ text: 'not asked yet: asked on demand only', sign: 'unknown' });
  if (failure) lines.push({ text: failure.message, sign: 'unknown' });
  if (good) {
    const { release = 'not known', uptimeMs, from, noJournal, lines: all } = good.value;
    const up = uptimeMs === undefined ? '' : `, up ${age(uptimeMs)}`;
    const found = linesOfKinds(all, kinds);
    lines.push({ text: `kernel ${release}${up}, asked`, age: good.at });
    if (noJournal !== undefined) lines.push({ text: `read from ${from}; the journal: ${noJournal}` });
    if (found.length === 0)
      lines.push({
        text: `none of the known kinds in ${groupThousands(all.length)} lines of ${from}`,
        sign: 'fine',
      });
    lines.push(...kernelCells(found, now));
  }
  return { type: 'text', id: 'kernel', title: 'Kernel errors', lines };
};
