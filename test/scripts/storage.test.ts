import { symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { speedRefusals } from '../../probes/storage/act/refusals.ts';
import { ScriptHost, shells } from './script-host.ts';

const arrays = 'probes/storage/ask/arrays.sh';
const controllers = 'probes/storage/ask/controllers.sh';
const enclosures = 'probes/storage/ask/enclosures.sh';
const smart = 'probes/storage/ask/smart.sh';
const ups = 'probes/storage/ask/ups.sh';
const setSpeed = 'probes/storage/act/set-speed.sh';
const addDisk = 'probes/storage/act/add-disk.sh';

describe.each(shells)('scripts of storage under %s', { concurrent: true }, (shell) => {
  it('arrays.sh prints what the kernel has of arrays, and which member has left', async () => {
    const host = new ScriptHost(shell, ['/proc/', '/sys/']);
    host.file('/proc/mdstat', 'Personalities : [raid1]\n');
    const md = '/sys/block/md1/md';
    host.file(`${md}/array_state`, 'clean\n');
    host.file(`${md}/dev-sda/state`, 'in_sync\n');
    host.file(`${md}/dev-sdb/slot`, '1\n');
    host.file('/sys/block/sda/size', '1\n');
    symlinkSync('../../../sda', host.path(`${md}/dev-sda/block`));
    symlinkSync('../../../sdb', host.path(`${md}/dev-sdb/block`));
    host.program('lsblk', 'echo "NAME=\\"sda\\""; exit 3');
    host.file('/proc/uptime', '100.00 50.00\n');
    host.file('/proc/diskstats', '   8       0 sda 1 0 8 1 2 0 16 3 0 4 4\n');
    host.program('zpool', 'echo "zpool $*"');
    host.program('multipathd', 'echo "multipathd $*"');
    const { said, status } = await host.run(arrays);
    expect(status).toBe(0);
    expect(said.split('\n')).toEqual([
      '@@faultline mdstat',
      'Personalities : [raid1]',
      '@@faultline mdsys',
      `${md}/array_state:clean`,
      `${md}/dev-sda/state:in_sync`,
      `${md}/dev-sdb/slot:1`,
      '@@faultline gone',
      `${md}/dev-sdb/block`,
      '@@faultline disks',
      'NAME="sda"',
      '',
      '@@faultline disks-exit 3',
      '@@faultline zpool',
      'zpool status -pP',
      '',
      '@@faultline zpool-exit 0',
      '@@faultline guids',
      'zpool status -gp',
      '',
      '@@faultline guids-exit 0',
      '@@faultline paths',
      'multipathd show maps json',
      '',
      '@@faultline paths-exit 0',
      '@@faultline writes',
      '100.00 50.00',
      '   8       0 sda 1 0 8 1 2 0 16 3 0 4 4',
      '@@faultline end',
      '',
    ]);
  });

  it('arrays.sh says that there is no md, and has no section of a tool that is not there', async () => {
    const host = new ScriptHost(shell, ['/proc/', '/sys/']);
    host.lack('zpool', 'multipathd');
    host.program('lsblk', 'exit 0');
    const { said } = await host.run(arrays);
    expect(said).toContain('No such file or directory');
    expect(said).not.toMatch(/faultline (?:zpool|paths)\b/);
    expect(said).toMatch(/@@faultline end\n$/);
  });

  it('controllers.sh asks one after the other, and none while one of its name still runs', async () => {
    const host = new ScriptHost(shell, ['/proc/']);
    host.file('/proc/1/comm', 'init\n');
    host.file('/proc/77/comm', 'arcconf\n');
    host.program('storcli64', 'echo "asked $*"');
    host.program('arcconf', 'echo never');
    host.program('megacli', 'echo "mega $1"; exit 2');
    const { said } = await host.run(controllers, 'storcli', 'arcconf', 'perccli', 'megacli');
    expect(said.split('\n')).toEqual([
      expect.stringMatching(/^@@faultline storcli-program \S*storcli64$/),
      '@@faultline storcli',
      'asked /cALL show all J nolog',
      '',
      '@@faultline storcli-exit 0',
      expect.stringMatching(/^@@faultline storcli-disks-program /),
      '@@faultline storcli-disks',
      'asked /cALL/eALL/sALL show all J nolog',
      '',
      '@@faultline storcli-disks-exit 0',
      '@@faultline arcconf-busy',
      '@@faultline perccli-absent',
      '@@faultline perccli-disks-absent',
      expect.stringMatching(/^@@faultline megacli-program \S*megacli$/),
      '@@faultline megacli',
      'mega -LDPDInfo',
      '',
      '@@faultline megacli-exit 2',
      expect.stringMatching(/^@@faultline megacli-battery-program /),
      '@@faultline megacli-battery',
      'mega -AdpBbuCmd',
      '',
      '@@faultline megacli-battery-exit 2',
      '@@faultline end',
      '',
    ]);
  });

  it('controllers.sh ends a tool that hangs, and asks the next one', async () => {
    const host = new ScriptHost(shell, ['/proc/']);
    // 60 s there; as long as that nobody waits here.
    host.program('timeout', '[ "$3" = 60 ] && shift 3 && exec /usr/bin/timeout -s KILL 0.3 "$@"');
    host.program('storcli64', 'sleep 30');
    host.program('ssacli', 'echo "asked $*"');
    const { said } = await host.run(controllers, 'storcli', 'ssacli');
    expect(said).toContain('@@faultline storcli-exit 137\n');
    expect(said).toContain('asked ctrl all show config detail\n');
    expect(said).toMatch(/@@faultline end\n$/);
  });

  it('smart.sh asks each disk by the type that sysfs says, and wakes none', async () => {
    const host = new ScriptHost(shell, ['/sys/']);
    host.file('/sys/block/sda/device/vendor', 'ATA     \n');
    host.file('/sys/block/sdb/device/vendor', 'SEAGATE \n');
    host.file('/sys/block/nvme0n1/size', '1\n');
    host.file('/sys/block/md1/size', '1\n');
    host.program('smartctl', 'echo "$*"');
    const { said } = await host.run(smart);
    const asked = (type: string, name: string): string[] => [
      `@@faultline smart ${name}`,
      `-j -n standby,3 -i -H -A -l error -d ${type} /dev/${name}`,
      '',
    ];
    expect(said.split('\n')).toEqual([
      ...asked('sat', 'sda'),
      ...asked('scsi', 'sdb'),
      ...asked('nvme', 'nvme0n1'),
      '@@faultline end',
      '',
    ]);
  });

  it('enclosures.sh prints slots with their disks, and timers of ours', async () => {
    const host = new ScriptHost(shell, ['/sys/']);
    const slot = '/sys/class/enclosure/6:0:24:0/Slot 07';
    host.file(`${slot}/slot`, '6\n');
    host.file(`${slot}/locate`, '0\n');
    host.file(`${slot}/device/block/sdg/size`, '1\n');
    host.program('systemctl', 'echo "faultline-locate-sdg.timer loaded active waiting"');
    host.program('ledctl', 'exit 0');
    // The same enclosure by two ways, and one without an id.
    for (const [at, id] of [
      ['6:0:24:0', '0x500304801f2a3b7f\n'],
      ['7:0:1:0', '0x500304801f2a3b7f\n'],
      ['8:0:0:0', undefined],
    ] as const) {
      if (id !== undefined) host.file(`/sys/class/enclosure/${at}/id`, id);
      host.file(`/sys/class/enclosure/${at}/device/scsi_generic/sg${at[0]}/dev`, '21:6\n');
    }
    host.program('sg_ses', 'echo "$*"; exit 9');
    const { said } = await host.run(enclosures);
    expect(said.split('\n')).toEqual([
      '@@faultline slots',
      `${slot}/slot:6`,
      `${slot}/locate:0`,
      '',
      '@@faultline slots-exit 2',
      '@@faultline disks',
      `${slot}/device/block/sdg`,
      '@@faultline ses 6:0:24:0',
      '--readonly --page=es --filter /dev/sg6',
      '@@faultline ses-exit 9',
      '@@faultline ses 8:0:0:0',
      '--readonly --page=es --filter /dev/sg8',
      '@@faultline ses-exit 9',
      '@@faultline timers',
      'faultline-locate-sdg.timer loaded active waiting',
      '',
      '@@faultline timers-exit 0',
      '@@faultline ledctl',
      '@@faultline end',
      '',
    ]);
  });

  it('ups.sh asks each UPS by its tool, with what it says when it fails', async () => {
    const host = new ScriptHost(shell);
    host.program('upsc', 'echo "Error: Data stale ($1)" >&2; exit 1');
    host.program('apcaccess', 'echo "STATUS : ONLINE $*"');
    const { said } = await host.run(ups, 'nut', 'rack1@localhost', 'apcupsd', 'host;x:1', 'other', 'y');
    expect(said.split('\n')).toEqual([
      '@@faultline unit nut rack1@localhost',
      'Error: Data stale (rack1@localhost)',
      '',
      '@@faultline unit apcupsd host;x:1',
      'STATUS : ONLINE status host;x:1',
      '',
      '@@faultline unit other y',
      '',
      '@@faultline end',
      '',
    ]);
  });

  it('add-disk.sh runs mdadm where the disk holds nothing, or its serial number was typed', async () => {
    const host = new ScriptHost(shell);
    host.program('mdadm', 'echo "mdadm $*"; exit 7');
    const add = (wipefs: string, typed: string) => {
      host.program('wipefs', wipefs);
      return host.run(addDisk, '/dev/md6', '/dev/sdz', typed);
    };
    const ran = { said: 'mdadm /dev/md6 --add /dev/sdz\n', complaints: '', status: 7 };
    expect(await add('[ "$*" = "-p /dev/sdz" ]', '-')).toEqual(ran);
    expect(await add('exit 1', 'typed')).toEqual(ran);
    // As util-linux 2.38 prints it: a file system under a partition table.
    const held = ['# offset,uuid,label,type', '0x438,9f9a-4a,,ext4', '0x200,,,gpt', '0x1fe,,,PMBR'];
    expect(await add(`printf '%s\\n' '${held.join("' '")}'`, '-')).toEqual({
      said: '',
      complaints: 'faultline: /dev/sdz holds ext4 gpt PMBR: nothing was written\n',
      status: 3,
    });
    // A signature without a kind is one all the same.
    expect((await add("printf '0x0,9f9a,data,\\n'", '-')).status).toBe(3);
    expect(
      await add('echo "wipefs: error: /dev/sdz: probing initialization failed" >&2; exit 1', '-'),
    ).toEqual({
      said: '',
      complaints: "faultline: what /dev/sdz holds can't be read: nothing was written\n",
      status: 3,
    });
  });

  it('set-speed.sh writes both limits, and puts the ones before back unless somebody set others', async () => {
    const host = new ScriptHost(shell, ['/sys/']);
    const md = '/sys/block/md6/md';
    const limits = (): string => host.text(`${md}/sync_speed_min`) + host.text(`${md}/sync_speed_max`);
    const missing = await host.run(setSpeed, 'rebuild-speed', 'md6', '5', '9', '', '', '');
    expect(missing.status).toBe(3);
    const [first = ''] = missing.complaints.split('\n');
    expect(
      speedRefusals.lines.some(({ text }) => new RegExp(`^(?:${text})$`).test(first)),
      first,
    ).toBe(true);
    host.file(`${md}/sync_speed_min`, '');
    host.file(`${md}/sync_speed_max`, '');
    // The wait is cut short, and said.
    host.program('sleep', 'echo "$1" > /sys/slept; /bin/sleep 0.2');
    expect(await host.run(setSpeed, 'rebuild-speed', 'md6', '5', '9', '60', 'system', '7')).toEqual({
      said: '',
      complaints: '',
      status: 0,
    });
    expect(limits()).toBe('5\n9\n');
    for (let turn = 0; turn < 100 && limits() !== 'system\n7\n'; turn += 1)
      await new Promise((resolve) => setTimeout(resolve, 100));
    expect(limits()).toBe('system\n7\n');
    expect(host.text('/sys/slept')).toBe('60\n');
    await host.run(setSpeed, 'rebuild-speed', 'md6', '5', '9', '60', 'system', '7');
    await host.run(setSpeed, 'rebuild-speed', 'md6', '6', '9', '', '', '');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(limits()).toBe('6\n9\n');
  });
});
