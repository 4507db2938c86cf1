import type { RefusalLine, Refusals } from '../../../src/model/action.ts';

const words = (source: string, ...texts: readonly string[]): RefusalLine[] =>
  texts.map((text) => ({ text, source }));

/** Words with which a command line turns a line down before it does anything. */
const deviceLines: readonly RefusalLine[] = [
  ...words(
    'Dell FTOS and OS9 CLI (captures of 9.x)',
    String.raw`% Error: Invalid input at "\^" marker\.`,
    String.raw`% Error: (?:Incomplete|Ambiguous) command\.?`,
  ),
  ...words(
    'Cisco NX-OS and IOS, Arista EOS: the parser, before the command runs',
    String.raw`% Invalid (?:input|command) (?:detected )?at '\^' marker\.`,
    String.raw`% Incomplete command(?: at '\^' marker)?\.?`,
    String.raw`% Ambiguous command(?::.*| at '\^' marker\.)`,
    String.raw`% Invalid input(?: \(.*\))?`,
    String.raw`% Unknown command(?: or computer name.*)?`,
  ),
  ...words(
    'authorization per command (TACACS+, roles): asked before the command runs',
    '% Permission denied for the role',
    '% Authorization failed',
    String.raw`% Authorization denied(?: for command '.*')?`,
  ),
  ...words('Onyx CLI, MLNX-OS', String.raw`% Unrecognized command ".*"\.`, '% Insufficient permissions?'),
  ...words(
    'Junos CLI guide: the parser and the lock of the candidate configuration',
    String.raw`unknown command\.`,
    String.raw`syntax error(?:, expecting .*)?\.?`,
    String.raw`missing argument\.`,
    'error: permission denied(?:: .*)?',
    'error: configuration database (?:locked by:|modified)',
  ),
  ...words(
    'Junos CLI guide, commit: checked before it is made active',
    'error: configuration check-out failed(?:: .*)?',
    String.raw`error: commit failed: \(statements constraint check failed\)`,
  ),
];

/** Lines that open a mode or edit what is not committed, on each of the platforms. */
const harmless: readonly string[] = [
  'enable',
  'configure(?: terminal| exclusive)?',
  String.raw`configure session \S+`,
  String.raw`interface (?!.*shutdown)\S+(?: \S+)?`,
  String.raw`(?:set|delete) interfaces \S+ disable`,
];

/**
 * What proves that a line typed on a device did nothing. Not among the words: "% Error" alone, a commit that failed on one of two
 * engines, anything of the system's log in between. In a session of EOS nothing counts until it is committed.
 */
export const deviceRefusals = (lines: readonly string[]): Refusals => ({
  tool: 'device command line',
  lines: deviceLines,
  harmless: lines.some((line) => line.startsWith('configure session '))
    ? [...harmless, '(?:no )?shutdown']
    : harmless,
});

/** `ip link set`, and `config interface` of SONiC, on switches with a shell. */
export const shellSwitchRefusals: Refusals = {
  tool: 'ip, config',
  lines: [
    ...words(
      'iproute2 ip/iplink.c, lib/libnetlink.c: the one request was turned down',
      'RTNETLINK answers: Operation not permitted',
      String.raw`Cannot find device "\S+"`,
    ),
    ...words(
      'sonic-utilities config/main.py: before the database is written',
      'Error: Interface name is invalid\\. Please enter a valid interface name!!',
      'Root privileges are required for this operation',
    ),
  ],
  beside: ['Usage: config interface .*', 'Try "config interface .*" for help\\.'],
};

/** infiniband-diags ibportstate.c: before the port is set. Not among them: "smp set portinfo failed" (the answer may be lost). */
export const ibportstateRefusals: Refusals = {
  tool: 'ibportstate',
  lines: words(
    'infiniband-diags, ibportstate.c main: before the first set',
    String.raw`ibportstate: iberror: failed: Failed to open '.*' port '\d+'`,
    String.raw`ibportstate: iberror: failed: can't resolve destination port \S+`,
  ),
  beside: [String.raw`ibwarn: \[\d+\] (?:mad_rpc_open_port|ib_path_query_via|sa_query): .*`],
};

/** The line of sh that writes the journal: its file could not be opened. */
export const journalRefusals: Refusals = {
  tool: 'journal',
  lines: [
    {
      text: String.raw`faultline: (?:(?:line )?\d+: )?(?:cannot create |can't create )?\S+: (?:Permission denied|Read-only file system|Directory nonexistent|No such file or directory|nonexistent directory|Is a directory)`,
      source: 'words of dash, bash and busybox when >> cannot open its file',
    },
    {
      text: String.raw`\S+ is not a plain file(?: of one name)?: see who made it, and remove it`,
      source: 'src/text/append-line.sh, which then adds nothing',
    },
  ],
};
