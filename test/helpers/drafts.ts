import type { RankedFinding } from '../../src/model/finding.ts';

/** A finding of a test for those who read findings: its texts are words to them. */
export const ranked = (draft: RankedFinding<string>): RankedFinding => draft as unknown as RankedFinding;
