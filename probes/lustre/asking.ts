import type { Answer } from '../../src/model/answer.ts';
import { CommandFailed, ParseError } from '../../src/model/errors.ts';
import type { SiteView } from '../../src/model/site.ts';
import { shellCommand } from '../../src/text/shell.ts';
import { type Device, parseDevices } from './parse-devices.ts';
import { otherErrors, type Params, parseParams } from './parse-params.ts';
import { settingsOf } from './settings.ts';

const mark = '--- faultline devices';

/** A command with `sudo -n` before it where the site says so. */
export const asRoot = (site: SiteView, argv: readonly string[]): readonly string[] =>
  settingsOf(site).sudo ? ['sudo', '-n', ...argv] : argv;

/** Parameters by pattern, never by path: their place moved with the versions, lctl knows it (domain/lustre.md section 2). */
export const paramsScript = (site: SiteView, patterns: readonly string[]): string =>
  shellCommand(asRoot(site, ['lctl', 'get_param', ...patterns]));

/** The same with the devices behind it, in one go. */
export const paramsAndDevices = (site: SiteView, patterns: readonly string[]): string =>
  [
    paramsScript(site, patterns),
    `printf '\\n${mark} %s\\n' "$?"`,
    shellCommand(asRoot(site, ['lctl', 'dl'])),
  ].join('\n');

export interface Read {
  params: Params;
  devices: readonly Device[];
  /** Parameters that could not be read, for another reason than a missing right. */
  failed: readonly string[];
  notUnderstood: number;
}

/**
 * What lctl answered. A non-zero exit with data is data. Told apart when there is none: no lctl, no right to, no modules.
 */
export const readLctl = (answer: Answer): Read => {
  const [first = '', code, second = ''] = split(answer.stdout);
  const exitCode = code === undefined ? answer.exitCode : Number(code);
  const { stderr } = answer;
  try {
    const params = parseParams({ stdout: first, stderr });
    const { devices, notUnderstood = 0 } = parseDevices({ stdout: second });
    if (Object.keys(params.params).length === 0 && devices.length === 0)
      throwNothing(stderr, exitCode, params);
    const failed = otherErrors(stderr);
    return { params, devices, failed, notUnderstood: notUnderstood + (params.notUnderstood ?? 0) };
  } catch (cause) {
    if (cause instanceof CommandFailed) throw cause;
    throw new ParseError(
      `lctl: ${cause instanceof Error ? cause.message : 'not understood'}`,
      'line 1',
      answer.stdout,
      { cause },
    );
  }
};

const split = (stdout: string): [string, string?, string?] => {
  const at = stdout.lastIndexOf(`\n${mark} `);
  if (at < 0) return [stdout];
  const end = stdout.indexOf('\n', at + 1);
  return [stdout.slice(0, at + 1), stdout.slice(at + 1 + mark.length, end).trim(), stdout.slice(end + 1)];
};

const throwNothing = (stderr: string, exitCode: number | undefined, { denied = [] }: Params): never => {
  const said = stderr.trim().split('\n')[0]?.slice(0, 200) ?? '';
  if (exitCode === 127 || /lctl: (?:command )?not found/.test(stderr))
    throw new CommandFailed(
      'noCommand',
      'lctl: no such command: not a Lustre node, or lctl is not in the PATH',
    );
  if (/^sudo: /m.test(stderr)) throw new CommandFailed('noPermission', `lctl: ${said}`);
  if (denied.length > 0 || /permission denied/i.test(stderr))
    throw new CommandFailed('noPermission', `lctl: not permitted to read parameters: ${said}`);
  // 2.17 asks over netlink, whose family comes with the modules.
  if (/modules may not be loaded|\/dev\/obd|resolve Netlink family/.test(stderr))
    throw new CommandFailed('noModules', 'lctl: the Lustre modules are not loaded');
  throw new CommandFailed(
    'noLustre',
    `lctl: no parameter and no device: no Lustre runs here, or its modules are not loaded${said === '' ? '' : ` (${said})`}`,
  );
};
