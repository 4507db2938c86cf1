import type { Action, Guard, Plan, PlanContext, Refusal, Verification } from '../../../src/model/action.ts';
import { failGuard, passGuard, refusal, rereads, waitUnless } from '../../../src/kit/guards.ts';
import { noParameters, type NoParameters } from '../../../src/kit/offers.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { freshValue } from '../judge/servers.ts';
import type { DryRunReading, ServerReading } from '../readings.ts';
import { argvAsRoot } from '../settings.ts';
import { planHosts } from './hosts.ts';
import { exportfsRefusals } from './refusals.ts';

type Row = NonNullable<ServerReading['exports']>[number];

const nameOf = ({ path, client }: Row): string => `${path} ${client}`;

const missingIn = (rows: readonly Row[], from: readonly Row[]): string[] => {
  const there = new Set(rows.map(nameOf));
  return from.map(nameOf).filter((name) => !there.has(name));
};

const badLine = ({ said }: DryRunReading): string | undefined =>
  said.find((line) => /unknown keyword|syntax error/i.test(line));

const dryRunOf = (host: string, { readings }: Pick<Judgement, 'readings'>): DryRunReading | undefined =>
  freshValue(readings.source<DryRunReading>('nfs.dry-run', host));

/** A line with an unknown option withdraws itself and all behind it: what the try in a namespace of its own shows decides, not the exit code. */
const withdrawsNothing = (host: string): Guard => ({
  id: '3 dry run',
  text: `/etc/exports of ${host}, tried in a mount namespace of its own, withdraws nothing that is exported now`,
  reads: rereads('nfs.dry-run', host),
  absolute: true,
  check: (live) => {
    const dry = dryRunOf(host, live);
    if (!dry) return failGuard('not tried just now');
    if (dry.failed !== undefined) return failGuard(`it could not be tried: ${dry.failed}`);
    const bad = badLine(dry);
    if (bad !== undefined) return failGuard(`a line is bad, and those behind it would be withdrawn: ${bad}`);
    const lost = missingIn(dry.exports, dry.live);
    return lost.length === 0
      ? passGuard(`${dry.exports.length} exports, none withdrawn`)
      : failGuard(`it would withdraw ${lost.slice(0, 5).join(', ')}`);
  },
});

/** The table in force is the one that the try gave. */
const inForce = (dry: DryRunReading | undefined): string | undefined =>
  dry?.failed === undefined &&
  dry !== undefined &&
  badLine(dry) === undefined &&
  dry.live.length > 0 &&
  missingIn(dry.live, dry.exports).length === 0 &&
  missingIn(dry.exports, dry.live).length === 0
    ? 'the table in force is what /etc/exports says'
    : undefined;

const allExported = (host: string): Verification => ({
  text: `everything from the dry run is exported by ${host}`,
  reads: rereads('nfs.dry-run', host),
  deadlineMs: 60_000,
  check: (live) => {
    const now = dryRunOf(host, live);
    if (!now || now.failed !== undefined) return waitUnless(false, 'not read');
    const lacking = missingIn(now.live, now.exports);
    const text = lacking.length === 0 ? 'all exported' : `not exported: ${lacking.slice(0, 5).join(', ')}`;
    return waitUnless(lacking.length === 0, text);
  },
});

const planExport = (subjects: readonly Subject[], { judgement }: PlanContext): Plan | Refusal =>
  planHosts(
    exportAgainAction,
    {
      title: 'Export /etc/exports again on',
      afterwards: 'the table in force is read back; clients with "Stale file handle" go on without a remount',
      undoText:
        'none: the table of before is in the evidence; take a line out of /etc/exports and export again',
    },
    subjects,
    (subject) => {
      const host = subject.id;
      if (freshValue(judgement.readings.source<ServerReading>('nfs.server', host))?.exports === undefined)
        return refusal('3 preconditions', `what ${host} exports was not read just now`);
      const dry = dryRunOf(host, judgement);
      const added = dry ? missingIn(dry.live, dry.exports) : [];
      return {
        target: {
          subject,
          steps: [
            {
              host,
              argv: argvAsRoot(judgement.site, 'exportfs', '-ra'),
              deadlineMs: 60_000,
              refusals: exportfsRefusals,
            },
          ],
          guards: [withdrawsNothing(host)],
          whyAlreadyDone: (live) => inForce(dryRunOf(host, live)),
          verify: allExported(host),
          undo: null,
          lockGroups: [`host ${host}`],
        },
        because: dry
          ? [
              added.length > 0 ? `it adds ${added.slice(0, 5).join(', ')}` : 'it adds nothing',
              ...dry.said.slice(0, 3),
            ]
          : ['what it adds is known after the dry run of /etc/exports'],
      };
    },
  );

/** `exportfs -ra`, after a dry run that shows what it would take away. */
export const exportAgainAction: Action<NoParameters> = {
  id: 'nfs.export-again',
  verb: 'export',
  title: 'export /etc/exports again',
  subject: 'host',
  danger: 'service',
  parameters: noParameters,
  prompts: [],
  users: 'paths that were withdrawn are there again, without a remount',
  menu: { note: ({ because }) => because[0] ?? '', whyDone: 'the table in force is what /etc/exports says' },
  plan: (subjects, _given, context) => planExport(subjects, context),
};
