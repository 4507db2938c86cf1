import { describe, expect, it } from 'vitest';
import { hsmFindings } from '../../../probes/lustre/judge/find-hsm.ts';
import { hsmProbe, readHsm } from '../../../probes/lustre/ask/probe-hsm.ts';
import { answerOf } from '../../helpers/answer.ts';
import { judgementOf, siteOf, Sources, start } from '../../helpers/judging.ts';

const row = (at: number, action: string, status: string): string =>
  `lrh=[type=10680000 len=136 idx=1/${at}] fid=[0x200000401:0x${at}:0x0] dfid=[0x200000401:0x${at}:0x0] compound/cookie=0x0/0x5f${at} action=${action} archive#=1 flags=0x0 extent=0x0-0xffffffffffffffff gid=0x0 data=[] status=${status}\n`;
const rows = (number: number, action = 'RESTORE', status = 'WAITING'): string =>
  Array.from({ length: number }, (_, at) => row(at, action, status)).join('');
const agent = 'uuid=5f0ba0c6-51a2-4a5c-8d0c-1a4b0a1f6c11 archive_id=1 requests=[current:4 ok:913 errors:0]';

const printed = (control: string | undefined, agents: string, actions: string): string =>
  `${control === undefined ? '' : `mdt.work-MDT0000.hsm_control=${control}\n`}mdt.work-MDT0000.hsm.agents=\n${agents}\n\n@@faultline actions\nmdt.work-MDT0000.hsm.actions=\n${actions}\n@@faultline end\n`;

const said = (text: string, stderr = ''): string[] => {
  const sources = new Sources();
  const { value } = readHsm(answerOf(text, { stderr, exitCode: stderr === '' ? 0 : 2 }));
  sources.good('lustre.mds-hsm', 'mds1', hsmProbe.schema.parse(value), start);
  const site = siteOf([{ name: 'mds1', roles: ['lustre-mds'] }]);
  return hsmFindings(judgementOf({ readings: sources, site })).map(
    ({ severity, summary }) => `${severity} ${String(summary)}`,
  );
};

describe('requests of HSM that nobody works on', () => {
  it('are told where the coordinator stands still', () => {
    expect(said(printed('stopped', '', rows(420)))).toEqual([
      'warning HSM of work-MDT0000 on mds1: its coordinator is stopped, 420 requests wait (420 restores)',
    ]);
  });

  it('and where no copytool is there', () => {
    expect(said(printed('enabled', '', rows(12, 'ARCHIVE')))).toEqual([
      'warning HSM of work-MDT0000 on mds1: no copytool is registered, 12 requests wait',
    ]);
  });

  it('a list that is too long is told as such', () => {
    expect(said(printed('stopped', '', rows(1200, 'ARCHIVE')))[0]).toMatch(/over [\d,]+ requests wait$/);
  });

  it.each([
    ['HSM is not used', printed('stopped', '', '')],
    ['all goes on', printed('enabled', agent, rows(300) + rows(4, 'RESTORE', 'STARTED'))],
    ['requests that are done stay listed', printed('stopped', '', rows(30, 'ARCHIVE', 'SUCCEED'))],
    ['nothing is known of the coordinator', printed(undefined, agent, rows(30))],
  ])('nothing is said where %s', (_, text) => {
    expect(said(text)).toEqual([]);
  });

  it('a partner without an MDT says nothing', () => {
    expect(
      said(
        '\n@@faultline actions\n\n@@faultline end\n',
        "error: get_param: param_path 'mdt/*/hsm_control': No such file or directory\n",
      ),
    ).toEqual([]);
  });
});
