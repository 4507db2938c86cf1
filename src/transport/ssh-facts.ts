/** How to reach one host, as the operator's OpenSSH sees it. Paths are whole; lists in the order they are tried. */
export interface SshFacts {
  /** The name asked for: what ssh would be called with. */
  host: string;
  hostname: string;
  port: number;
  user: string;
  family: 0 | 4 | 6;
  bindAddress?: string;
  identityFiles: readonly string[];
  certificateFiles: readonly string[];
  identitiesOnly: boolean;
  /** Socket of the agent; absent when there is none. */
  agent?: string;
  /** User files first, as they are searched. */
  knownHostsFiles: readonly string[];
  hostKeyAlias?: string;
  /** `user@gw1:2222`, in the order of travel. */
  jumps: readonly string[];
  gssapi: boolean;
  /** The operator's own master socket, when one is configured. */
  controlPath?: string;
  /** What the operator allows, OpenSSH's names. */
  algorithms: {
    kex: readonly string[];
    cipher: readonly string[];
    hmac: readonly string[];
    serverHostKey: readonly string[];
  };
  /** Settings our own client has no answer to, in words: these hosts go through OpenSSH itself. */
  beyond: readonly string[];
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Reads what `ssh -G` printed. OpenSSH 9.2 expands the tokens of UserKnownHostsFile and IdentityAgent, but leaves `~`, `%h`,
 * `%r` in IdentityFile, CertificateFile and HostKeyAlias to us (decision record 0011). Pure.
 */
export const readFacts = (host: string, printed: string, env: Env): SshFacts => {
  const byKey = Map.groupBy(printed.split('\n').map(keyAndValue), ([name]) => name);
  const valuesOf = (key: string): string[] => (byKey.get(key) ?? []).map(([, value]) => value);
  const set = (key: string): string | undefined => valuesOf(key).find((value) => !/^(none)?$/i.test(value));
  const isOn = (key: string): boolean => /^(yes|true)$/.test(set(key) ?? '');
  const list = (key: string): readonly string[] => listOf(set(key) ?? '');

  const hostname = set('hostname') ?? host;
  const port = Number(set('port') ?? 22);
  const user = set('user') ?? '';
  const tokens: Record<string, string> = {
    '%': '%',
    d: env['HOME'] ?? '',
    h: hostname,
    k: set('hostkeyalias') ?? host,
    n: host,
    p: String(port),
    r: user,
    u: env['USER'] ?? env['LOGNAME'] ?? '',
  };
  const expand = (text: string): string =>
    text.replace(/%([%dhknpru])/g, (whole, token: string) => tokens[token] ?? whole);
  const path = (text: string): string => expand(text.replace(/^~(?=\/|$)/, env['HOME'] ?? '~'));
  const files = (key: string): string[] =>
    valuesOf(key)
      .filter((file) => file !== 'none')
      .map(path);
  const agent = agentSocket(set('identityagent'), valuesOf('identityagent')[0], env);
  const alias = set('hostkeyalias');
  const bindAddress = set('bindaddress');
  const controlPath = set('controlpath');
  return {
    host,
    hostname,
    port,
    user,
    family: set('addressfamily') === 'inet' ? 4 : set('addressfamily') === 'inet6' ? 6 : 0,
    ...(bindAddress !== undefined && { bindAddress }),
    identityFiles: files('identityfile'),
    certificateFiles: files('certificatefile'),
    identitiesOnly: isOn('identitiesonly'),
    ...(agent !== undefined && { agent: path(agent) }),
    knownHostsFiles: [...valuesOf('userknownhostsfile'), ...valuesOf('globalknownhostsfile')]
      .flatMap(paths)
      .map(path),
    ...(alias !== undefined && { hostKeyAlias: expand(alias) }),
    jumps: list('proxyjump'),
    gssapi: isOn('gssapiauthentication'),
    ...(controlPath !== undefined && { controlPath }),
    algorithms: {
      kex: list('kexalgorithms'),
      cipher: list('ciphers'),
      hmac: list('macs'),
      serverHostKey: list('hostkeyalgorithms'),
    },
    beyond: beyondOurs.filter((name) => set(name.toLowerCase()) !== undefined),
  };
};

const beyondOurs = ['ProxyCommand', 'KnownHostsCommand', 'RevokedHostKeys', 'PKCS11Provider'] as const;

const keyAndValue = (line: string): [string, string] => {
  const space = line.indexOf(' ');
  return space < 0 ? [line, ''] : [line.slice(0, space).toLowerCase(), line.slice(space + 1).trim()];
};

const lists = new Map<string, readonly string[]>();

/** Thousands of hosts have the same lists of algorithms: they are kept once. */
const listOf = (text: string): readonly string[] => {
  const known = lists.get(text) ?? text.split(',').filter((one) => one !== '');
  lists.set(text, known);
  return known;
};

/** `SSH_AUTH_SOCK` and `$NAME` name a variable; unset means the usual one; `none` means no agent. */
const agentSocket = (
  value: string | undefined,
  printed: string | undefined,
  env: Env,
): string | undefined => {
  if (printed === 'none') return undefined;
  const variable =
    value === undefined || value === 'SSH_AUTH_SOCK' ? 'SSH_AUTH_SOCK' : /^\$(.+)$/.exec(value)?.[1];
  return (variable === undefined ? value : env[variable]) || undefined;
};

/** Several files on one line, a name with blanks in double quotes. */
const paths = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)]
    .map(([, quoted, bare]) => quoted ?? bare ?? '')
    .filter((one) => one !== 'none');
