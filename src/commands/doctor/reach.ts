import type { ConnectFailureKind, ConnectionBadge, RawAnswer, Transport } from '../../model/answer.ts';
import type { SiteView } from '../../model/site.ts';
import { claimOf } from '../../text/said.ts';
import { makeSafe } from '../../text/safe.ts';
import { maskName, type Check } from './report.ts';
import { checkOf, mendConnection, sshLine } from './mend.ts';

/** How long any command of doctor may take on a host. */
export const DEADLINE_MS = 8000;

export const reached: Check = { name: 'reach', state: 'ok', text: 'reached' };
export const hostKeyKnown: Check = { name: 'host key', state: 'ok', text: 'host key known' };

/** Failures whose details matter host by host: fingerprints, texts of their own. */
const apart: ReadonlySet<ConnectFailureKind> = new Set([
  'hostKeyChanged',
  'hostKeyRevoked',
  'config',
  'other',
]);

/** What ended before the host said anything, with the checks before it that passed; undefined when it answered. */
export const connectionChecks = (raw: RawAnswer, host: string, site: SiteView): Check[] | undefined => {
  if (raw.notConnected) {
    const { kind, message, said } = raw.notConnected;
    const name = checkOf(kind);
    const before = [reached, hostKeyKnown].slice(
      0,
      Math.max(0, ['reach', 'host key', 'login'].indexOf(name)),
    );
    const same = apart.has(kind) ? maskName(host, said ? claimOf(said) : message) : kind;
    return [
      ...before,
      {
        name,
        state: 'fail',
        text: makeSafe(message),
        same,
        isNamed: true,
        mend: mendConnection(kind, host, site),
      },
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

/** Marks of what the login shell's start files do. */
const OF_THE_SHELL: ReadonlySet<ConnectionBadge> = new Set(['slow shell', 'noisy shell']);

/** What the connection noticed: a slow or talkative login shell, old algorithms. */
export const shellChecks = (transport: Transport, host: string, site: SiteView): Check[] =>
  transport.connection().badges.map((badge) => ({
    name: 'shell',
    state: 'note',
    text: badge,
    ...(OF_THE_SHELL.has(badge)
      ? {
          mend: [
            `${sshLine(site, host, 'true')}     should print nothing, at once; if not, look at the shell's start files`,
          ],
        }
      : {}),
  }));
