import type { SimulatedAnswer } from '../../../src/model/simulator.ts';
import type { Volumes } from './volumes.ts';

/** Four enclosures of 60 slots: disks lie in them in the order of their names. */
const SLOTS = 60;
const COUNT = 4;

const folder = (at: number): string =>
  `/sys/class/enclosure/6:0:${60 + Math.floor(at / SLOTS)}:0/Slot ${String((at % SLOTS) + 1).padStart(2, '0')}`;

/** LEDs that are lit, and timers that put them out. */
export class Leds {
  private readonly lit = new Set<string>();
  /** By unit: when it is over, and the command that it runs. */
  private readonly timers = new Map<string, { at: number; argv: readonly string[] }>();

  /** What is over by now is run. */
  advance(now: number): void {
    for (const [unit, { at, argv }] of this.timers) {
      if (at > now) continue;
      this.timers.delete(unit);
      this.set(argv);
    }
  }

  /** `sh -c 'echo 1 > "$0"' /sys/class/enclosure/.../locate` */
  set([, , script = '', path = '']: readonly string[]): SimulatedAnswer | undefined {
    if (!path.endsWith('/locate')) return undefined;
    if (script.includes('1')) this.lit.add(path);
    else this.lit.delete(path);
    return { mutated: true };
  }

  /** `systemd-run --collect --unit=U --on-active=Ns --timer-property=... COMMAND` */
  arm(argv: readonly string[], now: number): SimulatedAnswer | undefined {
    const unit = argv.find((word) => word.startsWith('--unit='))?.slice(7);
    const seconds = Number(argv.find((word) => word.startsWith('--on-active='))?.slice(12, -1));
    if (unit === undefined || !Number.isFinite(seconds)) return undefined;
    if (this.timers.has(unit))
      return {
        stderr: `Failed to start transient timer unit: Unit ${unit}.timer already exists.\n`,
        exitCode: 1,
      };
    const command = argv.slice(1).filter((word) => !word.startsWith('--'));
    this.timers.set(unit, { at: now + seconds * 1000, argv: command });
    return {
      stderr: `Running timer as unit: ${unit}.timer\nWill run service as unit: ${unit}.service\n`,
      mutated: true,
    };
  }

  stop(unit: string): SimulatedAnswer {
    return this.timers.delete(unit.replace(/\.timer$/, ''))
      ? { mutated: true }
      : { stderr: `Failed to stop ${unit}: Unit ${unit} not loaded.\n`, exitCode: 5 };
  }

  listTimers(): string {
    return [...this.timers.keys()]
      .map((unit) => `${unit}.timer loaded active waiting ${unit}.timer\n`)
      .join('');
  }

  /** `grep -H -s . /sys/class/enclosure/...`, as the script of enclosures asks it. */
  slots({ disks }: Volumes): string {
    return Array.from({ length: COUNT * SLOTS }, (_, at) => {
      const path = folder(at);
      return [
        `${path}/type:array device`,
        `${path}/slot:${at % SLOTS}`,
        `${path}/status:${at < disks.length ? 'OK' : 'not installed'}`,
        `${path}/fault:0`,
        `${path}/locate:${this.lit.has(`${path}/locate`) ? 1 : 0}`,
      ].join('\n');
    }).join('\n');
  }

  links({ disks }: Volumes): string {
    return disks.map((name, at) => `${folder(at)}/device/block/${name}`).join('\n');
  }
}
