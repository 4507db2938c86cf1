import { execa } from 'execa';
import type { ConnectionBadge } from '../model/answer.ts';
import { childWire } from './child-wire.ts';
import type { ControlFolder } from './control-folder.ts';
import { failure, reason } from './failure.ts';
import { HostSessions, type Opener } from './host-sessions.ts';
import { HostState, type HostTransport } from './host-state.ts';
import { judgeOpenSsh } from './openssh-failure.ts';
import type { SshConfig } from './ssh-config.ts';
import type { Ssh2Context } from './ssh2-dial.ts';

export interface OpenSshContext extends Pick<Ssh2Context, 'clock' | 'log'> {
  config: SshConfig;
  control: ControlFolder;
  env: Readonly<Record<string, string | undefined>>;
}

/** Never a question, never a first key on trust, nothing forwarded; the master stays for 10 minutes after the last use. */
const OPTIONS = [
  'BatchMode=yes',
  'StrictHostKeyChecking=yes',
  'ServerAliveInterval=10',
  'ServerAliveCountMax=3',
  'ConnectTimeout=8',
  'ClearAllForwardings=yes',
  'ForwardAgent=no',
  'ForwardX11=no',
  'PermitLocalCommand=no',
  'RequestTTY=no',
  'ControlMaster=auto',
  'ControlPersist=600',
].flatMap((option) => ['-o', option]);

/**
 * The operator's own ssh: for certificates, FIDO keys, Kerberos, ProxyCommand and whatever else it can do. `badge` says
 * why it is used when nobody asked for it.
 */
export const openSshTransport = (
  host: string,
  context: OpenSshContext,
  badge?: ConnectionBadge,
): HostTransport => {
  const { clock, log, config, control, env } = context;
  const state = new HostState(host, 'openssh', clock, log);
  if (badge !== undefined) state.badge(badge);
  let master: readonly string[] = [];

  const open: Opener = async () => {
    state.noteConnecting();
    const asked = await config.readFacts(host);
    if ('failure' in asked) return { failure: state.noteDown(asked.failure) };
    try {
      // A master the operator has logged in through (second factors) is theirs: use it, don't end it.
      master = asked.facts.controlPath === undefined ? ['-o', `ControlPath=${await control.path()}/%C`] : [];
    } catch (error) {
      return {
        failure: state.noteDown(failure('other', host, reason(error), 'see the permissions of that folder')),
      };
    }
    const argv = ['ssh', ...config.flags, ...OPTIONS, ...master, '-T', '--', host, 'exec sh'] as const;
    return { wire: childWire([...argv], env, (end) => judgeOpenSsh(host, end)) };
  };
  const sessions = new HostSessions(state, clock, open);

  const endMaster = async (): Promise<void> => {
    if (master.length === 0) return;
    const argv = [...config.flags, ...master, '-O', 'exit', '--', host];
    master = [];
    await execa('ssh', argv, { env, extendEnv: false, reject: false, stdin: 'ignore', timeout: 2000 });
  };
  return {
    kind: 'openssh',
    run: (request, signal) => sessions.run(request, signal),
    connection: () => state.view(),
    retry: () => state.retry(),
    reset: () => {
      sessions.drop();
      state.reset();
      void endMaster();
    },
    close: async () => {
      sessions.drop();
      await endMaster();
    },
  };
};
