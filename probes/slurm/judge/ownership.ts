import { adviceFor } from './advice.ts';
import type { SlurmNode } from '../readings.ts';
import type { SlurmSettings } from '../settings.ts';

/**
 * Who took a node out of service. `health`: user and reason both match the site file (root alone proves nothing);
 * `faultline`: an operator through this program; `slurm`: one of Slurm's own reasons; else a person, maybe unknown.
 */
export type Owner =
  | { kind: 'health' }
  | { kind: 'slurm' }
  | { kind: 'faultline'; name: string }
  | { kind: 'person'; name: string };

/** What `slurm.drain` writes before the operator's own words: `faultline alice: bad DIMM`. */
export const drainPrefix = (operator: string): string => `faultline ${operator}: `;

const ours = /^faultline ([A-Za-z0-9._-]+): /;

export const ownerOf = (node: SlurmNode, settings: SlurmSettings): Owner => {
  const { reason, reasonUser = '' } = node;
  if (reason === undefined) return { kind: 'slurm' };
  const { users, reasons } = settings.check;
  if (users.includes(reasonUser) && reasons.some((one) => one.test(reason))) return { kind: 'health' };
  const operator = ours.exec(reason)?.[1];
  if (operator !== undefined) return { kind: 'faultline', name: operator };
  const advice = adviceFor(reason);
  if (advice?.slurm && ['slurm', 'root', ''].includes(reasonUser)) return { kind: 'slurm' };
  return { kind: 'person', name: reasonUser === '' ? 'somebody' : reasonUser };
};

/** The word in the column BY. */
export const ownerWord = (owner: Owner): string =>
  owner.kind === 'person' || owner.kind === 'faultline' ? owner.name : owner.kind;

/** `drained by the health check`, `drained by alice`. */
export const ownerPhrase = (owner: Owner): string => {
  if (owner.kind === 'health') return 'by the health check';
  if (owner.kind === 'slurm') return 'by Slurm';
  return `by ${owner.name}`;
};

/** The reason in few words: without the health check's or our own prefix, in one line. */
export const shownReason = (node: SlurmNode, owner: Owner, settings: SlurmSettings): string => {
  const reason = (node.reason ?? '').replace(/\s+/g, ' ').trim();
  if (owner.kind === 'faultline') return reason.replace(ours, '');
  if (owner.kind !== 'health') return reason;
  for (const one of settings.check.reasons) {
    const match = one.matcher(reason);
    if (match.find() && match.start() === 0 && match.end() < reason.length)
      return reason.slice(match.end()).trim();
  }
  return reason;
};

/** Whether the operator may return it to service without a take-over (guard 4). */
export const mayReturn = (owner: Owner, operator: string): boolean =>
  owner.kind === 'person' ? false : owner.kind === 'faultline' ? owner.name === operator : true;
