import type { Answer } from '../../../src/model/answer.ts';
import { CommandFailed } from '../../../src/model/errors.ts';
import type { SiteView } from '../../../src/model/site.ts';
import { firstLine, readAnswer } from '../../../src/kit/answers.ts';
import { findSection, splitSections } from '../../../src/kit/sections.ts';
import { shellCommand } from '../../../src/text/shell.ts';
import { type Device, parseDevices } from '../read/parse-devices.ts';
import { otherErrors, type Params, parseParams } from '../read/parse-params.ts';
import { settingsOf } from '../settings.ts';

/** A command with `sudo -n` before it where the site says so. */
export const argvAsRoot = (site: SiteView, argv: readonly string[]): readonly string[] =>
  settingsOf(site).sudo ? ['sudo', '-n', ...argv] : argv;

/** Parameters by pattern, never by path: their place moved with the versions, lctl knows it. */
export const paramsScript = (site: SiteView, patterns: readonly string[]): string =>
  shellCommand(argvAsRoot(site, ['lctl', 'get_param', ...patterns]));

/** The same with the devices behind it, in one go. */
export const paramsAndDevices = (site: SiteView, patterns: readonly string[]): string =>
  [
    paramsScript(site, patterns),
    `printf '\\n@@faultline devices %s\\n' "$?"`,
    shellCommand(argvAsRoot(site, ['lctl', 'dl'])),
  ].join('\n');

export interface Read {
  params: Params;
  devices: readonly Device[];
  /** Parameters that could not be read, for another reason than a missing right. */
  failed: readonly string[];
  /** No module is loaded, and nothing else is wrong. */
  unloaded?: true | undefined;
  notUnderstood: number;
}

/**
 * What lctl answered. A non-zero exit with data is data. Told apart when there is none: no lctl, no right to, no modules.
 */
export const readLctl = (answer: Answer): Read => {
  // The parameters come first, without a mark of their own.
  const sections = splitSections(`@@faultline params\n${answer.stdout}`);
  const [{ body: first } = { body: '' }] = sections;
  const { rest, body: second } = findSection(sections, 'devices') ?? { rest: undefined, body: '' };
  const exitCode = rest === undefined ? answer.exitCode : Number(rest);
  return readAnswer('lctl', answer, ({ stderr = '' }) => {
    const params = parseParams({ stdout: first, stderr });
    const { devices, notUnderstood = 0 } = parseDevices({ stdout: second });
    if (Object.keys(params.params).length === 0 && devices.length === 0)
      throwNothing(stderr, exitCode, params);
    const failed = otherErrors(stderr);
    return { params, devices, failed, notUnderstood: notUnderstood + (params.notUnderstood ?? 0) };
  });
};

/** What lctl says where no module is loaded: no parameter, no device to ask (2.5 to 2.17). */
const saysUnloaded =
  /get_param: .*(?:No such file or directory|Found no match)|\/dev\/obd|modules may not be loaded|resolve Netlink family|error: dl: No such file|device list: No such device/;

/**
 * The same of a server. Its modules are loaded when it mounts its first target: without them it answers well, and serves nothing.
 * Only where lctl says nothing else: what is not known is no rest.
 */
export const readServer = (answer: Answer): Read => {
  try {
    return readLctl(answer);
  } catch (error) {
    const isIdle = error instanceof CommandFailed && ['noModules', 'noLustre'].includes(error.code);
    const lines = (answer.stderr ?? '').split('\n').filter((line) => line.trim() !== '');
    if (!isIdle || lines.length === 0 || !lines.every((line) => saysUnloaded.test(line))) throw error;
    return { params: { params: {} }, devices: [], failed: [], unloaded: true, notUnderstood: 0 };
  }
};

const throwNothing = (stderr: string, exitCode: number | undefined, { denied = [] }: Params): never => {
  const said = firstLine(stderr).slice(0, 200);
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
