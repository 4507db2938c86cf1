import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Demo } from '../../src/demo/start.ts';

/** What is held waits for a minute only on this site: the least that it allows. */
export const holdForAMinute = ({ siteFile }: Demo): void =>
  writeFileSync(siteFile, readFileSync(siteFile, 'utf8').replace('switch: {', 'switch: {"hold":60,'));

/** Types lines on a device of the demo site as a person does; each must have arrived there. */
export const typeOn = async (demo: Demo, host: string, lines: readonly string[]): Promise<void> => {
  const ssh = ['-F', join(demo.folder, 'ssh_config'), '-tt', host];
  await new Promise<void>((resolve) => {
    // Its exit code is that of the terminal that went away.
    const child = execFile('ssh', ssh, { timeout: 120_000 }, () => resolve());
    child.stdin?.end([...lines, 'exit', ''].join('\n'));
  });
  const typed = (await demo.calls()).filter((call) => call.host === host).map(({ argv }) => argv[0]);
  expect(typed.join('\n')).toContain([...lines, 'exit'].join('\n'));
};
