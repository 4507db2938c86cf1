import type { Fleet, RawAnswer } from '../../model/answer.ts';
import type { Clock } from '../../model/ports.ts';
import type { Clush, HostView, SiteView } from '../../model/site.ts';
import { fold } from '../../text/nodeset.ts';
import { lineOf, reasonOf } from '../../text/said.ts';
import { count } from '../../text/units.ts';
import { quoteHost, type Check } from './report.ts';
import { sshLine } from './mend.ts';

/** So many of its hosts are asked: whether ClusterShell is there, and whether this account gets to them from there. */
const TRIED = 3;

const DEADLINE_MS = 8000;
const ALL_MS = 60_000;

/** Whether the hosts behind an admin host can be asked by its ClusterShell; nothing where none are. */
export const clushChecks = async (
  host: HostView,
  fleet: Fleet | undefined,
  { site, clock }: { site: SiteView; clock: Clock },
): Promise<Check[]> => {
  const own = (site.clush ?? []).filter(({ through }) => through === host.name);
  if (!fleet || own.length === 0) return [];
  const late = new AbortController();
  const done = new AbortController();
  void clock.sleep(ALL_MS, done.signal).then(() => late.abort());
  const checks = await Promise.all(own.map((clush) => clushCheck(host, clush, fleet, site, late.signal)));
  done.abort();
  return checks;
};

const clushCheck = async (
  host: HostView,
  { hosts }: Clush,
  fleet: Fleet,
  site: SiteView,
  signal: AbortSignal,
): Promise<Check> => {
  const tried = hosts.slice(0, TRIED);
  if (tried.length < 2)
    return {
      name: 'clush',
      state: 'note',
      text: `ClusterShell not tried: one host alone (${fold(hosts)}) is asked itself`,
    };
  const unsent = (): Promise<RawAnswer> => Promise.reject(new Error('asked without ClusterShell'));
  const request = { script: 'true', deadlineMs: DEADLINE_MS };
  const answers = await Promise.all(tried.map((name) => fleet.read(name, request, unsent, signal)));
  const fine = tried.filter((_, at) => answers[at]?.exitCode === 0);
  const failures = answers.flatMap((answer) => whyNot(answer) ?? []);
  if (failures.length === 0)
    return {
      name: 'clush',
      state: 'ok',
      text: `ClusterShell asks ${fold(fine)}, of ${count(hosts.length, 'host')}`,
    };
  const [first = ''] = failures;
  const got =
    fine.length > 0 ? `${fine.length} of ${tried.length} hosts answer` : `none of ${fold(tried)} answers`;
  return {
    name: 'clush',
    state: 'fail',
    ...quoteHost(host.name, `by ClusterShell ${got}: ${first}`, 300),
    mend: [
      `${sshLine(site, host.name, `clush -w ${tried.join(',')} true`)}     is to end without a question or a word`,
    ],
  };
};

const whyNot = (answer: RawAnswer): string | undefined => {
  if (answer.exitCode === 0) return undefined;
  if (answer.notRelayed) return lineOf(answer.notRelayed);
  if (answer.notConnected) return reasonOf(answer.notConnected);
  return answer.timedOut || answer.cancelled
    ? 'no answer in time'
    : `exit code ${answer.exitCode ?? 'not known'}`;
};
