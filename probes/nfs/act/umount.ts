import * as z from 'zod';
import type {
  Action,
  Guard,
  Plan,
  PlanContext,
  Refusal,
  Step,
  Verification,
} from '../../../src/model/action.ts';
import { failGuard, passGuard, refusal, rereads, waitUnless } from '../../../src/kit/guards.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { count } from '../../../src/text/units.ts';
import { freshValue, serversOf, type Client, type SeenMount } from '../judge/servers.ts';
import type { ClientReading } from '../readings.ts';
import { argvAsRoot } from '../settings.ts';
import { planHosts } from './hosts.ts';
import { noJobs, plainPath } from './host-guards.ts';
import { umountRefusals } from './refusals.ts';
import againText from './umount-again.sh';
import forceText from './umount-force.sh';

const parameters = z.object({ mount: plainPath.optional() });
type Parameters = z.infer<typeof parameters>;

interface Mounted {
  client: Client;
  mount: SeenMount;
}

/** What a host mounts, as far as it was read just now. */
const mountsOn = (host: string, judgement: Judgement): Mounted[] =>
  serversOf(judgement)
    .flatMap(({ clients }) => clients)
    .filter((client) => client.host === host)
    .flatMap((client) => client.mounts.map((mount) => ({ client, mount })));

/** The mount that is meant: the one that is named, else the only one that hangs. */
const chooseMount = (host: string, { mount: path }: Parameters, judgement: Judgement): Mounted | Refusal => {
  const all = mountsOn(host, judgement);
  const hung = all.filter(({ mount }) => mount.stuck);
  if (path !== undefined)
    return (
      all.find(({ mount }) => mount.mount === path) ??
      refusal('3 preconditions', `${path} is no NFS mount of ${host}, as far as it was read just now`)
    );
  const [only] = hung;
  if (only && hung.length === 1) return only;
  return refusal(
    '3 preconditions',
    hung.length === 0
      ? `no NFS mount of ${host} hangs`
      : `${hung.map(({ mount }) => mount.mount).join(', ')} hang: name one with mount=PATH`,
  );
};

const requireHanging = (host: string, path: string): Guard => ({
  id: '3 preconditions',
  text: `${path} on ${host} hangs: requests outstanding, none answered between two readings`,
  reads: rereads('nfs.client', host),
  absolute: true,
  check: (live) => {
    const found = mountsOn(host, live).find(({ mount }) => mount.mount === path);
    if (!found) return failGuard('no NFS mount there, as far as it was read just now');
    const { waiters } = found.client;
    return found.mount.stuck
      ? passGuard(
          waiters ? count(waiters.length, 'process waits', 'processes wait') : 'who waits was not read',
        )
      : { ok: false, text: 'the mount is answered, or no process waits for it', againMs: 2000 };
  },
});

/** As /proc/self/mountinfo spells it. */
const escapePath = (path: string): string => path.replaceAll(' ', String.raw`\040`);

/** The first aborts what waits where the mount is busy; only then the second is needed. */
const unmountSteps = (host: string, path: string, judgement: Judgement): Step[] => {
  const step = (script: string, ...words: string[]): Step => ({
    host,
    argv: argvAsRoot(judgement.site, 'sh', '-c', script, 'umount', ...words),
    deadlineMs: 60_000,
    refusals: umountRefusals,
  });
  return [step(forceText, path), step(againText, path, escapePath(path))];
};

const verifyGone = (host: string, { mount: path, dev }: SeenMount): Verification => ({
  text: `${path} is no mount of ${host}, and its file system is no longer in use`,
  reads: rereads('nfs.client', host),
  deadlineMs: 60_000,
  check: (live) => {
    const value = freshValue(live.readings.source<ClientReading>('nfs.client', host));
    if (!value) return waitUnless(false, 'not read');
    if (value.mounts.some((one) => one.mount === path)) return waitUnless(false, 'still mounted');
    const isUsed = dev !== undefined && (value.volumes ?? []).some((one) => one.dev === dev);
    return waitUnless(!isUsed, isUsed ? 'unmounted, but its file system is still in use' : 'unmounted');
  },
});

/** What is lost and who is hit, before anything is sent. */
const consequences = (host: string, { client, mount }: Mounted, judgement: Judgement): string[] => {
  const { waiters = [] } = client;
  const others = mountsOn(host, judgement).filter((one) => one.mount !== mount);
  const same = others.filter(({ mount: { dev } }) => dev !== undefined && dev === mount.dev);
  const near = others.filter(
    (one) => !same.includes(one) && one.client === client && one.mount.vers === mount.vers,
  );
  const names = (list: readonly Mounted[]): string => list.map((one) => one.mount.mount).join(', ');
  return [
    `${host}: ${mount.mount} from ${mount.source}: what was written and not yet confirmed by the server is lost`,
    waiters.length > 0
      ? `ends with an error, at least: ${waiters
          .slice(0, 6)
          .map(({ comm, pid }) => `${comm} ${pid}`)
          .join(', ')} (fuser finds none on a hung mount)`
      : 'which processes hold it was not read: fuser finds none on a hung mount',
    ...(same.length > 0 ? [`the same file system, its requests are aborted too: ${names(same)}`] : []),
    ...(near.length > 0 ? [`shares the connection to its server: ${names(near)}`] : []),
  ];
};

const planUmount = (
  subjects: readonly Subject[],
  given: Parameters,
  { judgement }: PlanContext,
): Plan | Refusal =>
  planHosts(
    umountAction,
    {
      title: `Unmount ${given.mount ?? 'what hangs'} by force on`,
      afterwards: 'mountinfo and the list of superblocks are read back; then mount it again',
      undoText: 'none: what was aborted is lost; "mount PATH" mounts it again once the server answers',
      parameters: given,
    },
    subjects,
    (subject) => {
      const { id: host } = subject;
      const found = chooseMount(host, given, judgement);
      if ('refused' in found) return found;
      const { mount: path } = found.mount;
      if (!plainPath.safeParse(path).success)
        return refusal(
          '5 targets',
          `the path of the mount holds what can't be typed safely: unmount it by hand`,
        );
      return {
        target: {
          subject,
          object: path,
          steps: unmountSteps(host, path, judgement),
          guards: [requireHanging(host, path), noJobs(host, judgement)],
          whyAlreadyDone: (live) =>
            freshValue(live.readings.source<ClientReading>('nfs.client', host))?.mounts.every(
              (one) => one.mount !== path,
            ) === true
              ? `${path} is no NFS mount of ${host}`
              : undefined,
          verify: verifyGone(host, found.mount),
          undo: null,
          lockGroups: [`host ${host}`],
        },
        because: consequences(host, found, judgement),
      };
    },
  );

/** `umount -f` of a mount that hangs. `-l` is not offered: what stays behind is invisible, with locks of its own. */
export const umountAction: Action<Parameters> = {
  id: 'nfs.umount',
  verb: 'umount',
  title: 'unmount a hung mount by force (umount -f)',
  subject: 'host',
  danger: 'access',
  parameters,
  prompts: [{ name: 'mount', label: 'mount (the one that hangs where nothing is typed)', required: false }],
  users: 'processes on it end with an error; what they wrote and the server has not confirmed is lost',
  menu: { note: ({ because }) => because[0] ?? '' },
  plan: planUmount,
};
