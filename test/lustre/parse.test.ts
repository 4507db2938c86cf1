import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lustreFormats } from '../../probes/lustre/read/formats.ts';
import { parseDevices } from '../../probes/lustre/read/parse-devices.ts';
import { parseDf } from '../../probes/lustre/read/parse-df.ts';
import { parseParams } from '../../probes/lustre/read/parse-params.ts';
import { parseRecovery } from '../../probes/lustre/read/parse-recovery.ts';
import { NotThisFormat } from '../../src/model/errors.ts';

describe('lctl get_param', () => {
  it('takes inline and wrapped values, and == of -F, as the same thing', () => {
    const { params } = parseParams({
      stdout:
        'osp.fs-OST0000-osc-MDT0000.active=1\nosp.fs-OST0001-osc-MDT0000.active=\n0\nlod.fs-MDT0000-mdtlov.numobd==2\n',
    });
    expect(params).toEqual({
      'osp.fs-OST0000-osc-MDT0000.active': '1',
      'osp.fs-OST0001-osc-MDT0000.active': '0',
      'lod.fs-MDT0000-mdtlov.numobd': '2',
    });
  });

  it('finds the next name glued behind a value without a line feed (2.17 statfs_state)', () => {
    const { params } = parseParams({
      stdout:
        'obdfilter.fs-OST0000.statfs_state=DNobdfilter.fs-OST0001.statfs_state=obdfilter.fs-OST0002.statfs_state=S',
    });
    expect(params).toEqual({
      'obdfilter.fs-OST0000.statfs_state': 'DN',
      'obdfilter.fs-OST0001.statfs_state': '',
      'obdfilter.fs-OST0002.statfs_state': 'S',
    });
  });

  it('keeps values of several lines and reads data beside a non-zero exit', () => {
    const read = parseParams({
      stdout: 'mdt.fs-MDT0000.recovery_status=\nstatus: COMPLETE\nrecovery_start: 1\n',
      stderr:
        "error: get_param: param_path 'obdfilter/*/no_create': No such file or directory\nerror: read_param: '/sys/fs/lustre/x': Permission denied\n",
      exitCode: 2,
    });
    expect(read.params['mdt.fs-MDT0000.recovery_status']).toBe('status: COMPLETE\nrecovery_start: 1');
    expect(read.missing).toEqual(['obdfilter/*/no_create']);
    expect(read.denied).toEqual(['/sys/fs/lustre/x']);
  });

  it('refuses -N output, takes an empty one', () => {
    expect(() => parseParams({ stdout: 'osp.fs-OST0000-osc-MDT0000.active\n' })).toThrow(NotThisFormat);
    expect(parseParams({ stdout: '' }).params).toEqual({});
  });
});

describe('lfs df', () => {
  it('tells inactive from unreachable and reads flags, hexadecimal names and overlong figures', () => {
    const { targets, summary } = parseDf({
      stdout: [
        'UUID                   1K-blocks        Used   Available Use% Mounted on',
        'fs-MDT0000_UUID  2929687500   484400000  2297287500  17% /fs[MDT:0]',
        'fs-OST000a_UUID 9007199254740993 28419002112 18084268004  61% /fs[OST:10] DN',
        'OST0012             : inactive device',
        'fs-OST001b_UUID: Resource temporarily unavailable',
        '',
        'filesystem_summary:  10 4 6  40% /fs',
      ].join('\n'),
    });
    expect(targets.map((target) => [target.kind, target.index, target.state, target.flags])).toEqual([
      ['MDT', 0, 'ok', undefined],
      ['OST', 10, 'ok', 'DN'],
      ['OST', 18, 'inactive', undefined],
      ['OST', 27, 'unreachable', undefined],
    ]);
    expect(targets[1]?.totalKb).toBe(9007199254740993n);
    expect(summary).toEqual({ totalKb: 10n, usedKb: 4n, availKb: 6n, usePct: 40, mount: '/fs' });
  });

  it('carries no rounded sizes of -h', () => {
    const { targets } = parseDf({
      stdout:
        'UUID  bytes  Used Available Use% Mounted on\nfs-OST0000_UUID 43.7T 27.3T 16.0T 64% /fs[OST:0]\n',
    });
    expect(targets).toEqual([
      { uuid: 'fs-OST0000_UUID', kind: 'OST', index: 0, usePct: 64, mount: '/fs', state: 'ok' },
    ]);
  });
});

it('lctl dl: devices, NIDs of -t, and why there are none', () => {
  expect(
    parseDevices({ stdout: '  3 IN osp fs-OST0007-osc-MDT0000 fs-MDT0000-mdtlov_UUID 5 10.0.0.4@o2ib\n' })
      .devices,
  ).toEqual([
    {
      index: 3,
      status: 'IN',
      type: 'osp',
      name: 'fs-OST0007-osc-MDT0000',
      uuid: 'fs-MDT0000-mdtlov_UUID',
      refs: 5,
      nid: '10.0.0.4@o2ib',
    },
  ]);
  expect(
    parseDevices({ stdout: '', stderr: 'opening /dev/obd failed: No such device\n', exitCode: 2 }),
  ).toMatchObject({
    devices: [],
    error: { kind: 'notFound' },
  });
});

it('recovery_status: numbers, and completed clients with and without a total', () => {
  expect(
    parseRecovery({
      stdout: 'status: RECOVERING\ntime_remaining: 187\nlock_repay_clients: 39\ncompleted_clients: 1345\n',
    }),
  ).toEqual({
    status: 'RECOVERING',
    timeRemaining: 187n,
    lockRepayClients: 39n,
    completedClients: { done: 1345 },
  });
  expect(parseRecovery({ stdout: 'status: COMPLETE\ncompleted_clients: 3/4\n' })).toMatchObject({
    completedClients: { done: 3, of: 4 },
  });
});

const soup = fc.array(
  fc.oneof(
    fc.string(),
    fc.constantFrom(
      'osp.a-OST0000-osc-MDT0000.active=1',
      'UUID 1K-blocks Used',
      'a-OST0000_UUID 1 2 3 4% /a[OST:0]',
      'OST0001 : inactive device',
      ' 0 UP osp a b 5',
      'status: COMPLETE',
    ),
  ),
);

it.each(Object.entries(lustreFormats))(
  '%s never fails on any text but by saying that it is not its format',
  (_name, read) => {
    fc.assert(
      fc.property(soup, fc.string(), (lines, stderr) => {
        try {
          read({ stdout: lines.join('\n'), stderr });
        } catch (error) {
          expect(error).toBeInstanceOf(NotThisFormat);
        }
      }),
    );
  },
);
