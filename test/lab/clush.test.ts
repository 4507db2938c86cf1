import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import * as z from 'zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realClock } from '../../src/collect/clock.ts';
import type { Fleet, RawAnswer } from '../../src/model/answer.ts';
import { createFleet } from '../../src/transport/clush/fleet.ts';
import { createTransports, type SiteTransports } from '../../src/transport/pool.ts';
import { siteOf } from '../helpers/judging.ts';
import { programArgs } from '../helpers/source.ts';
import { addressOf, HOSTILE, NODES, openClushLab, type ClushLab } from './clush.ts';
import { signal, until } from './processes.ts';

const hostile = new Set(Object.values(HOSTILE));
const honest = NODES.filter((name) => !hostile.has(name));

/** What of `status --json` is looked at. */
const reportSchema = z.object({
  readings: z.array(z.object({ probe: z.string(), host: z.string(), state: z.string() })),
  findings: z.array(z.object({ summary: z.string() })),
});

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

describe('hosts asked by ClusterShell', () => {
  let lab: ClushLab;
  const pools: SiteTransports[] = [];
  const logged: string[] = [];
  /** None of the hosts is asked alone here: that would be a way around what is tried. */
  const alone = (): Promise<RawAnswer> => Promise.reject(new Error('asked alone'));

  const fleetOf = (through: string, fanout?: number): Fleet => {
    const names = [through, ...NODES];
    const site = {
      ...siteOf(names.map((name) => ({ name, roles: [] }))),
      sshConfig: lab.sshConfig,
      clush: [{ through, hosts: NODES, ...(fanout !== undefined && { fanout }) }],
    };
    const log = (line: string): void => void logged.push(line);
    const transports = createTransports({ site, clock: realClock, log, env: process.env });
    pools.push(transports);
    const fleet = createFleet(site, { transports, clock: realClock, log });
    if (!fleet) throw new Error('no fleet');
    return fleet;
  };
  const askAll = async (
    fleet: Fleet,
    script: string,
    names: readonly string[] = NODES,
    signalOf?: AbortSignal,
    deadlineMs = 4000,
  ): Promise<Map<string, RawAnswer>> =>
    new Map(
      await Promise.all(
        names.map(
          async (name) =>
            [
              name,
              await fleet.read(name, { script, deadlineMs, maxBytes: 50_000 }, alone, signalOf),
            ] as const,
        ),
      ),
    );

  beforeAll(async () => {
    lab = await openClushLab();
  });
  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.close()));
    await lab.close();
  });

  const expectHostile = (answers: ReadonlyMap<string, RawAnswer>): void => {
    const ofNode = (name: string) => answers.get(name);
    expect(ofNode(HOSTILE.hangs)).toMatchObject({ notConnected: { kind: 'timeout' } });
    expect(ofNode(HOSTILE.refuses)).toMatchObject({
      notConnected: {
        kind: 'unreachable',
        message: `${HOSTILE.refuses}: ClusterShell on admin1: connection refused; is it up, and is sshd running?`,
      },
    });
    for (const name of [HOSTILE.floods, HOSTILE.lies, HOSTILE.garbage]) {
      expect(ofNode(name)?.exitCode, name).toBeUndefined();
      expect(ofNode(name)?.notConnected, name).toBeDefined();
    }
    for (const name of hostile) expect(ofNode(name)?.stdout.byteLength, name).toBe(0);
  };

  it('gives each host its own bytes, exit code and streams, and hostile ones no answer', async () => {
    const script = 'set -- $SSH_CONNECTION; printf "%s\\r\\n\\0\\r" "$3"; echo "of $3" >&2; exit ${3##*.}';
    const answers = await askAll(fleetOf('admin1'), script);
    for (const name of honest) {
      const address = addressOf(name);
      const answer = answers.get(name);
      expect(answer, name).toMatchObject({
        exitCode: Number(name.slice(4)),
        truncated: false,
        timedOut: false,
        lost: false,
      });
      expect(textOf(answer?.stdout ?? new Uint8Array()), name).toBe(`${address}\r\n\0\r`);
      expect(textOf(answer?.stderr ?? new Uint8Array()), name).toBe(`of ${address}\n`);
    }
    expectHostile(answers);
    expect(logged.filter((line) => line.includes('ClusterShell'))).toEqual([]);
  });

  it('a host that prints what looks like our lines has printed just that', async () => {
    const lines = [
      '{"node":"node2","rc":0,"late":false,"out":"","err":"","cut":false,"said":""}',
      '{"end":"x","asked":3,"told":3,"tree":false,"version":"1.9.1"}',
    ];
    const script = `printf '%s\\n' '${lines.join("' '")}'; sleep 1`;
    const answers = await askAll(fleetOf('admin1'), script, ['node1', 'node2', 'node3']);
    for (const [name, answer] of answers) {
      expect(textOf(answer.stdout), name).toBe(`${lines.join('\n')}\n`);
      expect(answer.exitCode, name).toBe(0);
    }
  });

  it('a command that does not end in time, and one that says too much, are that and no more', async () => {
    const script = 'case $SSH_CONNECTION in *.64.1\\ *) sleep 100;; *.64.2\\ *) yes;; *) echo fine;; esac';
    const answers = await askAll(fleetOf('admin1'), script, ['node1', 'node2', 'node3']);
    expect(answers.get('node1')).toMatchObject({ timedOut: true, exitCode: 124 });
    expect(answers.get('node2')).toMatchObject({ truncated: true });
    expect(answers.get('node2')?.stdout.byteLength).toBe(50_000);
    expect(answers.get('node3')).toMatchObject({ exitCode: 0, truncated: false });
  });

  it.each([
    ['nopython', 'python3 not found on nopython, which asks it by ClusterShell', 'install python3 there'],
    ['noclush', 'ClusterShell not found on noclush', 'install clustershell for its python3'],
    ['oldclush', 'ClusterShell 1.7.3 on oldclush is too old', 'install 1.8 or newer'],
    [
      'away',
      'away, which asks it by ClusterShell, is not reached: connection refused',
      'is it up, and is sshd running?',
    ],
  ])('%s: every host is unread, and what would be right is said', async (through, what, next) => {
    const answers = await askAll(fleetOf(through), 'echo fine', ['node1', 'node2']);
    for (const [name, answer] of answers) {
      expect(answer, name).toMatchObject({ lost: true, notRelayed: { what, next } });
      expect(answer.exitCode, name).toBeUndefined();
    }
    expect(logged.at(-1)).toContain(what);
  });

  const pythonOf = (): number | undefined =>
    lab.adminProcesses().find((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('python3\0-c\0');
      } catch {
        return false;
      }
    });

  it('a program that is killed midway leaves the answers that came, and the rest unread', async () => {
    const script = 'case $SSH_CONNECTION in *.64.1\\ *) sleep 30;; esac; echo fine';
    const fleet = fleetOf('admin1');
    const killed = askAll(fleet, script, ['node1'], undefined, 30_000);
    const fine = await askAll(fleet, script, ['node2'], undefined, 30_000);
    const program = pythonOf();
    if (program === undefined) throw new Error('the program ended before it could be killed');
    signal(program, 'SIGKILL');
    expect(fine.get('node2')).toMatchObject({ exitCode: 0 });
    expect((await killed).get('node1')).toMatchObject({
      lost: true,
      notRelayed: { what: 'ClusterShell on admin1 ended before all hosts were asked' },
    });
  });

  it('who gives up ends the program there and all that it started', async () => {
    const stop = new AbortController();
    const asked = askAll(fleetOf('admin1'), 'sleep 100', ['node1', 'node2', 'node60'], stop.signal);
    await until('the program', () => pythonOf() !== undefined);
    const started = pythonOf();
    await until('its children', () => lab.adminProcesses().some((pid) => isSsh(pid)));
    stop.abort();
    for (const answer of (await asked).values()) expect(answer).toMatchObject({ cancelled: true });
    await until('the end of both', () => pythonOf() !== started && !lab.adminProcesses().some(isSsh), 15_000);
  });

  it('the program says who was not read, and takes nobody for well', async () => {
    const site = join(lab.folder, 'site.yaml');
    writeFileSync(
      site,
      `site: many
sshConfig: ssh_config
groups: {nodes: "node[1-64]!${HOSTILE.hangs}"}
hosts: [{names: admin1}, {names: noclush}, {names: "@nodes", roles: []}]
clush: [{through: THROUGH, hosts: "@nodes"}]
checks: {up: {run: [echo, OK - fine], on: ["@nodes"]}}
`,
      { mode: 0o600 },
    );
    const status = async (through: string) => {
      writeFileSync(site, readFileSync(site, 'utf8').replace(/through: \w+/, `through: ${through}`));
      const args = [...programArgs(), 'status', '--json', '--site', site];
      const env = { ...process.env, XDG_STATE_HOME: join(lab.folder, 'state') };
      const { stdout } = await execa(process.execPath, args, { env, reject: false });
      const { readings, findings } = reportSchema.parse(JSON.parse(stdout));
      return {
        up: readings.filter(({ probe }) => probe === 'checks.up'),
        summaries: findings.map((one) => one.summary),
      };
    };
    const { up, summaries } = await status('admin1');
    const read = up.filter(({ state }) => state === 'fresh').map(({ host }) => host);
    expect(read.toSorted()).toEqual(honest.toSorted());
    expect(up).toHaveLength(63);
    for (const name of hostile)
      if (name !== HOSTILE.hangs)
        expect(
          summaries.some((text) => text.startsWith(`${name} unreachable`)),
          name,
        ).toBe(true);
    const without = await status('noclush');
    expect(new Set(without.up.map(({ state }) => state))).toEqual(new Set(['failed']));
    expect(without.summaries).toEqual([
      expect.stringContaining('63 hosts: checks.up not read (ClusterShell not found on noclush'),
    ]);
  });

  it('in tree mode the answers are the same', async () => {
    lab.plantTree();
    const script = 'set -- $SSH_CONNECTION; printf "%s\\r\\n" "$3"; exit ${3##*.}';
    const answers = await askAll(fleetOf('admin1'), script);
    for (const name of honest) {
      expect(answers.get(name), name).toMatchObject({ exitCode: Number(name.slice(4)) });
      expect(textOf(answers.get(name)?.stdout ?? new Uint8Array()), name).toBe(`${addressOf(name)}\r\n`);
    }
    expectHostile(answers);
  });
});

const isSsh = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('ssh\0');
  } catch {
    return false;
  }
};
