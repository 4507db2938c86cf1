import { readFileSync, writeFileSync } from 'node:fs';
import { encodeHead } from '../../src/audit/audit-head.ts';
import { decodeLine, encodeLine, FIRST_PREV, sha256 } from '../../src/audit/audit-line.ts';
import type { AuditRecord } from '../../src/model/run.ts';

/** What is changed of each record: an intent's detail; its action, target, console; `undefined`: as it is. */
export type Change = (detail: Record<string, unknown>, record: Omit<AuditRecord, 'hash'>) => unknown;

/** Somebody who may write the state folder: each intent, or each record, as `change` wants it, every hash and the head made to fit. */
export const forge = (
  file: string,
  change: Change,
  kinds: readonly AuditRecord['kind'][] = ['intent'],
): void => {
  let prev = FIRST_PREV;
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((text) => {
      const record = decodeLine(text);
      if (typeof record === 'string') throw new Error(record);
      const { hash: _, ...content } = structuredClone(record);
      if (kinds.includes(content.kind)) change(content.detail, content);
      const made = encodeLine({ ...content, prev });
      prev = sha256(made);
      return made;
    });
  const text = `${lines.join('\n')}\n`;
  const point = { bytes: text.length, hash: sha256(text) };
  writeFileSync(file, text);
  writeFileSync(`${file}.head`, encodeHead({ seq: lines.length, lineHash: prev, point }));
};
