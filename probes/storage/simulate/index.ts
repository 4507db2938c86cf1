import type { SimulatedAnswer, SimulatedCall, Simulator } from '../../../src/model/simulator.ts';
import { Controllers } from './controllers.ts';
import { diskstats, lsblk, mdstat, mdsys, smartctl } from './print-md.ts';
import { Leds } from './enclosures.ts';
import { Pool } from './pool.ts';
import { mdadm, setSpeed } from './mdadm.ts';
import { Perccli } from './perccli.ts';
import { Volumes } from './volumes.ts';

/** `array1`: controllers and LUNs below two OSSs, on a UPS. `array2`: volumes of md. */
const [LUNS, MD] = ['array1', 'array2'] as const;
const UPS = 'rack3';
/** What the vendor of these arrays has for it, by the site's runbook. */
const RESET = ['array-cli', 'battery', 'reset-date', UPS];
/** The write cache has been off for a day when the demo begins. */
const OFF_MS = 86_400_000;

/** Calls by what they ask for: the program, and a word that tells it from others. */
type Answers = Readonly<Record<string, (argv: readonly string[]) => SimulatedAnswer | undefined>>;

const part = (word: string, text: string, code: number): string =>
  `@@faultline ${word}\n${text}\n@@faultline ${word}-exit ${code}\n`;

const sections = (parts: readonly string[]): SimulatedAnswer => ({
  stdout: `${parts.join('')}@@faultline end\n`,
});

const PERCCLI = '/opt/MegaRAID/perccli/perccli64';

const lunAnswers = (controllers: Controllers, perccli: Perccli, now: number): Answers => ({
  cat: ([, path]) =>
    path === '/proc/mdstat'
      ? { stdout: 'Personalities : \nunused devices: <none>\n' }
      : path === '/proc/uptime'
        ? { stdout: `${controllers.uptimeS(now).toFixed(2)} 100.00\n${controllers.diskstats(now)}` }
        : undefined,
  grep: ([, , , , path]) => (path?.startsWith('/sys/block/md') === true ? { exitCode: 1 } : undefined),
  lsblk: () => ({ stdout: controllers.lsblk() }),
  timeout: (argv) =>
    argv[4] === 'zpool'
      ? { stderr: 'no pools available\n' }
      : argv[4] === PERCCLI
        ? perccli.call(argv.slice(5), now)
        : undefined,
  'array-cli': () => {
    controllers.resetBattery(now);
    return { stdout: `battery date of ${UPS} set\n`, mutated: true, ends: 'cache-off' };
  },
  sh: ([, , , name]) => {
    if (name === 'faultline-storage-controllers')
      return sections([
        '@@faultline megacli-program /opt/MegaRAID/MegaCli/MegaCli64\n',
        part('megacli', controllers.arrays(), 0),
        part('megacli-battery', controllers.batteries(), 0x22),
        `@@faultline perccli-program ${PERCCLI}\n`,
        part('perccli', perccli.show(now), 0),
        part('perccli-disks', perccli.showDisks(now), 0),
      ]);
    if (name === 'faultline-storage-ups')
      return sections([
        `@@faultline unit nut ${UPS}\nInit SSL without certificate database\n${controllers.ups(now)}\n`,
      ]);
    if (name === 'faultline-storage-enclosures')
      return sections([part('slots', '', 2), part('timers', '', 0)]);
    // Disks behind these controllers are theirs alone.
    return name === 'faultline-storage-smart' ? sections([]) : undefined;
  },
});

/** What of the host `array2` changes. */
interface MdHost {
  volumes: Volumes;
  leds: Leds;
  pool: Pool;
}

const mdAnswers = ({ volumes, leds, pool }: MdHost, now: number): Answers => ({
  cat: ([, path]) =>
    path === '/proc/mdstat'
      ? { stdout: mdstat(volumes, now) }
      : path === '/proc/uptime'
        ? { stdout: diskstats(volumes, now) }
        : undefined,
  grep: ([, , , , path]) =>
    path?.startsWith('/sys/block/md') === true ? { stdout: mdsys(volumes) } : undefined,
  lsblk: () => ({ stdout: `${lsblk(volumes)}${pool.lsblk()}` }),
  mdadm: (argv) => mdadm(volumes, argv.slice(1), now),
  zpool: (argv) => pool.call(argv.slice(1), now),
  timeout: (argv) => (argv[4] === 'zpool' ? pool.call(argv.slice(5), now) : undefined),
  'systemd-run': (argv) => leds.arm(argv, now),
  systemctl: ([, word, unit = '']) => (word === 'stop' ? leds.stop(unit) : undefined),
  sh: (argv) => {
    const name = argv[3];
    if (name === 'faultline-storage-enclosures')
      return sections([
        part('slots', leds.slots(volumes), 0),
        `@@faultline disks\n${leds.links(volumes)}\n`,
        part('timers', leds.listTimers(), 0),
      ]);
    // add-disk.sh: wipefs finds nothing on any free disk here, so mdadm is what answers.
    if (argv[1] === '-s' && name?.startsWith('/dev/md') === true)
      return mdadm(volumes, [name, '--add', argv[4] ?? ''], now);
    if (name === 'rebuild-speed') return setSpeed(volumes, argv.slice(4), now);
    return name === 'faultline-storage-smart'
      ? sections(volumes.disks.map((disk) => `@@faultline smart ${disk}\n${smartctl(volumes, disk)}\n\n`))
      : leds.set(argv);
  },
});

/** An array host with twelve LUNs and a UPS behind oss3 and oss4, with a controller of its own, and a host with 36 volumes of md. */
export const createStorageSimulator = (): Simulator => {
  let volumes: Volumes | undefined;
  let controllers: Controllers | undefined;
  let perccli = new Perccli();
  let leds = new Leds();
  let pool = new Pool();
  const volumesAt = (now: number): Volumes => (volumes ??= new Volumes(now));
  const controllersAt = (now: number): Controllers => (controllers ??= new Controllers(now));
  return {
    system: 'storage',
    hosts: [
      { name: LUNS, roles: ['storage', 'ups'] },
      { name: MD, roles: ['storage'] },
    ],
    programs: ['lsblk', 'smartctl', 'MegaCli64', 'perccli64', 'upsc', 'mdadm', 'zpool'],
    settings: {
      raid: [
        { tool: 'megacli', hosts: [LUNS] },
        { tool: 'perccli', hosts: [LUNS] },
      ],
      serves: [{ host: LUNS, to: ['oss3', 'oss4'], devices: ['/dev/mapper/array1-*'] }],
      ups: [{ host: LUNS, name: UPS, lifeYears: 3, feeds: [LUNS], reset: { argv: RESET } }],
    },
    runbooks: [{ finding: 'storage:*', contact: 'storage team; vendor support for the arrays' }],
    incidents: [
      { name: 'quiet', text: 'nothing is wrong' },
      {
        name: 'cache-off',
        text: 'a UPS is past its life by its date: controllers drop their write cache, OSTs are slow',
      },
      { name: 'disks-failing', text: '36 volumes, five bad or suspect disks: which may be pulled now?' },
    ],
    start: (incident, now) => {
      if (incident === 'cache-off') controllersAt(now).loseCache(now, OFF_MS);
      else if (incident === 'disks-failing') {
        volumesAt(now).failDisks(now);
        perccli.fail();
      } else {
        volumes = new Volumes(now);
        controllers = new Controllers(now);
        perccli = new Perccli();
        leds = new Leds();
        pool = new Pool();
      }
    },
    call: ({ host, argv, now }: SimulatedCall): SimulatedAnswer | undefined => {
      if (host !== LUNS && host !== MD) return undefined;
      if (host === MD) volumesAt(now).advance(now);
      leds.advance(now);
      pool.advance(now);
      const answers =
        host === LUNS
          ? lunAnswers(controllersAt(now), perccli, now)
          : mdAnswers({ volumes: volumesAt(now), leds, pool }, now);
      return answers[argv[0] ?? '']?.(argv);
    },
  };
};
