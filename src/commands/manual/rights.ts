import { askedHosts } from '../../collect/on-site.ts';
import { readingsOf } from '../../collect/parse-job.ts';
import type { ActionSet } from '../../model/action.ts';
import type { Discovery } from '../../model/discover.ts';
import type { HostView, SiteView } from '../../model/site.ts';
import type { AskContext, Probe, System } from '../../model/system.ts';
import { actionSets } from '../../registries/actions.ts';
import { discoveries } from '../../registries/discoveries.ts';
import { parseSite } from '../../site/parse.ts';
import { platforms } from '../../site/platforms.ts';
import { viewOf } from '../../site/view.ts';
import { knowledge } from '../open-site.ts';
import { pageAsMarkdown, type Page, type Part } from './page.ts';

/** A role whose probes or actions run something by `sudo -n` where the login is not root. */
interface Needed {
  role: string;
  /** Words as sudoers compares them, `*` for any others. */
  reads: readonly string[];
  acts: readonly string[];
}

/** Any host at all. */
const ANY = '*';

/** No role: what `init` tries on machines of which nothing is known yet. */
const INIT = 'init';

/**
 * A site with a host of each role, where everything that can be told to is run by sudo. Where tools are looked for on a role's hosts these
 * are Linux; others may be of any platform.
 */
const siteWithSudo = (systems: readonly System[]): SiteView => {
  const hosts = systems.flatMap(({ roles, tools }) =>
    roles.flatMap((role) =>
      (tools?.[role] ? (['linux'] as const) : platforms).map((platform) => ({ role, platform })),
    ),
  );
  const sections = systems.filter(({ settings }) => settings?.safeParse({ sudo: true }).success);
  const text = [
    'site: rights',
    'hosts:',
    ...hosts.map(
      ({ role, platform }, at) => `  - { names: host${at}, roles: [${role}], platform: ${platform} }`,
    ),
    ...sections.map(({ id }) => `${id}: { sudo: true }`),
  ].join('\n');
  return viewOf(parseSite(text, 'rights', knowledge).site);
};

/** One word of a command: in quotes, or up to a blank or whatever ends the command. */
const WORD = /^ *(?:'([^']*)'|([^\s'|;&<>()]+))/;

/** The words of a command, unquoted, to its end. */
const wordsOf = (text: string): string[] => {
  const words: string[] = [];
  for (let rest = text; ;) {
    const found = WORD.exec(rest);
    if (!found) return words;
    words.push(found[1] ?? found[2] ?? '');
    rest = rest.slice(found[0].length);
  }
};

/** The hosts that a probe is for, of any make. Where none is asked before something else was read (a disk's path), the first counts. */
const hostsFor = (probe: Probe, context: AskContext): readonly HostView[] => {
  const hosts = askedHosts(probe, context.site);
  const asked = hosts.filter((host) => probe.when?.(host, context) ?? true);
  return asked.length > 0 ? asked : hosts.slice(0, 1);
};

/** What a probe sends to a host. */
const sent = (probe: Probe, host: HostView, context: AskContext): string => {
  const ask = probe.ask(host, context);
  return 'script' in ask ? ask.script : ask.lines.join('\n');
};

/** What probes run by sudo, by role: asked for as they ask, so that nothing of it is written down twice. */
const readsOf = (systems: readonly System[]): ReadonlyMap<string, readonly string[][]> => {
  const site = siteWithSudo(systems);
  const context: AskContext = {
    site,
    readings: readingsOf([]),
    now: 0,
    trial: true,
    facts: () => ({ list: () => [], find: () => undefined }),
  };
  const found = new Map<string, string[][]>();
  for (const probe of systems.flatMap(({ probes }) => probes))
    for (const host of hostsFor(probe, context)) {
      const commands = sent(probe, host, context).split('sudo -n ').slice(1).map(wordsOf);
      found.set(probe.role, [...(found.get(probe.role) ?? []), ...commands]);
    }
  return found;
};

/** One line for all commands of one tool and verb that differ in what stands behind; a script has no line of its own. */
const linesOf = (commands: readonly (readonly string[])[]): string[] => {
  const alike = Map.groupBy(commands, ([tool = '', verb = '']) =>
    tool === 'sh' ? 'sh' : `${tool} ${verb}`.trim(),
  );
  return [...alike]
    .map(([key, some]) => {
      const whole = new Set(some.map((words) => words.map((word) => word || "''").join(' ')));
      const [only, ...others] = whole;
      const isWhole = only !== undefined && others.length === 0 && !only.includes('*');
      return key !== 'sh' && isWhole ? only : `${key} *`;
    })
    .toSorted();
};

/** What a login that is not root needs on the hosts of each role, in the order of the systems. */
export const rootCommands = (
  systems: readonly System[],
  sets: readonly Pick<ActionSet, 'asRoot'>[] = actionSets,
): readonly Needed[] => {
  const reads = new Map(readsOf(systems));
  // Doctor and init try whether sudo works at all (src/commands/doctor/script.ts, probes/nfs/discover.ts).
  reads.set(ANY, [...(reads.get(ANY) ?? []), ['true']]);
  const roles = [ANY, ...new Set(systems.flatMap((system) => system.roles))];
  return roles
    .map((role) => ({
      role,
      reads: linesOf(reads.get(role) ?? []),
      acts: [...new Set(sets.flatMap(({ asRoot }) => asRoot?.[role] ?? []))].toSorted(),
    }))
    .filter((one) => one.reads.length > 0 || one.acts.length > 0);
};

/** What `init` tries by sudo on each machine that it asks. */
export const initCommands = (all: readonly Pick<Discovery, 'commands'>[] = discoveries): Needed => {
  const lines = all.flatMap(({ commands }) =>
    Object.values(commands).map((one) => (typeof one === 'string' ? one : one.line)),
  );
  const tried = lines.flatMap((line) => line.split('sudo -n ').slice(1).map(wordsOf));
  return { role: INIT, reads: linesOf(tried), acts: [] };
};

/** Where Debian and the makers' packages have them: sudoers takes whole paths only. */
const FOLDERS: Readonly<Record<string, string>> = {
  clagctl: '/usr/bin',
  config: '/usr/local/bin',
  dmesg: '/usr/bin',
  grep: '/usr/bin',
  journalctl: '/usr/bin',
  kill: '/usr/bin',
  sh: '/usr/bin',
  systemctl: '/usr/bin',
  'systemd-run': '/usr/bin',
  timeout: '/usr/bin',
  true: '/usr/bin',
};
const SYSTEM_FOLDER = '/usr/sbin';

/** One command as sudoers(5) has it: what its arguments mean there is escaped, an empty one is only had by an expression (sudo 1.9.10). */
const asSudoers = (command: string): string => {
  const [tool = '', ...words] = command.split(' ');
  const path = `${FOLDERS[tool] ?? SYSTEM_FOLDER}/${tool}`;
  if (words.length === 0) return `${path} ""`;
  if (words.includes("''")) return `${path} ^${words.map((word) => (word === "''" ? '' : word)).join(' ')}$`;
  return `${path} ${words.join(' ').replaceAll(/[\\,:=]/g, String.raw`\$&`)}`;
};

/** `FAULTLINE_LUSTRE_OSS_READ`. */
const aliasOf = (role: string, what: 'READ' | 'ACT'): string =>
  `FAULTLINE_${role === ANY ? 'ANY' : role.toUpperCase().replaceAll('-', '_')}_${what}`;

/** The lines for one role: what reads, and what acts, under names of their own. */
export const sudoersOf = ({ role, reads, acts }: Needed, login = '%faultline'): string[] =>
  (
    [
      ['READ', reads],
      ['ACT', acts],
    ] as const
  )
    .filter(([, commands]) => commands.length > 0)
    .flatMap(([what, commands]) => {
      const name = aliasOf(role, what);
      return [
        `Cmnd_Alias ${name} = ${commands.map(asSudoers).join(', \\\n    ')}`,
        `${login} ALL = (root) NOPASSWD: ${name}`,
      ];
    })
    .flatMap((text) => text.split('\n'));

const isEverything = (commands: readonly string[]): boolean =>
  commands.some((command) => /^(?:sh|systemd-run|timeout) /.test(command));

/** What the lines can't say: a script that root's shell runs may be any. */
const warningOf = ({ reads, acts }: Needed): Part[] => {
  const what = isEverything(reads) ? 'Reading' : isEverything(acts) ? 'Acting' : undefined;
  return what === undefined
    ? []
    : [
        {
          text: `${what} runs scripts in root's shell there: who has these lines can do everything on the host. Without them what only root sees is UNKNOWN.`,
        },
      ];
};

export const rights = (systems: readonly System[]): Page => ({
  title: 'Rights',
  summary: 'what a login that is not root must be allowed, by role: lines for /etc/sudoers.d',
  parts: [
    {
      text: 'They are made of what probes ask and actions send. Put in the lines of the roles that a host has, READ alone for a console that never acts, and check them with visudo -c. Members of the group faultline have them; another group or a login stands there as well. The sections gluster, lustre, nfs and storage of the site file say sudo: true, or nothing of theirs is run by sudo. Paths are those of Debian and of the makers of switches: command -v says yours.',
    },
    {
      text: 'Slurm needs no root: its login is an operator (sacctmgr modify user where name=LOGIN set adminlevel=operator). A role without lines needs none. What the checks of a site file run is known to that file alone.',
    },
    { heading: 'what init tries' },
    {
      text: 'On each machine that it asks, as long as it asks; what is refused is told in the site file, and the rest goes on. The lines of the roles are those that stay.',
    },
    { code: sudoersOf(initCommands()) },
    ...rootCommands(systems).flatMap((needed): Part[] => [
      { heading: needed.role === ANY ? 'any host, for its kernel log and for doctor' : needed.role },
      ...warningOf(needed),
      { code: sudoersOf(needed) },
    ]),
  ],
});

/** The same as docs/rights.md, not yet formatted. */
export const rightsMarkdown = (systems: readonly System[]): string =>
  pageAsMarkdown(rights(systems), ['role', 'what']);
