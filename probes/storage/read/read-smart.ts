import { firstLine } from '../../../src/kit/answers.ts';
import { dropUndefined } from '../../../src/kit/known.ts';
import { sectionsOf } from '../../../src/kit/sections.ts';
import type { Answer } from '../../../src/model/answer.ts';
import { NotThisFormat, ParseError } from '../../../src/model/errors.ts';
import type { SmartDisk, SmartReading } from '../readings.ts';
import { parseSmart, type Smart } from './parse-smart.ts';

/** Counters are 48 bits wide and some vendors put other figures into the upper ones: the count stands in the lower 32. */
const countOf = (raw: number | bigint | undefined): number | undefined =>
  raw === undefined ? undefined : Number(BigInt(raw) & 0xffff_ffffn);

/** Attribute 188 packs three counters of 16 bits: the last is the number of time-outs (Seagate). */
const timeoutsOf = (raw: number | bigint | undefined): number | undefined =>
  raw === undefined ? undefined : Number(BigInt(raw) & 0xffffn);

const diskOf = (name: string, smart: Smart): SmartDisk => {
  const failing = (smart.failingAttributes ?? []).filter(({ when }) => when === 'now');
  return {
    name,
    ...dropUndefined({
      serial: smart.serial,
      model: smart.model,
      standby: smart.standby,
      passed: smart.passed,
      // Bits 3 and 4: the disk fails now, or an attribute is below its threshold now (smartctl(8), exit status).
      failing:
        failing.length > 0
          ? failing.map(({ id, name: word }) => word ?? `attribute ${id}`)
          : smart.exitBits.includes(4)
            ? ['an attribute']
            : undefined,
      reallocated: countOf(smart.reallocated),
      reportedUncorrect: countOf(smart.reportedUncorrect),
      commandTimeout: timeoutsOf(smart.commandTimeout),
      pending: countOf(smart.pending),
      offlineUncorrectable: countOf(smart.offlineUncorrectable),
      grownDefects: countOf(smart.grownDefects),
      uncorrectedErrors: countOf(smart.uncorrectedErrors),
      criticalWarning: countOf(smart.criticalWarning),
      availableSpare: countOf(smart.availableSpare),
      spareThreshold: countOf(smart.spareThreshold),
      percentageUsed: countOf(smart.percentageUsed),
      mediaErrors: countOf(smart.mediaErrors),
    }),
  };
};

/** Reads what each disk said; of one that could not be asked the reason stands in `unread`. */
export const readSmart = (answer: Answer): { value: SmartReading } => {
  const disks: SmartDisk[] = [];
  const unread: Record<string, string> = {};
  for (const { word, rest: name, body } of sectionsOf(answer, 'asking disks')) {
    if (word === 'none') unread['smartctl'] = 'not installed';
    if (word !== 'smart') continue;
    try {
      const smart = parseSmart({ stdout: body });
      if (smart.error) unread[name] = smart.error.message;
      else disks.push(diskOf(name, smart));
    } catch (error) {
      if (!(error instanceof NotThisFormat || error instanceof ParseError)) throw error;
      unread[name] = firstLine(body) || 'no answer within 15 s';
    }
  }
  return { value: { disks, unread } };
};
