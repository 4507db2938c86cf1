import { NotThisFormat } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';

/** `completed_clients: 1345/1412` while complete, `1345` alone while recovering. */
export interface Clients {
  done: number;
  of?: number;
}

export type Recovery = Record<string, string | number | bigint | Clients>;

/**
 * Reads one `recovery_status` value (lprocfs_recovery_status_seq_show), with or without `name=` before it. Keys in camelCase as
 * printed, `lockRepayClients` misspelt as in the kernel.
 */
export const parseRecovery = (input: ParseInput): Recovery => {
  const recovery: Recovery = {};
  let skipped = 0;
  for (const line of input.stdout.replace(/^[\w.-]+\.recovery_status==?/, '').split('\n')) {
    const match = /^([A-Za-z][\w -]*):(.*)$/.exec(line.trim());
    const [key, text] = [camel(match?.[1] ?? ''), match?.[2]?.trim() ?? ''];
    if (text !== '') recovery[key] = value(key, text);
    else if (line.trim() !== '' && !match) skipped += 1;
  }
  if (recovery.status === undefined) throw new NotThisFormat('no "status:" line: not a recovery_status');
  return { ...recovery, ...(skipped > 0 && { notUnderstood: skipped }) };
};

const camel = (key: string): string =>
  key
    .toLowerCase()
    .split(/[ _-]+/)
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');

const value = (key: string, text: string): string | number | bigint | Clients => {
  const clients = key === 'completedClients' ? /^(\d+)(?:\/(\d+))?$/.exec(text) : null;
  if (clients) {
    return { done: Number(clients[1]), ...(clients[2] !== undefined && { of: Number(clients[2]) }) };
  }
  return /^-?\d+$/.test(text) && key !== 'nonReadyMdts' ? BigInt(text) : text;
};
