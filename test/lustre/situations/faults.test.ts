import { describe, expect, it } from 'vitest';
import { start } from '../../helpers/judging.ts';
import { type Printed, type PrintedMdt, type PrintedOst, PrintedSite } from '../printed-site.ts';

const osts = (count: number, more: (index: number) => Partial<PrintedOst> = () => ({})): PrintedOst[] =>
  Array.from({ length: count }, (_, index) => ({ oss: `oss${1 + Math.floor(index / 4)}`, ...more(index) }));
const mdt = (more: Partial<PrintedMdt> = {}): PrintedMdt => ({ mds: 'mds1', ...more });
const siteOf = (printed: Partial<Printed>): PrintedSite =>
  new PrintedSite({ mdts: [mdt()], osts: osts(8), ...printed });
const seconds = Math.floor(start / 1000);
const running = (left: number, back = 384): string =>
  `status: RECOVERING\nrecovery_start: ${seconds - 110}\ntime_remaining: ${left}\nconnected_clients: ${back}/412\nreq_replay_clients: 3\nlock_repay_clients: 39\ncompleted_clients: 345\nevicted_clients: 0\nreplayed_requests: 26\nqueued_requests: 6\nnext_transno: 8590005863`;

describe('what is wrong is said first', () => {
  it.each<[string, Partial<Printed>, RegExp]>([
    [
      'an OSS is down',
      { osts: osts(8, (at) => (at > 3 ? { mounted: false } : {})), down: ['oss2'] },
      /^critical unreachable: work-OST\[0004-0007\]/,
    ],
    [
      'an OSS is down, clients idle',
      { osts: osts(8, (at) => (at > 3 ? { mounted: false, client: 'IDLE' } : {})), down: ['oss2'] },
      /^critical unreachable: work-OST\[0004-0007\]/,
    ],
    [
      'an OSS with one of its OSTs not mounted',
      { osts: osts(8, (at) => (at === 5 ? { mounted: false } : {})) },
      /^critical unreachable: work-OST0005 .*mounted on no OSS/,
    ],
    [
      'the second MDT is not mounted',
      { mdts: [mdt(), mdt({ mds: 'mds2', mounted: false })] },
      /^critical mdt-unreachable: work-MDT0001 unreachable, directories there hang/,
    ],
    [
      'both MDTs are gone with their server',
      { mdts: [mdt({ mounted: false }), mdt({ mounted: false })], down: ['mds1'] },
      /^critical mdt-unreachable: work-MDT\[0000-0001\].*file system work out of reach/,
    ],
    ['an MDT without space', { mdts: [mdt({ free: 0 })] }, /^critical mdt-full: work-MDT0000/],
    ['an MDT without inodes', { mdts: [mdt({ filesFree: 0 })] }, /^critical mdt-full: work-MDT0000/],
    [
      'an OST without inodes',
      { osts: osts(8, (at) => (at === 2 ? { filesFree: 0 } : {})) },
      /^critical inodes: work-OST0002/,
    ],
    [
      'an OST without space',
      { osts: osts(8, (at) => (at === 2 ? { free: 0 } : {})) },
      /^critical full: work-OST0002/,
    ],
    ['all OSTs 99 % full', { osts: osts(8, () => ({ free: 0.004 })) }, /^critical full: work/],
    ['a kernel bug on an OSS', { health: { oss1: 'LBUG' } }, /^critical health: oss1.*LBUG/],
    [
      'an OST that calls itself unwell, 2.5',
      { version: '2.5.3.90', health: { oss1: 'device work-OST0003 reported unhealthy\nNOT HEALTHY' } },
      /^critical health: oss1.*work-OST0003/,
    ],
    [
      'the management server is lost by all',
      { mgc: Object.fromEntries(['mds1', 'oss1', 'oss2', 'login1'].map((host) => [host, 'DISCONN'])) },
      /^warning mgs: MGS .* unreachable/,
    ],
    [
      'one MDT lost an OSS that the other reaches',
      {
        mdts: [mdt(), mdt({ mds: 'mds2' })],
        osts: osts(8, (at) => (at > 3 ? { states: { 1: 'DISCONN' } } : {})),
      },
      /^warning mdt-cut: work-OST\[0004-0007\] out of reach of MDT0001 on mds2 only/,
    ],
    [
      'an OST inactive on one MDT',
      { mdts: [mdt(), mdt({ mds: 'mds2' })], osts: osts(8, (at) => (at === 1 ? { active: { 0: 0 } } : {})) },
      /OST0001/,
    ],
    [
      'an OST that a client lacks',
      { clients: ['login1', 'login2'], osts: osts(8, (at) => (at === 7 ? { lackedBy: ['login2'] } : {})) },
      /^warning client-lacks: work-OST0007 not known to client login2/,
    ],
    [
      'an OST that one MDT lacks',
      {
        mdts: [mdt(), mdt({ mds: 'mds2' })],
        osts: osts(8, (at) => (at === 7 ? { unknownTo: [1] } : {})),
      },
      /^warning mdt-lacks: work-OST0007 not known to MDT0001 on mds2: it puts no files there/,
    ],
    [
      'creates fail for no reason that is set',
      { osts: osts(8, (at) => (at === 1 ? { prealloc: -5 } : {})) },
      /^warning precreate: work-OST0001/,
    ],
    [
      'a backend that went read-only',
      { osts: osts(8, (at) => (at === 1 ? { flags: 'R', prealloc: -30 } : {})) },
      /^warning read-only: work-OST0001/,
    ],
    [
      'OSTs in recovery',
      {
        osts: osts(8, (at) =>
          at < 4 ? { recovery: running(187), states: { 0: 'REPLAY_WAIT' }, client: 'REPLAY_WAIT' } : {},
        ),
      },
      /^warning recovery: oss1: work-OST\[0000-0003\] in recovery, 187 s left, 384 of 412 clients back, 28 missing/,
    ],
    [
      'a recovery that does not end',
      {
        osts: osts(8, (at) =>
          at < 4 ? { recovery: running(0, 409), states: { 0: 'REPLAY_WAIT' }, client: 'REPLAY_WAIT' } : {},
        ),
      },
      /^critical recovery: oss1: work-OST\[0000-0003\] in recovery, stuck/,
    ],
    [
      'an MDT that waits for another',
      {
        mdts: [
          mdt({
            recovery: `status: WAITING\nnon-ready MDTs:  0001\nrecovery_start: ${seconds - 900}\ntime_waited: 900`,
          }),
          mdt({ mds: 'mds2', mounted: false, client: 'DISCONN' }),
        ],
      },
      /^critical mdt-unreachable: work-MDT0001/,
    ],
    [
      'replay while its OSS is not read',
      {
        osts: osts(8, (at) => (at < 4 ? { states: { 0: 'REPLAY_WAIT' }, client: 'REPLAY_WAIT' } : {})),
        down: ['oss1'],
      },
      /^warning recovery: .*not known/,
    ],
    [
      'a client holds an OST inactive',
      { clients: ['login1'], osts: osts(8, (at) => (at === 4 ? { clientActive: 0 } : {})) },
      /^warning client-inactive: work-OST0004/,
    ],
    [
      'a client evicted, and still',
      {
        clients: ['login1', 'login2'],
        osts: osts(8, (at) => (at < 4 ? { clients: { login2: 'EVICTED' } } : {})),
      },
      /^warning client-cut: work-OST\[0000-0003\] out of reach of login2 only/,
    ],
    ['another centre’s file system is away', { home: 'DISCONN' }, /^(critical|warning) .*home/],
    [
      'an OST mounted on two servers at once',
      { osts: osts(8, (at) => (at === 3 ? { alsoOn: 'oss2' } : {})) },
      /^critical mounted-twice: work-OST0003/,
    ],
  ])('%s', (_, printed, first) => {
    const site = siteOf(printed).later(30);
    expect(site.loud()[0] ?? '').toMatch(first);
  });

  const both = { osts: osts(8, (at) => (at === 3 ? { alsoOn: 'oss2' } : {})) };
  it.each<[string, PrintedSite]>([
    ['told by both once, in the middle of a fail-over', siteOf(both)],
    ['told by the second server since just now', siteOf({}).later(30, both)],
    [
      'moved to the partner, the first server does not answer',
      siteOf({}).later(30, { ...both, down: ['oss1'] }),
    ],
    ['moved and moved back', siteOf(both).later(30, { osts: osts(8) })],
    [
      'of two file systems of one name, each with its own MGS',
      siteOf({ ...both, mgsNid: { oss2: '10.20.0.1@tcp' } }).later(30),
    ],
  ])('an OST %s: not mounted twice', (_, site) => {
    expect(site.loud().filter((line) => line.includes('twice'))).toEqual([]);
  });
});
