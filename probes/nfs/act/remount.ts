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
import { age } from '../../../src/text/ages.ts';
import { callsTo, findLatest, freshValue, serversOf, type Server } from '../judge/servers.ts';
import { isUntold, untoldWhy } from '../judge/untold.ts';
import type { ClientMount, ClientReading } from '../readings.ts';
import { argvAsRoot } from '../settings.ts';
import { planHosts } from './hosts.ts';
import { noJobs, plainPath } from './host-guards.ts';
import { lookRefusals, mountRefusals, umountRefusals } from './refusals.ts';

const parameters = z.object({ mount: plainPath });
type Parameters = z.infer<typeof parameters>;

const clientOn = (host: string, { readings }: Pick<Judgement, 'readings'>): ClientReading | undefined =>
  freshValue(readings.source<ClientReading>('nfs.client', host));

const rowOf = (host: string, path: string, judgement: Pick<Judgement, 'readings'>): string | undefined =>
  clientOn(host, judgement)?.fstab?.find(({ mount }) => mount === path)?.source;

const mountOn = (
  host: string,
  path: string,
  judgement: Pick<Judgement, 'readings'>,
): ClientMount | undefined => clientOn(host, judgement)?.mounts.find(({ mount }) => mount === path);

/** The server of a source `NAME:/PATH`, as clients of the site know it. */
const serverOf = (source: string, judgement: Judgement): Server | undefined => {
  const name = /^(\[[^\]]+\]|[^:]+):/.exec(source)?.[1]?.replaceAll(/[[\]]/g, '') ?? '';
  const host = judgement.site.resolve('host', name)?.id ?? name;
  return serversOf(judgement).find((server) => server.name === host || server.addresses.includes(name));
};

/** Neither umount nor mount may wait for a server that is dead. */
const serverAnswers = (host: string, source: string): Guard => ({
  id: '3 preconditions',
  text: `the server of ${source} answers, and no mount of it hangs on ${host}`,
  reads: [...rereads('nfs.client', host), ...rereads('nfs.calls', host)],
  absolute: true,
  check: (live) => {
    const server = serverOf(source, live);
    const own = (server?.clients ?? []).filter((one) => one.host === host).flatMap(({ mounts }) => mounts);
    const hung = own.find(({ stuck }) => stuck);
    if (hung) return failGuard(`${hung.mount} hangs`);
    const untold = own.find((mount) => isUntold(mount, host, live));
    if (untold) return failGuard(`${untold.mount}: ${untoldWhy(untold)}`);
    // Who calls a server changes, so that what others called is not asked anew for this guard: it counts where all of it was understood.
    const calls = (server ? findLatest(callsTo(server, live), 'nfs') : []).filter(
      (call) => call.host === host || live.readings.source('nfs.calls', call.host)?.good?.notUnderstood === 0,
    );
    const ownLast = calls.find((call) => call.host === host);
    const bad = ownLast ?? calls.find(({ state }) => state !== 'ready') ?? calls[0];
    if (!bad) return failGuard('no call of it was made just now');
    return bad.state === 'ready'
      ? passGuard(`answered ${bad.host}`)
      : failGuard(`${bad.host}: ${bad.text ?? bad.state}`);
  },
});

const inFstab = (host: string, path: string, source: string): Guard => ({
  id: '3 fstab',
  text: `/etc/fstab of ${host} mounts ${source} on ${path}`,
  reads: rereads('nfs.client', host),
  absolute: true,
  check: (live) => {
    const now = rowOf(host, path, live);
    return now === source
      ? passGuard('so it says')
      : failGuard(now === undefined ? 'no such row' : `it says ${now}`);
  },
});

/** An ordinary umount, which is refused while somebody uses it; then what the boot does, and a look at its root, which must be answered. */
const stepsOn = (host: string, path: string, isMounted: boolean, judgement: Judgement): Step[] => {
  const { site } = judgement;
  const unmount: Step = {
    host,
    argv: argvAsRoot(site, 'timeout', '-s', 'KILL', '15', 'umount', '--', path),
    deadlineMs: 30_000,
    refusals: umountRefusals,
  };
  const mount: Step = {
    host,
    argv: argvAsRoot(site, 'timeout', '-s', 'KILL', '30', 'mount', '--', path),
    deadlineMs: 60_000,
    refusals: mountRefusals,
  };
  const look: Step = {
    host,
    argv: argvAsRoot(site, 'timeout', '-s', 'KILL', '20', 'ls', '-d', '--', `${path}/.`),
    deadlineMs: 30_000,
    refusals: lookRefusals,
  };
  return isMounted ? [unmount, mount, look] : [mount, look];
};

/** The number of a device is given to the next mount at once; only the age of a mount tells it from the one before. */
const mountedAnew = (host: string, path: string, before: readonly string[]): Verification => ({
  text: `${path} on ${host} is mounted, and not the mount of before`,
  reads: rereads('nfs.client', host),
  deadlineMs: 60_000,
  check: (live) => {
    const [old] = before;
    const now = mountOn(host, path, live);
    if (!clientOn(host, live)) return waitUnless(false, 'not read');
    if (!now) return waitUnless(false, 'not mounted');
    if (now.ageS === undefined) return { state: 'unread', text: 'mounted; since when was not read' };
    const isNew = old === undefined || now.ageS < Number(old);
    return waitUnless(isNew, isNew ? `mounted ${age(now.ageS * 1000)} ago` : 'still the mount of before');
  },
});

const planRemount = (
  subjects: readonly Subject[],
  given: Parameters,
  { judgement, looksBack }: PlanContext,
): Plan | Refusal =>
  planHosts(
    remountAction,
    {
      title: `Mount ${given.mount} again on`,
      afterwards: 'mountinfo and the age of the mount are read back; a look at its root was answered',
      undoText: 'none: it is mounted as /etc/fstab says',
      parameters: given,
    },
    subjects,
    (subject) => {
      const { id: host } = subject;
      const path = given.mount;
      if (!clientOn(host, judgement))
        return refusal('3 preconditions', `the mounts of ${host} were not read just now`);
      const source = rowOf(host, path, judgement);
      if (source === undefined)
        return refusal(
          '3 preconditions',
          `no row of /etc/fstab on ${host} mounts ${path} by NFS: mount it by hand`,
        );
      const mounted = mountOn(host, path, judgement);
      if (mounted && mounted.ageS === undefined)
        return refusal(
          '3 preconditions',
          `since when ${path} is mounted was not read: success could not be seen`,
        );
      const before = looksBack?.before ?? (mounted ? [String(mounted.ageS)] : []);
      return {
        target: {
          subject,
          object: path,
          steps: stepsOn(host, path, mounted !== undefined, judgement),
          guards: [inFstab(host, path, source), serverAnswers(host, source), noJobs(host, judgement)],
          whyAlreadyDone: () => undefined,
          verify: mountedAnew(host, path, before),
          before,
          undo: null,
          lockGroups: [`host ${host}`],
        },
        because: [
          mounted
            ? `${path} from ${source}: unmounted, which is refused while a process uses it, and mounted as /etc/fstab says`
            : `${path} from ${source} is not mounted: mounted as /etc/fstab says`,
        ],
      };
    },
  );

/** After "Stale file handle" of a mount's own root, or after a forced unmount: mounts what /etc/fstab says. */
export const remountAction: Action<Parameters> = {
  id: 'nfs.remount',
  verb: 'remount',
  title: 'mount again from /etc/fstab',
  subject: 'host',
  danger: 'access',
  parameters,
  prompts: [{ name: 'mount', label: 'mount', required: true }],
  users: 'the mount is not there for some seconds, and for longer where its server refuses it then',
  menu: {
    note: '',
    askTyped: ([subject], { judgement }) => {
      const rows = subject === undefined ? [] : (clientOn(subject.id, judgement)?.fstab ?? []);
      return rows.length > 0
        ? rows
            .slice(0, 4)
            .map(({ mount }) => mount)
            .join(', ')
        : refusal('3 preconditions', 'no NFS row of /etc/fstab was read there');
    },
  },
  plan: planRemount,
};
