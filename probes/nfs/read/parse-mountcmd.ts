import { NotThisFormat } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';

const kinds = [
  ['statdMissing', /rpc\.statd is not running but is required/i],
  ['denied', /access denied by server|permission denied|operation not permitted/i],
  ['noMountPoint', /mount point .*does not exist/i],
  ['unsupported', /requested NFS version or transport protocol is not supported|protocol not supported/i],
  ['nameUnknown', /failed to resolve server|name or service not known|temporary failure in name resolution/i],
  ['badOption', /incorrect mount option|invalid argument|unknown option/i],
  ['noExport', /no such file or directory/i],
  ['busy', /is busy or already mounted|device or resource busy|already mounted/i],
  ['noRoute', /no route to host|network is unreachable/i],
  ['refused', /connection refused/i],
  ['timedOut', /timed out/i],
  ['stale', /stale (?:NFS )?file handle/i],
] as const;

export type MountFailure = (typeof kinds)[number][0] | 'other';

export interface MountResult {
  /** Exit code 0, whatever was printed: a second mount on the same place says busy and ends with 0. */
  ok: boolean;
  kind?: MountFailure;
  message?: string;
}

/** What mount.nfs prints on its way with -v, and not as its reason. */
const isProgress = (line: string): boolean =>
  /^trying |^portmap query |^timeout set |^prog \d|^mount\(2\): /.test(line);

const kindOf = (message: string): MountFailure =>
  kinds.find(([, form]) => form.test(message))?.[0] ?? 'other';

/** The line that gives the reason: the first that is sorted and no step on the way, else the last step that failed. */
const reasonIn = (lines: readonly string[]): string | undefined => {
  const said = lines.filter((line) => !isProgress(line));
  return (
    said.find((line) => kindOf(line) !== 'other') ??
    said[0] ??
    lines.findLast((line) => kindOf(line) !== 'other') ??
    lines.at(-1)
  );
};

/** Reads what `mount -t nfs` said and how it ended. Without an exit code a silent one has worked. */
export const parseMountcmd = ({ stdout, stderr, exitCode }: ParseInput): MountResult => {
  const lines = (stderr ?? '')
    .split('\n')
    .map((line) => line.replace(/^(?:mount(?:\.nfs4?)?|umount(?:\.nfs4?)?): /, '').trim())
    .filter((line) => line !== '');
  if (exitCode === 0) return { ok: true };
  const message = reasonIn(lines);
  if (exitCode === undefined && message === undefined && stdout.trim() !== '' && !/mount/.test(stdout))
    throw new NotThisFormat('nothing that mount.nfs says');
  if (exitCode === undefined && message === undefined) return { ok: true };
  if (message !== undefined) return { ok: false, kind: kindOf(message), message };
  return exitCode === 124 || exitCode === 137
    ? { ok: false, kind: 'timedOut', message: 'ended at its deadline' }
    : { ok: false, kind: 'other' };
};
