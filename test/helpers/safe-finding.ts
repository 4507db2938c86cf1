import { type Finding, type FindingDraft, readDraft } from '../../src/model/finding.ts';
import { makeSafeDeep } from '../../src/text/safe.ts';

/** A finding as the judge makes it of what a system wrote. */
export const findingOf = (draft: FindingDraft): Finding => readDraft(makeSafeDeep(draft));
