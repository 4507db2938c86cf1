import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ParseError } from '../../src/model/errors.ts';
import { slurmFormats } from '../../probes/slurm/read/formats.ts';
import { parseNodes } from '../../probes/slurm/read/parse-nodes.ts';
import { splitState } from '../../probes/slurm/read/states.ts';

const capture = (name: string): string => readFileSync(new URL(`captures/${name}`, import.meta.url), 'utf8');
const read = (name: string) => parseNodes({ stdout: capture(name) });
const node = (name: string, which: string) => read(name).nodes.find((one) => one.name === which);

describe('states of all versions', () => {
  it.each([
    ['idle', 'IDLE', []],
    ['IDLE+DRAIN', 'IDLE', ['DRAIN']],
    ['DOWN*+DRAIN', 'DOWN', ['DRAIN', 'NOT_RESPONDING']],
    ['drained$', 'IDLE', ['DRAIN', 'MAINTENANCE']],
    ['draining@', 'ALLOCATED', ['DRAIN', 'REBOOT_REQUESTED']],
    ['mixed-', 'MIXED', ['PLANNED']],
    ['allocated+', 'ALLOCATED', ['COMPLETING']],
    ['idle~', 'IDLE', ['POWERED_DOWN']],
    ['idle#', 'IDLE', ['POWERING_UP']],
    ['idle%', 'IDLE', ['POWERING_DOWN']],
    ['idle!', 'IDLE', ['POWER_DOWN']],
    ['down^', 'DOWN', ['REBOOT_ISSUED']],
    ['IDLE+CLOUD+POWERED_DOWN', 'IDLE', ['CLOUD', 'POWERED_DOWN']],
    ['failing*', 'ALLOCATED', ['FAIL', 'NOT_RESPONDING']],
    ['fail', 'IDLE', ['FAIL']],
    ['maint', 'IDLE', ['MAINTENANCE']],
    ['unk*', 'UNKNOWN', ['NOT_RESPONDING']],
    ['IDLE+BRAND_NEW', 'IDLE', ['BRAND_NEW']],
  ])('%s', (word, state, flags) => {
    expect(splitState([word])).toEqual({ state, flags });
  });

  it('keeps words it does not know as flags and invents no state', () => {
    expect(splitState(['WEIRD'])).toEqual({ flags: ['WEIRD'] });
    // Slurm prints `?` for a flag that it has no word for (node_state_flag_string): there is one.
    expect(splitState(['mixed'], ['?', 'DRAIN'])).toEqual({ state: 'MIXED', flags: ['?', 'DRAIN'] });
  });
});

describe('nodes of a real 22.05', () => {
  it('are the same from the three forms', () => {
    const json = read('sinfo.json.txt').nodes;
    const lines = read('show-nodes.txt').nodes;
    expect(lines).toEqual(json);
    const one = read('show-nodes-oneline.txt');
    expect(one.nodes.map(({ name, state, flags, reasonAt }) => ({ name, state, flags, reasonAt }))).toEqual(
      json.map(({ name, state, flags, reasonAt }) => ({ name, state, flags, reasonAt })),
    );
    for (const name of ['sinfo.json.txt', 'show-nodes.txt', 'show-nodes-oneline.txt']) {
      expect(read(name).notUnderstood).toBe(0);
      expect(read(name).nodes).toHaveLength(6);
    }
  });

  it('a reason of several lines keeps its lines, and the stamp in its first line is not part of it', () => {
    const reason = 'line one\n   \n  two [x@2020-01-01T00:00:00]\nState=IDLE NodeName=x';
    expect(node('show-nodes.txt', 'n1')).toMatchObject({
      reason,
      reasonUser: 'root',
      state: 'UNKNOWN',
      partitions: ['batch'],
    });
    const one = node('show-nodes-oneline.txt', 'n1');
    expect(one?.reasonUser).toBe('root');
    expect(one?.reason).toMatch(/^line one\n.*State=IDLE NodeName=x$/s);
  });

  it('a reason that looks like fields is a reason', () => {
    for (const name of ['show-nodes.txt', 'show-nodes-oneline.txt', 'sinfo.json.txt']) {
      expect(node(name, 'n3')).toMatchObject({ reason: 'x Comment=y ReservationName=z', reasonUser: 'root' });
      expect(node(name, 'n3')?.reservation).toBeUndefined();
    }
  });

  it('escapes and bidi controls stay what they are: drawing makes them visible', () => {
    expect(node('show-nodes.txt', 'n2')?.reason).toBe(
      'esc \u001B]0;x\u0007\u001B[31mred\u001B[0m bidi \u202Ea\u202C "quoted" | pipe',
    );
  });
});

describe('other versions', () => {
  it('21.08: flags in its own words', () => {
    expect(read('nodes-21.08.json').nodes).toEqual([
      {
        name: 'c1',
        state: 'IDLE',
        flags: ['DRAIN'],
        partitions: ['batch'],
        reason: 'NHC: disk full',
        reasonUser: 'root',
        reasonAt: 1795211716000,
        version: '21.08.8-2',
        bootAt: 1795210328000,
      },
      {
        name: 'c2',
        state: 'DOWN',
        flags: ['NOT_RESPONDING'],
        partitions: ['batch'],
        reason: 'Not responding',
        reasonUser: 'slurm',
        reasonAt: 1795211749000,
      },
      { name: 'c3', state: 'MIXED', flags: [], partitions: [] },
    ]);
  });

  it('24.11: states as lists, times as structures', () => {
    const [g1, g2, g3] = read('nodes-24.11.json').nodes;
    expect(g1).toMatchObject({
      state: 'IDLE',
      flags: ['DRAIN', 'DYNAMIC_NORM'],
      reasonAt: 1795211716000,
      version: '24.11.5',
    });
    expect(g1).not.toHaveProperty('nextState');
    expect(g2).toMatchObject({
      flags: ['DRAIN', 'REBOOT_REQUESTED'],
      nextState: 'RESUME',
      reservation: 'fw',
    });
    expect(g3).toEqual({ name: 'g3', state: 'IDLE', flags: [], partitions: ['gpu'] });
  });

  it('24.05: sinfo lists groups, a node once per partition', () => {
    expect(read('sinfo-24.05.json')).toEqual({
      nodes: [
        { name: 'c1', state: 'IDLE', flags: [], partitions: ['batch'] },
        { name: 'c2', state: 'IDLE', flags: [], partitions: ['batch'] },
        {
          name: 'c3',
          state: 'DOWN',
          flags: ['DRAIN', 'NOT_RESPONDING'],
          partitions: ['batch', 'debug'],
          reason: 'hung',
          reasonUser: 'alice',
          reasonAt: 1795211716000,
        },
      ],
      notUnderstood: 0,
    });
  });

  it('25.05 text: fields behind the reason, flags that did not exist before', () => {
    const [c1, c2] = read('show-nodes-25.05.txt').nodes;
    expect(c1).toMatchObject({
      state: 'ALLOCATED',
      flags: ['DRAIN', 'PLANNED', 'REBOOT_REQUESTED'],
      nextState: 'RESUME',
      reason: 'Reboot ASAP',
      reasonAt: Date.UTC(2026, 10, 20, 21, 54, 23),
      partitions: ['batch', 'debug'],
      reservation: 'fw',
    });
    expect(c2).toMatchObject({ state: 'IDLE', flags: ['BLOCKED', 'INVALID_REG', 'SOMETHING_NEW'] });
    expect(c2).not.toHaveProperty('reason');
  });

  it('reads stamps in the zone asked for', () => {
    const at = (tz: string) => parseNodes({ stdout: capture('show-nodes-25.05.txt'), tz }).nodes[0]?.reasonAt;
    expect(at('Europe/Berlin')).toBe(Date.UTC(2026, 10, 20, 20, 54, 23));
    expect(at('America/Los_Angeles')).toBe(Date.UTC(2026, 10, 21, 5, 54, 23));
  });
});

describe('failures', () => {
  const format = slurmFormats['slurm.nodes'];

  it('an empty list with errors is an error, whatever the exit code', () => {
    expect(format?.({ stdout: capture('sinfo-down.json.txt'), exitCode: 0 })).toEqual({
      nodes: [],
      error: { kind: 'notReachable', message: 'Unspecified error' },
    });
  });

  it.each([
    ['', 'slurm_load_node error: Unable to contact slurm controller (connect failure)', 1, 'notReachable'],
    ['', 'slurm_load_node error: Socket timed out on send/recv operation', 1, 'timedOut'],
    [
      '',
      'sinfo: error: Munge encode failed: Failed to access "/run/munge/s": No such file or directory (Did you start munged?)',
      1,
      'notReachable',
    ],
    ['Node nosuch not found\n', '', 1, 'notFound'],
    ['', 'slurm_load_node error: Access/permission denied', 1, 'notPermitted'],
    ['', "sinfo: unrecognized option '--json'", 1, 'unsupported'],
    ['', 'sinfo: fatal: Unable to process configuration file', 1, 'other'],
    [
      'slurm_load_node error: Unable to contact slurm controller (connect failure)\n',
      '',
      undefined,
      'notReachable',
    ],
  ] as const)('%j %j', (stdout, stderr, exitCode, kind) => {
    const document = format?.({ stdout, stderr, ...(exitCode !== undefined && { exitCode }) });
    expect(document).toMatchObject({ nodes: [], error: { kind } });
  });

  it('what is no such output at all is refused', () => {
    for (const stdout of ['', 'hello\n', '{}', '{"jobs": []}', 'PARTITION AVAIL\n']) {
      expect(() => format?.({ stdout }), stdout).toThrow(expect.objectContaining({ name: 'NotThisFormat' }));
    }
  });

  it('cut JSON is an error with its place, not fewer nodes', () => {
    const cut = capture('sinfo.json.txt').slice(0, 2500);
    expect(() => format?.({ stdout: cut })).toThrow(ParseError);
  });

  it('counts what it does not understand', () => {
    const stdout = `warning: clock skew\n${capture('show-nodes-25.05.txt')}NodeName=broken Arch=x\n`;
    expect(format?.({ stdout })).toMatchObject({ notUnderstood: 2, nodes: [{ name: 'c1' }, { name: 'c2' }] });
  });
});
