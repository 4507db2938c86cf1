import * as z from 'zod';
import { groupThousands } from '../../../src/text/units.ts';
import { failGuard, passGuard, refusal, rereads } from '../../../src/kit/guards.ts';
import { planOf } from '../../../src/kit/offers.ts';
import type { Action, Guard, Plan, PlanContext, Refusal, Verification } from '../../../src/model/action.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { cureOf, cureText, ENTRIES, listingSource } from '../judge/listings.ts';
import { freshValue, serversOf } from '../judge/servers.ts';
import { isUntold, untoldWhy } from '../judge/untold.ts';
import type { ClientReading, MeasuredListing } from '../readings.ts';
import { CLIENT, LOGIN } from '../settings.ts';
import listScript from './list.sh';
import { listRefusals } from './refusals.ts';

/** A run of `ls` ends after so many seconds; there are seven, and some seconds besides. */
const SECONDS = 10;
const DEADLINE_MS = 110_000;

const parameters = z.object({
  directory: z
    .string()
    .trim()
    .regex(/^\/[\p{L}\p{N} ._/@+:=,-]{0,200}$/u, {
      error: 'an absolute path of letters, digits, blanks and ._/@+:=,-',
    }),
});
type Parameters = z.infer<typeof parameters>;

/**
 * Nothing that hangs is touched. Of any NFS mount: a link may lead from the directory to another one. Absolute: what waits in a dead
 * server can be ended, but it is one more of those that wait.
 */
const nothingHangs = (host: string, isClient: boolean): Guard => ({
  id: '3 preconditions',
  text: `no NFS mount of ${host} hangs`,
  unchecked: 'whether another file system hangs, Lustre or gluster: each run is ended by KILL',
  reads: rereads(isClient ? 'nfs.client' : 'nfs.listing', host),
  absolute: true,
  check: (live) => {
    const client = live.readings.source<ClientReading>('nfs.client', host);
    if (!isClient) {
      const mounts = freshValue(listingSource(host, live))?.nfsMounts;
      if (mounts === 0) return passGuard('nothing is mounted by NFS there');
      return failGuard(
        mounts === undefined
          ? 'what is mounted there was not read just now'
          : `${mounts} NFS mounts and not the role nfs-client: whether one hangs is not known`,
      );
    }
    if (!client || !freshValue(client)) return failGuard('its mounts were not read just now');
    if (client.before.length === 0)
      return {
        ok: false,
        text: 'its mounts were read only once: the next reading shows whether one hangs',
        againMs: 2000,
      };
    const own = serversOf(live).flatMap(({ clients }) => clients.filter((one) => one.host === host));
    const mounts = own.flatMap((one) => one.mounts);
    const hung = mounts.find(({ stuck }) => stuck);
    if (hung) return failGuard(`${hung.mount} hangs`);
    const untold = mounts.find((mount) => isUntold(mount, host, live));
    if (untold)
      return failGuard(
        `${untold.mount}: ${untoldWhy(untold)}, and no call from ${host} says that its server answers`,
      );
    return own.some(({ waiters = [] }) => waiters.length > 0)
      ? failGuard('processes wait in NFS')
      : passGuard('none hangs');
  },
});

const listingOf = (
  host: string,
  directory: string,
  judgement: Pick<Judgement, 'readings'>,
): MeasuredListing | undefined =>
  freshValue(listingSource(host, judgement))?.listings.find((one) => one.directory === directory);

const verifyMeasured = (host: string, directory: string, before: readonly string[]): Verification => ({
  text: `what ls took in ${directory} is kept on ${host}`,
  reads: rereads('nfs.listing', host),
  deadlineMs: 20_000,
  check: (live) => {
    const listing = listingOf(host, directory, live);
    if (!listing || before.includes(String(listing.stamp)))
      return { state: 'wait', text: 'not measured again yet' };
    if (listing.refused !== undefined) return { state: 'no', text: listing.refused };
    if (listing.runs.every(({ end }) => end === 'failed'))
      return { state: 'no', text: `ls can not read ${directory}` };
    return { state: 'yes', text: cureText(listing, cureOf(listing)) };
  },
});

const planList = (
  subjects: readonly Subject[],
  { directory }: Parameters,
  { judgement, looksBack }: PlanContext,
): Plan | Refusal => {
  const [subject] = subjects;
  if (!subject || subjects.length > 1) return refusal('5 targets', 'one host at a time');
  const host = subject.id;
  const roles = judgement.site.host(host)?.roles ?? [];
  if (!roles.includes(LOGIN)) return refusal('5 targets', `${host} does not have the role ${LOGIN}`);
  const last = listingOf(host, directory, judgement);
  const before = looksBack?.before ?? (last === undefined ? [] : [String(last.stamp)]);
  return planOf(listAction, {
    title: `Measure ls in ${directory} on ${host}`,
    parameters: { directory },
    targets: [
      {
        subject,
        object: directory,
        steps: [
          {
            host,
            argv: ['sh', '-s', '--', 'nfs-list', directory, String(ENTRIES), String(SECONDS)],
            stdin: listScript,
            changes: ['timeout -s KILL "$seconds"', 'kept=', '>"$kept.new"'],
            deadlineMs: DEADLINE_MS,
            refusals: listRefusals,
          },
        ],
        guards: [nothingHangs(host, roles.includes(CLIENT))],
        whyAlreadyDone: () => undefined,
        verify: verifyMeasured(host, directory, before),
        before,
        undo: null,
        lockGroups: [`host ${host}`],
      },
    ],
    because: [
      `ls over the first ${groupThousands(ENTRIES)} entries, seven times, each ended after ${SECONDS} s, as the user of the connection`,
      'four ways: without colours, with those of a login shell, with capabilities off, and with everything off that needs a look at each entry',
    ],
    afterwards: 'what each took is shown in the pane of NFS and on the page of the host',
    undoText: 'nothing is changed but the file with the figures, below /var/tmp/faultline-tasks',
  });
};

/** Measures what colours of `ls` cost in a directory, on any file system. */
export const listAction: Action<Parameters> = {
  id: 'nfs.list',
  verb: 'list',
  title: 'measure ls in a directory',
  subject: 'host',
  danger: 'reversible',
  repeatable: true,
  parameters,
  prompts: [{ name: 'directory', label: 'directory', required: true }],
  users: 'little: the file system is asked for one directory, for at most 80 s',
  menu: {
    note: '',
    askTyped: ([subject], { judgement }) =>
      subject !== undefined && judgement.site.host(subject.id)?.roles.includes(LOGIN) === true
        ? 'with and without colours'
        : refusal('5 targets', `its role in the site file is not ${LOGIN}`),
  },
  plan: planList,
};
