import { describe, expect, it } from 'vitest';
import { readLctl } from '../../probes/lustre/ask/asking.ts';
import { readMds } from '../../probes/lustre/read/read-mds.ts';
import { readQuota } from '../../probes/lustre/read/read-states.ts';
import { parseVersion, isAtLeast } from '../../probes/lustre/read/words.ts';
import { CommandFailed } from '../../src/model/errors.ts';
import type { Answer } from '../../src/model/answer.ts';
import { answerOf } from '../helpers/answer.ts';

const answer = (stdout: string, stderr = '', exitCode = 0): Answer => answerOf(stdout, { stderr, exitCode });
const marked = (params: string, code: number, devices: string): string =>
  `${params}\n@@faultline devices ${code}\n${devices}`;
const failure = (given: Answer): string => {
  try {
    readLctl(given);
    return 'none';
  } catch (error) {
    return error instanceof CommandFailed ? error.code : String(error);
  }
};

describe('what lctl answers', () => {
  it('tells apart: no lctl, no modules, no right, nothing there', () => {
    expect(failure(answer(marked('', 127, ''), 'sh: 1: lctl: not found\n'))).toBe('noCommand');
    expect(
      failure(
        answer(
          marked('', 2, ''),
          "error: get_param: param_path 'osp/*/active': No such file or directory\nopening /dev/obd failed: No such device\nhint: the kernel modules may not be loaded\n",
        ),
      ),
    ).toBe('noModules');
    expect(
      failure(answer(marked('', 13, ''), "error: read_param: '/sys/fs/lustre/x': Permission denied\n")),
    ).toBe('noPermission');
    expect(failure(answer(marked('', 1, ''), 'sudo: a password is required\n'))).toBe('noPermission');
    expect(
      failure(
        answer(marked('', 2, ''), "error: get_param: param_path 'osp/*/active': No such file or directory\n"),
      ),
    ).toBe('noLustre');
  });

  it('a non-zero exit with data is data; denied parameters stay told', () => {
    const read = readLctl(
      answer(
        marked('version=2.12.9\nosp.fs-OST0001-osc-MDT0000.active=1\n', 13, ''),
        "error: read_param: '/x': Permission denied\n",
      ),
    );
    expect(readMds(read).value).toMatchObject({
      version: '2.12.9',
      denied: ['/x'],
      osps: [{ ost: 'fs-OST0001', active: true }],
    });
  });

  it('a standby holds nothing and is no fault', () => {
    const { value } = readMds(
      readLctl(answer(marked('version=2.12.9\nhealth_check=healthy\n', 2, '  0 UP mgc MGC1@tcp 0d2b 5\n'))),
    );
    expect(value).toEqual({
      version: '2.12.9',
      health: 'healthy',
      mdts: [],
      osps: [],
      mgcs: [],
      mdtImports: [],
      mgs: false,
      peers: [],
      quota: [],
      denied: [],
      failed: [],
    });
  });

  it('takes inter-MDT imports for peers, not OSTs, and both names of an import as one', () => {
    const { value } = readMds(
      readLctl(
        answer(
          marked(
            'osp.fs-OST0001-osc-MDT0000.active=0\nosc.fs-OST0001-osc-MDT0000.max_create_count=20000\nosp.fs-MDT0001-osp-MDT0000.active=1\nlod.fs-MDT0000-mdtlov.qos_threshold_rr=17%\n',
            0,
            '  8 UP osp fs-MDT0001-osp-MDT0000 x 5\n  9 IN osp fs-OST0001-osc-MDT0000 x 5\n',
          ),
        ),
      ),
    );
    expect(value.osps).toEqual([
      { ost: 'fs-OST0001', mdt: 'fs-MDT0000', active: false, maxCreateCount: 20_000, device: 'IN' },
    ]);
    expect(value.peers).toEqual(['fs-MDT0001']);
    expect(value.mdts).toEqual([{ name: 'fs-MDT0000', thresholdPct: 17 }]);
  });

  it('reads both shapes of the version', () => {
    expect(parseVersion('lustre: 2.5.3.90\nkernel: patchless_client')).toBe('2.5.3.90');
    expect(parseVersion('2.15.8_12_gabcdef')).toBe('2.15.8');
    expect(parseVersion(undefined)).toBeUndefined();
    expect([
      isAtLeast('2.10', '2.9'),
      isAtLeast('2.8.60', '2.9'),
      isAtLeast('2.9', '2.9.0'),
      isAtLeast('3', '2.9'),
    ]).toEqual([true, false, true, true]);
  });

  it('quota slaves: only enforced types can be late', () => {
    const info = (enabled: string, group: string): Record<string, string> => ({
      'osd-ldiskfs.fs-OST0001.quota_slave.info': `target name:    fs-OST0001\npool ID:        0\ntype:           dt\nquota enabled:  ${enabled}\nconn to master: setup\nspace acct:     ug\nuser uptodate:  glb[0],slv[0],reint[0]\ngroup uptodate: ${group}`,
    });
    expect(readQuota({ params: info('none', 'glb[0],slv[0],reint[0]') })[0]?.late).toEqual([]);
    expect(readQuota({ params: info('g', 'glb[1],slv[1],reint[0]') })[0]?.late).toEqual([]);
    expect(readQuota({ params: info('g', 'glb[1],slv[0],reint[1]') })[0]?.late).toEqual([
      { type: 'group', text: 'glb[1],slv[0],reint[1]' },
    ]);
  });
});
