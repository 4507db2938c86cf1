import type { Finding, FindingDraft } from '../model/finding.ts';
import { wordsOf } from '../model/words.ts';

/** A finding as a system wrote it, for all who read it: here its texts become words. */
export const readDraft = ({ summary, advice, evidence, ...data }: FindingDraft): Finding => ({
  ...data,
  summary: wordsOf(summary),
  ...(advice !== undefined && { advice: wordsOf(advice) }),
  evidence: evidence.map((line) => ({ ...line, text: wordsOf(line.text) })),
});
