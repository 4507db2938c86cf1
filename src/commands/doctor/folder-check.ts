import type { SiteView } from '../../model/site.ts';
import { folderFault } from '../../text/shared-folder.ts';
import { quote } from '../../text/shell.ts';
import type { Check } from './report.ts';
import { sshLine } from './mend.ts';
import type { Needs } from './needs.ts';
import type { Section } from './script.ts';

const okCheck = (text: string): Check => ({ name: 'shared folder', state: 'ok', text });
const fail = (text: string, ...mend: string[]): Check => ({
  name: 'shared folder',
  state: 'fail',
  text,
  mend,
});

/** The folder that consoles share, on the host that has it: there, to be written by this login and by its group, with room. */
export const folderChecks = (
  { folder: dir }: Needs,
  sections: ReadonlyMap<string, Section>,
  host: string,
  site: SiteView,
): Check[] => {
  if (dir === undefined) return [];
  const [folder, writable, mode, mounted, room] = ['folder', 'writable', 'mode', 'mounted', 'room'].map(
    (key) => sections.get(key),
  );
  if (!folder || !writable)
    return [{ name: 'shared folder', state: 'skipped', text: 'shared folder: the host said nothing of it' }];
  const ownerLine = (line: string): string => sshLine(site, host, line, ['-t']);
  const place = { host, dir };
  const install = ownerLine(`sudo install -d -m 2770 -g "$(id -gn)" ${quote(dir)}`);
  if (folder.exitCode !== 0) return [fail(folderFault(folder.text, folder.exitCode, place, 'read'), install)];
  if (mounted?.exitCode === 0 && /^ro(?:,|$)/.test(mounted.text))
    return [
      fail(folderFault('Read-only file system', 1, place, 'written'), ownerLine('sudo dmesg | tail -n 50')),
    ];
  if (writable.exitCode !== 0)
    return [
      fail(
        `${host}:${dir} can't be written by this login (mode ${mode?.exitCode === 0 ? mode.text : 'unknown'})`,
        install,
      ),
    ];
  const full = fullOf(room);
  if (full !== undefined)
    return [
      fail(
        `${host}:${dir} is on a full file system (${full})`,
        ownerLine(`df -h ${quote(dir)}; df -i ${quote(dir)}`),
      ),
    ];
  const bits = Number.parseInt(mode?.exitCode === 0 ? mode.text : '', 8);
  if (!Number.isNaN(bits) && (bits & 0o020) === 0)
    return [
      fail(
        `${dir} can be written by its owner only (mode ${mode?.text}): colleagues' consoles can take no lock`,
        ownerLine(`sudo chmod 2770 ${quote(dir)}`),
      ),
    ];
  if (!Number.isNaN(bits) && (bits & 0o002) !== 0)
    return [
      fail(
        `${dir} can be written by everybody on ${host} (mode ${mode?.text}): anybody can forge locks and notes`,
        ownerLine(`sudo chmod 2770 ${quote(dir)}`),
      ),
    ];
  return [okCheck(`${dir} can be written`)];
};

/** `stat -f`: blocks free to others than root, inodes in all (0 where they are not counted: btrfs) and free. */
const fullOf = (room: Section | undefined): string | undefined => {
  const [, blocks, inodes, freeInodes] =
    /^(\d+) (\d+) (\d+)$/.exec(room?.exitCode === 0 ? room.text : '') ?? [];
  if (blocks === '0') return 'no free blocks';
  return inodes !== '0' && freeInodes === '0' ? 'no free inodes' : undefined;
};
