import { quote } from '../text/shell.ts';

/** How to go on after a log that is not whole; `whole`: after one that is whole and not the right one. */
export const sealCommand = (file: string, whole = false): string =>
  `faultline audit seal --file ${quote(file)}${whole ? ' --whole' : ''} --reason "why"`;
