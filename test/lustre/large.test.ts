import { describe, expect, it } from 'vitest';
import { findings } from '../../probes/lustre/judge/findings.ts';
import { lustre } from '../../probes/lustre/index.ts';
import { lustreOf } from '../../probes/lustre/judge/join.ts';
import { lustreProbes } from '../../probes/lustre/ask/probes.ts';
import { answerOf } from '../helpers/answer.ts';
import { judgementOf, siteOf, Sources } from '../helpers/judging.ts';

const hex = (index: number): string => index.toString(16).padStart(4, '0');

/** What an MDS with one MDT prints for these OSTs. */
const mds = (fs: string, mdt: number, osts: number, mdts: number): string =>
  [
    'version=2.15.8',
    ...Array.from({ length: osts }, (_, at) => {
      const osp = `osp.${fs}-OST${hex(at)}-osc-MDT${hex(mdt)}`;
      return `${osp}.active=1\n${osp}.max_create_count=20000\n${osp}.prealloc_status=0\n${osp}.ost_server_uuid=${fs}-OST${hex(at)}_UUID\tFULL\n${osp}.destroys_in_flight=0\n${osp}.kbytestotal=1000000\n${osp}.kbytesfree=400000\n${osp}.kbytesavail=390000`;
    }),
    `lod.${fs}-MDT${hex(mdt)}-mdtlov.qos_threshold_rr=17%\nlod.${fs}-MDT${hex(mdt)}-mdtlov.numobd=${osts}`,
    '@@faultline devices 0',
    ...Array.from({ length: mdts }, (_, at) => `  8 UP osp ${fs}-MDT${hex(at)}-osp-MDT${hex(mdt)} x 5`),
    '',
  ].join('\n');

const oss = (fs: string, from: number, to: number): string =>
  Array.from({ length: to - from }, (_, at) => {
    const own = `obdfilter.${fs}-OST${hex(from + at)}`;
    return `${own}.degraded=0\n${own}.kbytestotal=1000000\n${own}.kbytesfree=400000\n${own}.kbytesavail=390000\n${own}.recovery_status=\nstatus: COMPLETE\ncompleted_clients: 9/9\n`;
  }).join('');

const feed = (
  readings: Sources,
  probeId: string,
  host: string,
  stdout: string,
  site: ReturnType<typeof siteOf>,
): void => {
  const probe = lustreProbes.find(({ id }) => id === probeId);
  const view = site.host(host);
  if (!probe || !view) throw new Error(`${probeId} ${host}`);
  const { value } = probe.read(answerOf(stdout), view, { site, readings, now: 0 });
  readings.good(probeId, host, probe.schema.parse(value));
};

describe('a large site', () => {
  it('400 OSTs on 40 OSSs with 4 MDTs are joined, judged and drawn', () => {
    const hosts = [
      ...Array.from({ length: 4 }, (_, at) => ({ name: `mds${at}`, roles: ['lustre-mds'] })),
      ...Array.from({ length: 40 }, (_, at) => ({ name: `oss${at}`, roles: ['lustre-oss'] })),
    ];
    const site = siteOf(hosts);
    const readings = new Sources();
    for (let at = 0; at < 4; at++) feed(readings, 'lustre.mds', `mds${at}`, mds('big', at, 400, 4), site);
    for (let at = 0; at < 40; at++)
      feed(readings, 'lustre.oss', `oss${at}`, oss('big', at * 10, at * 10 + 10), site);
    const judgement = judgementOf({ readings, site });
    expect(findings(judgement)).toEqual([]);
    const pane = lustre.view(judgement);
    expect(lustre.track(judgement).length).toBe(4 + 400 * (3 + 4));
    expect(pane.wall).toBe('400/400 OST');
  });

  it('two file systems on the same servers stay two', () => {
    const site = siteOf([
      { name: 'mds0', roles: ['lustre-mds'] },
      { name: 'oss0', roles: ['lustre-oss'] },
    ]);
    const readings = new Sources();
    const [first = '', devices = ''] = mds('home', 0, 2, 1).split('@@faultline devices 0\n');
    const [second = '', more = ''] = mds('work', 0, 3, 1).split('@@faultline devices 0\n');
    feed(readings, 'lustre.mds', 'mds0', `${first}${second}@@faultline devices 0\n${devices}${more}`, site);
    feed(
      readings,
      'lustre.oss',
      'oss0',
      oss('home', 0, 2) + oss('work', 0, 3).replace('OST0001.degraded=0', 'OST0001.degraded=1'),
      site,
    );
    const judgement = judgementOf({ readings, site });
    expect(
      lustreOf(judgement).systems.map(({ name, osts, mdts }) => [name, osts.length, mdts.length]),
    ).toEqual([
      ['home', 2, 1],
      ['work', 3, 1],
    ]);
    expect(findings(judgement).map(({ summary }) => summary)).toEqual([
      'work-OST0001 kept from new objects: degraded',
    ]);
    expect(lustre.view(judgement).summary).toBe('home 2.15.8, work 2.15.8 · 5 OSTs · 2 MDTs');
  });

  it('an MDT that nobody answers for is shown, not forgotten', () => {
    const site = siteOf([{ name: 'mds0', roles: ['lustre-mds'] }]);
    const readings = new Sources();
    feed(readings, 'lustre.mds', 'mds0', mds('home', 0, 2, 2), site);
    const [fs] = lustreOf(judgementOf({ readings, site })).systems;
    expect(fs?.mdts.map(({ name, mdt }) => [name, mdt !== undefined])).toEqual([
      ['home-MDT0000', true],
      ['home-MDT0001', false],
    ]);
    expect(fs?.osts[0]?.mdts[1]?.allocation.verdict).toBe('unknown');
  });
});
