import type { Judgement } from '../../../src/model/system.ts';
import { whyUnread } from '../../../src/kit/unread.ts';
import { hostOf } from './cluster.ts';
import type { CheckReading, SlurmNode } from '../readings.ts';
import { settingsOf } from '../settings.ts';

/** What the site's check says of a node now. `none`: no check in the site file; `unknown`: no fresh answer, with why. */
export type Check =
  | { state: 'pass'; at: number; host: string }
  | { state: 'fail'; text: string; at: number; host: string }
  | { state: 'unknown'; text: string; host?: string }
  | { state: 'none' };

/** Only a fresh answer counts: what passed before may fail by now. */
export const checkOf = (node: SlurmNode, { readings, site, now }: Judgement): Check => {
  if (settingsOf(site).check.command === undefined) return { state: 'none' };
  const host = hostOf(site, node.name);
  if (host === undefined) return { state: 'unknown', text: 'not in the site file' };
  const source = readings.source<CheckReading>('slurm.check', host);
  if (source?.state === 'fresh' && source.good) {
    const { value, at } = source.good;
    return value.pass ? { state: 'pass', at, host } : { state: 'fail', text: value.text, at, host };
  }
  return {
    state: 'unknown',
    text:
      source?.failure?.message ??
      (source?.good ? whyUnread('slurm.check', source, now) : undefined) ??
      'not checked yet',
    host,
  };
};

export interface CheckCount {
  pass: readonly SlurmNode[];
  fail: readonly { node: SlurmNode; text: string }[];
  unknown: readonly SlurmNode[];
  /** Whether the site file has a check at all. */
  configured: boolean;
}

export const countChecks = (nodes: readonly SlurmNode[], judgement: Judgement): CheckCount => {
  const pass: SlurmNode[] = [];
  const fail: { node: SlurmNode; text: string }[] = [];
  const unknown: SlurmNode[] = [];
  for (const node of nodes) {
    const check = checkOf(node, judgement);
    if (check.state === 'pass') pass.push(node);
    else if (check.state === 'fail') fail.push({ node, text: check.text });
    else unknown.push(node);
  }
  return { pass, fail, unknown, configured: settingsOf(judgement.site).check.command !== undefined };
};

/** `17 of 18 pass it now`, for a summary. */
export const checkText = ({ pass, fail, unknown, configured }: CheckCount): string => {
  const total = pass.length + fail.length + unknown.length;
  if (!configured) return 'no check in the site file';
  if (unknown.length === total) return 'not checked yet';
  if (total === 1) return pass.length === 1 ? 'passes it now' : `still fails it: ${fail[0]?.text ?? ''}`;
  const left = unknown.length > 0 ? `, ${unknown.length} not checked` : '';
  if (pass.length === total) return `all ${total} pass it now`;
  if (pass.length === 0)
    return `${left === '' ? `none of ${total} passes` : `${fail.length} fail`} it now${left}`;
  return `${pass.length} of ${total} pass it now${left}`;
};
