import type { RefusalLine, Refusals } from '../../../src/model/action.ts';

const refusalLine = (text: string, source: string): RefusalLine => ({
  text: `error: set_param: ${text}`,
  source,
});

/** Errors of open(2) on a parameter's file: nothing was written to it. */
const notOpened =
  '(?:Permission denied|Operation not permitted|No such file or directory|Read-only file system)';

/** Errors of write(2) with which the kernel's side turns a value down before it uses it (lustre/osp, lod, ofd: lproc_*.c). */
const turnedDown =
  '(?:Invalid argument|Numerical result out of range|Permission denied|Operation not permitted)';

/**
 * The words of `lctl set_param` that prove that a parameter was not set (lustre/utils/lustre_cfg.c and lustre_param.c). No
 * proof: other errors of a write ("Input/output error" is not even printed) and "wrote only N". 2.5 prints the new value and exits 0 even
 * where it could not write. One line is needed for each of `settings` parameters: one without a line may have been set.
 */
export const setParamRefusals = (settings: number): Refusals => ({
  tool: 'lctl set_param',
  atLeast: settings,
  lines: [
    refusalLine(`opening '.*': ${notOpened}`, 'lustre_cfg.c, 2.12 to 2.16: open(2) failed'),
    refusalLine(
      String.raw`opening (?:${notOpened}: \S+|\S+: ${notOpened})`,
      'lustre_cfg.c, 2.5 to 2.11: open(2) failed',
    ),
    refusalLine(String.raw`setting \S+=\S*: ${turnedDown}`, 'lustre_cfg.c: write(2) was turned down'),
    refusalLine(
      "param_path '.*': (?:No such file or directory|Found no match|Permission denied)",
      'lustre_cfg.c: no such parameter',
    ),
    refusalLine(String.raw`\S+: Found no match`, 'lustre_cfg.c, 2.5: no such parameter'),
  ],
});

/** Of the script that starts a task (task-start.sh): said before anything is begun. */
export const startRefusals: Refusals = {
  tool: 'lustre-start',
  lines: [
    { text: 'it runs already', exit: 4, source: 'task-start.sh' },
    { text: String.raw`\S+ is not ours(?:: .+)?`, exit: 3, source: 'task-folders.sh' },
    { text: 'no folder for tasks: .+', exit: 3, source: 'task-folders.sh' },
  ],
};

/** Of the script that ends one. */
export const cancelRefusals: Refusals = {
  tool: 'lustre-cancel',
  lines: [{ text: 'no such task', exit: 1, source: 'task-cancel.sh' }],
};
