import type { Answer, ConnectFailureKind, RawAnswer, Transport } from '../../model/answer.ts';
import type { Clock } from '../../model/ports.ts';
import type { HostView, SiteView } from '../../model/site.ts';
import { decode } from '../../text/bytes.ts';
import { isPlain, visible } from '../../text/safe.ts';
import { quote } from '../../text/shell.ts';
import type { Check } from './check.ts';
import { clockCheck } from './clock.ts';
import { checkOf, mendConnection, sshLine } from './mend.ts';
import type { Needs } from './needs.ts';
import { doctorScript, readSections, type Section } from './script.ts';

const DEADLINE_MS = 8000;
/** A screen of text from a busy switch takes its time. */
const DEVICE_MS = 15_000;

export interface Examiner {
  site: SiteView;
  clock: Clock;
}

/** Everything doctor has to say about one host. Never throws for what is wrong there. */
export const examine = async (
  host: HostView,
  needs: Needs,
  transport: Transport,
  { site, clock }: Examiner,
): Promise<Check[]> => {
  if (needs.device) return examineDevice(host, needs.device, transport, site);
  if (host.platform !== 'linux' && host.platform !== 'cumulus') {
    return [
      {
        name: 'reach',
        state: 'skipped',
        text: `platform ${host.platform}: not asked, no probe of its roles asks it anything`,
      },
    ];
  }
  // The first run pays for the connection, so that the second one is timed without it.
  const first = await transport.run({ script: 'true', deadlineMs: DEADLINE_MS });
  const failed = connectionChecks(first, host.name, site);
  if (failed) return failed;
  const before = clock.now();
  const raw = await transport.run({ script: doctorScript(needs), deadlineMs: DEADLINE_MS });
  const between = { before, after: clock.now() };
  const lost = connectionChecks(raw, host.name, site);
  if (lost) return lost;
  const sections = readSections(asText(raw).stdout);
  return [
    reached,
    ...(transport.kind === 'local' ? [] : [hostKeyKnown]),
    loginCheck(sections.get('user')),
    ...shellChecks(transport, host.name, site),
    said('kernel', sections.get('kernel')),
    toolsCheck(needs, sections, host.name, site),
    ...needs.versions.map((argv, at) => said('version', sections.get(`version${at}`), argv.join(' '))),
    rightsCheck(needs, sections, host.name, site),
    clockCheck(sections.get('clock'), between, sshLine(site, host.name, 'chronyc tracking || timedatectl')),
    ...folderChecks(needs, sections, host.name, site),
  ];
};

/** A device without a shell: whether its command line is understood. */
const examineDevice = async (
  host: HostView,
  { line, dialect }: NonNullable<Needs['device']>,
  transport: Transport,
  site: SiteView,
): Promise<Check[]> => {
  const mend = [
    `${sshLine(site, host.name)}     log in as it does: which prompt comes, and does it ask for more first?`,
    `platform: ${host.platform}     for ${host.name} in ${site.file}: is it that?`,
  ];
  const fault = (text: string): Check => ({ name: 'shell', state: 'fail', text: visible(text, 300), mend });
  if (transport.type === undefined) {
    const text = "it is reached through OpenSSH or locally: a device's command line needs our own client";
    return [
      { name: 'reach', state: 'fail', text, mend: [`transport: ssh2     for ${host.name} in ${site.file}`] },
    ];
  }
  const raw = await transport.type({ lines: [line], dialect, deadlineMs: DEVICE_MS, maxBytes: 100_000 });
  // What is no failure to connect or log in is one of its command line: the prompt that never came.
  if (raw.notConnected?.kind === 'other') return [reached, fault(raw.notConnected.message)];
  const failed = connectionChecks(raw, host.name, site);
  if (failed) return failed;
  const refused = decode(raw.stderr).trim();
  return [
    reached,
    hostKeyKnown,
    raw.exitCode === 0
      ? { name: 'shell', state: 'ok', text: `understood: ${visible(line, 60)}` }
      : fault(`it refuses ${refused === '' ? line : refused}`),
    ...shellChecks(transport, host.name, site),
  ];
};

const reached: Check = { name: 'reach', state: 'ok', text: 'reached' };
const hostKeyKnown: Check = { name: 'host key', state: 'ok', text: 'host key known' };

const asText = (raw: RawAnswer): Answer => ({
  ...raw,
  stdout: decode(raw.stdout),
  stderr: decode(raw.stderr),
});

/** Failures whose details matter host by host: fingerprints, texts of their own. */
const apart: ReadonlySet<ConnectFailureKind> = new Set([
  'hostKeyChanged',
  'hostKeyRevoked',
  'config',
  'other',
]);

/** What ended before the host said anything, with the checks before it that passed; undefined when it answered. */
const connectionChecks = (raw: RawAnswer, host: string, site: SiteView): Check[] | undefined => {
  if (raw.notConnected) {
    const { kind, message } = raw.notConnected;
    const name = checkOf(kind);
    const before = [reached, hostKeyKnown].slice(
      0,
      Math.max(0, ['reach', 'host key', 'login'].indexOf(name)),
    );
    const same = apart.has(kind) ? {} : { same: kind };
    return [
      ...before,
      { name, state: 'fail', text: visible(message), ...same, mend: mendConnection(kind, host, site) },
    ];
  }
  const verbose = `${sshLine(site, host, 'true', ['-v'])}     shows how far it gets`;
  const shell = (text: string, mend: readonly string[]): Check[] => [
    reached,
    { name: 'shell', state: 'fail', text, mend },
  ];
  if (raw.timedOut)
    return shell(`logged in, but a command did not end within ${DEADLINE_MS / 1000} s`, [verbose]);
  if (raw.lost || raw.cancelled) return shell('logged in, but the connection went away', [verbose]);
  if (raw.exitCode === 127) {
    return shell('"timeout" is missing, which bounds every command', [
      'install coreutils (busybox has it too) on it',
    ]);
  }
  if (raw.exitCode === undefined) return shell('logged in, but its shell gave no exit code', [verbose]);
  return undefined;
};

const missing = (name: Check['name']): Check => ({
  name,
  state: 'skipped',
  text: `${name}: the host said nothing of it`,
});

const loginCheck = (user: Section | undefined): Check => {
  if (!user || user.exitCode !== 0) return missing('login');
  return { name: 'login', state: 'ok', text: `as ${visible(user.text, 40)}` };
};

/** A command's first line, where that is all there is to say. */
const said = (name: Check['name'], section: Section | undefined, what = name as string): Check => {
  const text = section?.text.split('\n')[0] ?? '';
  if (!section) return missing(name);
  return section.exitCode === 0
    ? { name, state: 'ok', text: visible(text, 80) }
    : { name, state: 'note', text: visible(`${what} failed (exit ${section.exitCode}): ${text}`, 120) };
};

/** What the connection noticed: a slow or talkative login shell, old algorithms. */
const shellChecks = (transport: Transport, host: string, site: SiteView): Check[] =>
  transport.connection().badges.map((badge) => ({
    name: 'shell',
    state: 'note',
    text: visible(badge, 80),
    ...(/shell|banner|nois/i.test(badge)
      ? {
          mend: [
            `${sshLine(site, host, 'true')}     should print nothing, at once; if not, look at the shell's start files`,
          ],
        }
      : {}),
  }));

const toolsCheck = (
  needs: Needs,
  sections: ReadonlyMap<string, Section>,
  host: string,
  site: SiteView,
): Check => {
  const states = needs.commands.map((name, at) => ({ name, section: sections.get(`tool${at}`) }));
  if (states.some(({ section }) => !section)) return missing('tools');
  const absent = states.filter(({ section }) => section?.exitCode !== 0).map(({ name }) => name);
  if (absent.length === 0) return { name: 'tools', state: 'ok', text: `${needs.commands.join(', ')} found` };
  const where = sshLine(site, host, `type ${absent.map(quote).join(' ')}`);
  return {
    name: 'tools',
    state: 'fail',
    text: `not on /usr/sbin:/usr/bin:/sbin:/bin: ${absent.join(', ')}`,
    mend: [`${where}     where your own login finds it; link it into /usr/bin, or install its package`],
  };
};

const rightsCheck = (
  needs: Needs,
  sections: ReadonlyMap<string, Section>,
  host: string,
  site: SiteView,
): Check => {
  const section = sections.get('sudo');
  if (!section) return missing('rights');
  if (section.exitCode === 0) return { name: 'rights', state: 'ok', text: 'sudo -n works' };
  if (!needs.root) return { name: 'rights', state: 'ok', text: 'no sudo -n, none needed' };
  const user = (sections.get('user')?.text ?? '').trim();
  if (user === 'root') return { name: 'rights', state: 'ok', text: 'it is root' };
  const who = isPlain(user) && /^[A-Za-z0-9._-]+$/.test(user) ? user : 'USER';
  return {
    name: 'rights',
    state: 'fail',
    text: visible(`sudo -n does not work: ${section.text.split('\n')[0] ?? ''}`, 120),
    mend: [
      `${sshLine(site, host, 'sudo visudo -f /etc/sudoers.d/faultline', ['-t'])}     add: ${who} ALL=(root) NOPASSWD: COMMANDS`,
    ],
  };
};

/** A folder that only its owner can write is no shared one: a colleague's console could take no lock in it. */
const groupCheck = (folder: string, mode: Section | undefined, host: string, site: SiteView): Check => {
  const bits = Number.parseInt(mode?.exitCode === 0 ? mode.text : '', 8);
  if (Number.isNaN(bits) || (bits & 0o020) !== 0)
    return { name: 'shared folder', state: 'ok', text: `${folder} can be written` };
  return {
    name: 'shared folder',
    state: 'fail',
    text: `${folder} can be written by its owner only (mode ${mode?.text}): colleagues' consoles can take no lock`,
    mend: [sshLine(site, host, `sudo chmod 2770 ${quote(folder)}`, ['-t'])],
  };
};

const folderChecks = (
  { folder }: Needs,
  sections: ReadonlyMap<string, Section>,
  host: string,
  site: SiteView,
): Check[] => {
  if (folder === undefined) return [];
  const section = sections.get('folder');
  if (!section) return [missing('shared folder')];
  if (section.exitCode === 0) return [groupCheck(folder, sections.get('mode'), host, site)];
  const install = `sudo install -d -m 2770 -g "$(id -gn)" ${quote(folder)}`;
  return [
    {
      name: 'shared folder',
      state: 'fail',
      text: `${folder} is missing or can't be written: consoles can't see each other's locks and notes`,
      mend: [sshLine(site, host, install, ['-t'])],
    },
  ];
};
