import { failGuard, passGuard, passUnless, refusal, rereads, waitUnless } from '../../../src/kit/guards.ts';
import { noParameters, type NoParameters } from '../../../src/kit/offers.ts';
import type {
  Action,
  Guard,
  Plan,
  PlanContext,
  PlanTarget,
  Refusal,
  Step,
} from '../../../src/model/action.ts';
import type { SiteView } from '../../../src/model/site.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { agoText, cureText, curesOf, gainsIn, listingSource, whyNotCure } from '../judge/listings.ts';
import { freshValue } from '../judge/servers.ts';
import type { ListingReading, SnippetState } from '../readings.ts';
import { argvAsRoot } from '../settings.ts';
import { snippets } from '../snippets.ts';
import { planHosts } from './hosts.ts';
import install from './colours-install.sh';
import remove from './colours-remove.sh';
import { snippetRefusals } from './refusals.ts';

const names = ['sh', 'csh'] as const;

/** With the file's bytes on standard input. A file that is there is not written over, nor is one removed that holds anything else. */
const scripts = { install, remove } as const;
type Way = keyof typeof scripts;

const statesOn = (
  host: string,
  judgement: Pick<Judgement, 'readings'>,
): ListingReading['snippets'] | undefined => freshValue(listingSource(host, judgement))?.snippets;

/** What is done to one of the files; its bytes are on standard input, so the plan shows them. */
const stepFor = (site: SiteView, host: string, name: 'sh' | 'csh', way: Way): Step => ({
  host,
  argv: argvAsRoot(site, 'sh', '-c', scripts[way], `faultline-colours-${way}`, snippets[name].path),
  stdin: snippets[name].text,
  refusals: snippetRefusals,
});

/** Those of the two files that are in this state, and what is done to them. */
const stepsOn = ({ site, readings }: Judgement, host: string, state: SnippetState, way: Way): Step[] =>
  names
    .filter((name) => statesOn(host, { readings })?.[name] === state)
    .map((name) => stepFor(site, host, name, way));

/** Somebody else's file is neither written over nor removed. */
const notAnothers = (host: string): Guard => ({
  id: '3 file',
  text: `${snippets.sh.path} and .csh on ${host} were written from here, or are not there`,
  reads: rereads('nfs.listing', host),
  absolute: true,
  check: (live) => {
    const states = statesOn(host, live);
    if (!states) return failGuard('not read just now');
    const bad = names.find((name) => states[name] !== 'ours' && states[name] !== 'absent');
    return passUnless(
      bad && `${snippets[bad].path}: ${states[bad] === 'other' ? 'holds something else' : 'can not be read'}`,
      `${states.sh === 'absent' ? 'not there' : 'written from here'}`,
    );
  },
});

const requireMeasured = (host: string): Guard => ({
  id: '3 measured',
  text: `a measurement on ${host} of the last 7 days shows that it helps, and none that it costs more`,
  reads: rereads('nfs.listing', host),
  absolute: true,
  check: (live) => {
    const cures = curesOf(host, live);
    if (cures.length === 0) return failGuard('nothing was measured there: measure ls in a directory first');
    const why = whyNotCure(cures);
    const [helped] = gainsIn(cures);
    return why === undefined && helped
      ? passGuard(`${cureText(helped.listing, helped.cure)}, ${agoText(helped)}`)
      : failGuard(why ?? 'no gain');
  },
});

/** Both files are in this state. */
const areBothIn = (host: string, state: SnippetState, judgement: Pick<Judgement, 'readings'>): boolean =>
  names.every((name) => statesOn(host, judgement)?.[name] === state);

const targetOn = (subject: Subject, judgement: Judgement, way: Way): PlanTarget => {
  const host = subject.id;
  const [from, to, back] =
    way === 'install' ? (['absent', 'ours', 'remove'] as const) : (['ours', 'absent', 'install'] as const);
  const touched = names.filter((name) => statesOn(host, judgement)?.[name] === from);
  const done = to === 'ours' ? 'both files are there' : 'neither file is there';
  return {
    subject,
    steps: stepsOn(judgement, host, from, way),
    guards: way === 'install' ? [notAnothers(host), requireMeasured(host)] : [notAnothers(host)],
    whyAlreadyDone: (live) => (areBothIn(host, to, live) ? done : undefined),
    verify: {
      text: `the files are read back on ${host}`,
      reads: rereads('nfs.listing', host),
      deadlineMs: 20_000,
      check: (live) => {
        const states = statesOn(host, live);
        return waitUnless(
          areBothIn(host, to, live),
          states ? `sh ${states.sh}, csh ${states.csh}` : 'not read',
        );
      },
    },
    undo: touched.map((name) => stepFor(judgement.site, host, name, back)).toReversed(),
    lockGroups: [`host ${host}`],
  };
};

const planFiles = (
  action: Action<NoParameters>,
  way: Way,
  subjects: readonly Subject[],
  { judgement }: PlanContext,
): Plan | Refusal =>
  planHosts(
    action,
    {
      title:
        way === 'install' ? 'Turn costly ls colours off for login shells of' : 'Turn ls colours on again on',
      afterwards: 'the files are read back; measure ls once more to see what new login shells get',
      undoText:
        way === 'install' ? 'removes the files, if they are as they were written' : 'writes the files again',
    },
    subjects,
    (subject) => {
      const states = statesOn(subject.id, judgement);
      if (!states)
        return refusal(
          '3 preconditions',
          `the profiles of ${subject.id} were not read just now (role login)`,
        );
      const cures = curesOf(subject.id, judgement);
      return {
        target: targetOn(subject, judgement, way),
        because: [
          ...cures.slice(0, 4).map(({ listing, cure }) => cureText(listing, cure)),
          ...(cures.some(({ listing }) => listing.skel === true)
            ? [
                'users whose own .bashrc calls dircolors (as that of /etc/skel does) keep their colours: it runs later',
              ]
            : []),
        ],
      };
    },
  );

const backWay = (
  { id: host }: Subject,
  { judgement }: PlanContext,
  from: SnippetState,
  way: Way,
): { steps: Step[] } | Refusal => {
  const steps = stepsOn(judgement, host, from, way).toReversed();
  return steps.length > 0 ? { steps } : refusal('3 preconditions', `the snippet is not on ${host}`);
};

/** The snippet for login shells, in files of its own. */
export const coloursOffAction: Action<NoParameters> = {
  id: 'nfs.colours-off',
  verb: 'install',
  title: 'turn costly ls colours off',
  subject: 'host',
  danger: 'reversible',
  parameters: noParameters,
  prompts: [],
  users: 'executables, setuid and setgid files are no longer coloured in new login shells',
  menu: { note: ({ because }) => because[0] ?? '', whyDone: 'the snippet is there' },
  plan: (subjects, _given, context) => planFiles(coloursOffAction, 'install', subjects, context),
  undoOf: (subject, _was, context) => backWay(subject, context, 'ours', 'remove'),
};

export const coloursBackAction: Action<NoParameters> = {
  id: 'nfs.colours-back',
  verb: 'remove',
  title: 'turn ls colours on again',
  subject: 'host',
  danger: 'reversible',
  parameters: noParameters,
  prompts: [],
  users: 'ls looks at each entry again in new login shells, where colours ask for it',
  menu: { note: ({ because }) => because[0] ?? '', whyDone: 'the snippet is not there' },
  plan: (subjects, _given, context) => planFiles(coloursBackAction, 'remove', subjects, context),
  undoOf: (subject, _was, context) => backWay(subject, context, 'absent', 'install'),
};
