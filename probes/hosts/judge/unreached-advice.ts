import type { ConnectFailureKind } from '../../../src/model/answer.ts';

const SILENT =
  'Look at the console or BMC: without power, crashed, overloaded or cut off from the network look the same over SSH.';

/** What a person does about hosts that SSH does not reach, by how it fails: no action from here helps where no command gets through. */
const adviceTexts: Readonly<Record<ConnectFailureKind, string>> = {
  unreachable: SILENT,
  timeout: SILENT,
  noBanner: SILENT,
  dns: 'Look the name up on this machine (getent hosts): the site file and DNS or /etc/hosts disagree.',
  notSsh:
    'Another service answers on this address and port: compare both with the site file and the ssh configuration.',
  hostKeyUnknown:
    'Compare the fingerprint with one that came another way, then accept it by hand with ssh; this console accepts none.',
  hostKeyChanged:
    'Ask who reinstalled the host; then replace its line in known_hosts. Unexplained, treat it as an attack.',
  hostKeyRevoked: 'Do not log in by hand either: known_hosts marks the key as revoked. Ask who revoked it.',
  auth: 'Try ssh by hand as the same user: key missing in authorized_keys, account locked, or an access rule.',
  agent:
    'Look with ssh-add -l whether the agent still holds the key; agents get locked and end with their session.',
  sessions:
    'Look who holds the sessions (MaxSessions and MaxStartups of sshd_config); they come free as others end.',
  unsupported: 'Run ssh by hand with -v: it shows at which step the two sides do not agree.',
  config: 'Run ssh -G by hand: it names the line of the ssh configuration that is wrong.',
  other: 'Run ssh by hand with -v: it shows the step that fails.',
};

/** So many at once that answer too late are seldom all at fault. */
const MANY = 8;

/** `hosts`: how many fail so at once. A machine that is too busy to hear its answers finds every host late, its own way to them too. */
export const adviceFor = (kind: ConnectFailureKind | undefined, hosts: number): string =>
  kind === 'timeout' && hosts >= MANY
    ? `So many at once: see the load of this machine and its way to them (network, jump host) first. ${SILENT}`
    : adviceTexts[kind ?? 'other'];
