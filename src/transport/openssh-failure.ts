import type { ConnectFailure } from '../model/answer.ts';
import type { ChildEnd } from './child-wire.ts';
import { failure, markUntouched } from './failure.ts';
import { exposedKey } from './identity.ts';

type Rule = [pattern: RegExp, judge: (host: string, found: RegExpExecArray, said: string) => ConnectFailure];

/** The place of the key on record, as ssh names it. */
const onRecord = (said: string): string => {
  const place = /(?:Offending|Add correct).* key in (\S+):(\d+)/.exec(said);
  return place ? ` at ${place[1]}:${place[2]}` : '';
};

/** What ssh (OpenSSH 8 to 10) writes to standard error when it can't connect, most telling first. */
const rules: readonly Rule[] = [
  [
    /REMOTE HOST IDENTIFICATION HAS CHANGED/,
    (host, _, said) =>
      failure(
        'hostKeyChanged',
        host,
        `host key changed: it shows ${/SHA256:[\w+/=]+/.exec(said)?.[0] ?? 'one'}, another is on record${onRecord(said)}`,
        'find out why; only when it is right, mend that line',
      ),
  ],
  [
    /REVOKED HOST KEY|^Host key (\S+ \S+) revoked by file (.*)/m,
    (host, [, shown, file], said) =>
      failure(
        'hostKeyRevoked',
        host,
        `host key revoked${shown ? `: it shows ${shown}, revoked in ${file}` : onRecord(said)}`,
        'do not log in; ask who revoked it',
      ),
  ],
  [
    /^Error checking host key .* in revoked keys file (.*)/m,
    (host, [, why]) =>
      failure(
        'other',
        host,
        ['whether its host key is revoked could not be read', why ?? ''],
        'mend RevokedHostKeys in your ssh configuration',
      ),
  ],
  [
    /No (\S+) host key is known for (.+?) and you have requested|Host key verification failed/,
    (host, [, type, name]) =>
      failure(
        'hostKeyUnknown',
        host,
        `host key unknown${type ? `: no ${type} key is on record for ${name}` : ''}`,
        `compare it with the host's own, then log in once with: ssh ${host}`,
      ),
  ],
  [
    /Could not resolve hostname (\S+): (.*)/,
    (host, [, name, why]) =>
      markUntouched(
        failure(
          'dns',
          host,
          [`the name ${name} is not known`, why ?? ''],
          'check HostName in your ssh configuration, and the resolver',
        ),
      ),
  ],
  [
    /Connection timed out during banner exchange/,
    (host) =>
      failure(
        'noBanner',
        host,
        'no SSH banner within 8 s',
        'the machine accepts connections but sshd does not answer: look at its console',
      ),
  ],
  [
    /banner line contains invalid|Bad remote protocol version|banner exchange.*invalid format/i,
    (host) =>
      failure('notSsh', host, 'not an SSH server', 'check HostName and Port in your ssh configuration'),
  ],
  [
    /(?:Operation|Connection) timed out/,
    (host) =>
      markUntouched(failure('timeout', host, 'timed out after 8 s', 'is it up, and is the network between?')),
  ],
  [
    /(Connection refused|No route to host|Network is unreachable)/,
    (host, [, what]) =>
      markUntouched(
        failure('unreachable', host, (what ?? '').toLowerCase(), 'is it up, and is sshd running?'),
      ),
  ],
  [
    /(Connection reset|Connection closed)/,
    (host, [, what]) =>
      failure('unreachable', host, (what ?? '').toLowerCase(), 'is it up, and is sshd running?'),
  ],
  [
    /closed by remote host|Broken pipe|Connection to .* closed\b|Timeout, server .* not responding/,
    (host) => failure('unreachable', host, 'connection lost', 'it is tried again'),
  ],
  [
    /^Permissions (\d+) for '(.+)' are too open/m,
    (host, [, mode, path]) => failure('auth', host, ...exposedKey(path ?? '', mode ?? '')),
  ],
  [
    /Permission denied(?: \(([^)\n]*)\))?|Too many authentication failures/,
    (host, [, takes]) =>
      failure(
        'auth',
        host,
        takes ? ['permission denied', `the server takes ${takes}`] : 'permission denied',
        `see what is asked for with: ssh -v ${host}`,
      ),
  ],
  [
    /Session open refused by peer|session request failed|administratively prohibited/,
    (host) =>
      failure('sessions', host, 'server refuses more sessions', 'raise MaxSessions in its sshd_config'),
  ],
];

/** Why ssh ended; undefined when it was the remote shell that ended. */
export const judgeOpenSsh = (host: string, end: ChildEnd): ConnectFailure | undefined => {
  if (end.answered)
    return end.exitCode === 255
      ? failure('unreachable', host, 'connection lost', 'it is tried again')
      : undefined;
  for (const [pattern, judge] of rules) {
    const found = pattern.exec(end.stderr);
    if (found && (end.exitCode === 255 || end.exitCode === undefined)) return judge(host, found, end.stderr);
  }
  if (end.cause !== undefined)
    return failure('other', host, ['ssh did not start', end.cause], 'install openssh-client');
  if (end.exitCode !== 255) return undefined;
  const line = end.stderr.split(/\r?\n/).findLast((one) => one.trim() !== '') ?? 'ssh ended with 255';
  return failure('other', host, line.trim(), `see more with: ssh -v ${host}`);
};
