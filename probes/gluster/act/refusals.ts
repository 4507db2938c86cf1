import type { RefusalLine, Refusals } from '../../../src/model/action.ts';

/** The CLI gives up after this long, ms (cli/src/cli.c: CLI_DEFAULT_CMD_TIMEOUT 120; observed on 10.3). */
const cliGivesUpMs = 120_000;

/** Time for so many commands of the gluster CLI to end in their own words, ms. */
export const cliDeadlineMs = (commands = 1): number => commands * cliGivesUpMs + 10_000;

/** `volume start: home0: failed: `, `volume statedump: failed: `: what the CLI puts before the words of glusterd. */
const prefix = String.raw`(?:volume [a-z-]+: (?:\S+: )?failed: )?`;

const words = (source: string, ...texts: readonly string[]): RefusalLine[] =>
  texts.map((text) => ({ text: prefix + text, source }));

/**
 * The words of gluster that prove that a volume command did nothing: those of the phases before its commit. Not among them: "Error :
 * Request timed out" (glusterd goes on with it, observed), "Connection failed. Please check if gluster daemon is operational." (said
 * as well when glusterd goes away after it had the request, cli.c cli_rpc_notify), "Commit failed on ..." (done on the others),
 * "Another transaction could be in progress" (said of any failure to begin).
 */
export const glusterRefusals: Refusals = {
  tool: 'gluster',
  lines: [
    ...words(
      'glusterd-locks.c, glusterd-syncop.c: the lock comes first (3.4 to 11; 10.3 observed)',
      String.raw`Another transaction is in progress(?: for \S+)?\. Please try again after some ?time\.`,
      String.raw`Locking failed on \S+\. Please check log file for details\.`,
    ),
    ...words(
      'glusterd-volume-ops.c, staging: nothing is committed before all peers have staged',
      String.raw`Volume \S+ does not exist`,
      String.raw`Volume \S+ is not started`,
      String.raw`(?:Staging|Pre Validation) failed on \S+\. (?:Error: )?(?:Volume \S+ does not exist|Volume \S+ is not started|Quorum not met\. Volume operation not allowed\.?)`,
      String.raw`Quorum not met\. Volume operation not allowed\.?`,
    ),
    {
      text: String.raw`unrecognized (?:word: \S+ \(position \d+\)|command)`,
      source: 'cli/src/cli-cmd.c: said before glusterd is asked',
    },
  ],
  // After "unrecognized word" the CLI of 6 and later shows how it is used.
  beside: ['Volume clear-locks unsuccessful', String.raw`Usage: gluster .*`],
};

/** `kill` of procps and of the shell: no signal was sent. */
export const killRefusals: Refusals = {
  tool: 'kill',
  lines: [String.raw`No such process`, String.raw`Operation not permitted`].map((text) => ({
    text: String.raw`(?:sh: (?:(?:line )?\d+: )?)?(?:kill: (?:\(?\d+\)? - |sending signal to \d+ failed: )?|\S*kill: )${text}`,
    exit: 1,
    source: 'kill(2): ESRCH and EPERM; words of procps, util-linux, dash and bash',
  })),
};

/** `systemctl` as far as it refuses before it asks for a job. */
export const systemctlRefusals: Refusals = {
  tool: 'systemctl',
  lines: [
    {
      text: String.raw`Failed to restart glusterd\.service: Unit glusterd\.service not found\.`,
      exit: 5,
      source: 'systemctl(1), exit 5: no such unit',
    },
    {
      text: String.raw`Failed to restart glusterd\.service: (?:Interactive authentication required\.|Access denied)`,
      source: 'systemd, polkit: asked before the job is made',
    },
  ],
  beside: [String.raw`See system logs and 'systemctl status glusterd\.service' for details\.`],
};

/** `gluster volume heal VOLUME split-brain` as far as it says that it chose no copy; exit 1 or 22, on its standard output. */
export const healSplitRefusals: Refusals = {
  tool: 'gluster',
  lines: [
    ...glusterRefusals.lines,
    ...[
      String.raw`Healing .+ failed: (?:No bigger file|File not in split-brain|Use source-brick option to heal metadata split-brain)\.`,
      String.raw`Lookup failed on .+: ?(?:No such file or directory|Invalid argument)\.`,
      String.raw`".+"- ?No such brick available in the volume\.`,
    ].map((text) => ({
      text,
      source: 'glfs-heal.c and afr-self-heal-common.c: said before contents are written; 10.3 observed',
    })),
  ],
  beside: ['Volume heal failed\\.'],
};

/** Tools of the script that saves a copy: whatever it says, the bricks are only read by it. */
export const saveRefusals: Refusals = {
  tool: 'save-copy',
  lines: [
    {
      text: String.raw`(?:cp|mkdir|mv|cmp|stat|getfattr): .*(?:No space left on device|Permission denied|Read-only file system|No such file or directory|Input/output error|File exists|Not a directory).*`,
      source: 'coreutils, errno(3): it writes nothing but files off the brick, and ends at the first error',
    },
  ],
};
