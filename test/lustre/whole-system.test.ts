import { describe, expect, it } from 'vitest';
import { findings } from '../../probes/lustre/judge/findings.ts';
import { loud, mdt, osts, said, suspectsIn, two } from './printed-findings.ts';
import type { Printed } from './printed-site.ts';
import { PrintedSite } from './printed-site.ts';

describe('MDTs', () => {
  it('the only MDS is gone: the file system is out of reach, critical, with who does not answer', () => {
    expect(said({ mdts: [mdt({ mounted: false })], down: ['mds1'] })).toEqual([
      'critical mdt-unreachable: work-MDT0000 unreachable, file system work out of reach: no answer from mds1',
    ]);
  });

  it('the MDS answers and the MDT is not mounted: said, with the servers that were asked', () => {
    const site = new PrintedSite({
      mdts: [mdt({ mounted: false })],
      osts: osts(4),
      idle: { mds2: 'lustre-mds' },
    });
    expect(site.said()).toEqual([
      'critical mdt-unreachable: work-MDT0000 unreachable, file system work out of reach: mounted on no MDS',
    ]);
    expect(
      findings(site.judgement())[0]
        ?.evidence.map(({ text }) => text)
        .toSorted(),
    ).toEqual(['mds1: 0 MDTs mounted', 'mds2: 0 MDTs mounted', 'work-MDT0000 on login1: import DISCONN']);
  });

  it('no client is asked: that no MDS has the MDT is told by the OSTs that know it', () => {
    expect(said({ mdts: [mdt({ mounted: false })], clients: [] })).toEqual([
      'critical mdt-unmounted: work-MDT0000 mounted on no MDS: file system work out of reach',
    ]);
  });

  it('one of two MDTs is not mounted: the other MDT and the clients say so, only its directories hang', () => {
    expect(said({ mdts: [mdt(), mdt({ mds: 'mds2', mounted: false })] })).toEqual([
      'critical mdt-unreachable: work-MDT0001 unreachable, directories there hang: mounted on no MDS',
    ]);
  });

  it('mounted, and nobody reaches it: the network', () => {
    expect(said({ mdts: [mdt({ client: 'CONNECTING' })], clients: ['login1', 'login2'] })).toEqual([
      'critical mdt-unreachable: work-MDT0000 unreachable, file system work out of reach: mounted on mds1, which nobody reaches',
    ]);
  });

  it('one MDT can’t reach another that clients reach: no file system is out of reach', () => {
    expect(said({ mdts: [mdt(), mdt({ mds: 'mds2', peers: 'DISCONN', client: 'FULL' })] })).toEqual([
      "warning mdt-cut: work-MDT0000 on mds1 can't reach MDT0001 on mds2, which others reach",
    ]);
  });

  it('in recovery: not unreachable', () => {
    const recovery =
      'status: RECOVERING\nrecovery_start: 1762430400\ntime_remaining: 100\nconnected_clients: 400/412\ncompleted_clients: 3';
    expect(said({ mdts: [mdt({ recovery, client: 'REPLAY_WAIT' })] })).toEqual([
      'warning recovery: work-MDT0000 on mds1 in recovery, 100 s left, 400 of 412 clients back, 12 missing',
    ]);
  });

  it.each([
    [
      { free: 0 },
      'critical mdt-full: work-MDT0000 on mds1 full (100 % of its space used): nothing can be created on work',
    ],
    [
      { filesFree: 0 },
      'critical mdt-full: work-MDT0000 on mds1 full (100 % of its inodes used): nothing can be created on work',
    ],
    [{ filesFree: 0.03 }, 'warning mdt-full: work-MDT0000 on mds1 nearly full (97 % of its inodes used)'],
    [{ free: 0.02 }, 'warning mdt-full: work-MDT0000 on mds1 nearly full (98 % of its space used)'],
  ])('short of space or inodes: %o', (more, expected) => {
    expect(said({ mdts: [mdt(more)] })).toEqual([expected]);
  });

  it('full as a client sees it, where no MDS is asked: the letters of lfs df', () => {
    expect(said({ mdts: [mdt({ free: 0, filesFree: 0 })], down: ['mds1'] })).toEqual([
      expect.stringMatching(
        /^critical mdt-full: work-MDT0000 full \(100 % of its space used, 100 % of its inodes/,
      ),
    ]);
  });

  it('94 % of an MDT used: silent', () => {
    expect(said({ mdts: [mdt({ free: 0.06, filesFree: 0.06 })] })).toEqual([]);
  });
});

describe('the management server', () => {
  it('lost everywhere: a warning, for what is mounted goes on', () => {
    const hosts = ['mds1', 'oss1', 'oss2', 'oss3', 'oss4', 'login1'];
    expect(said({ mgc: Object.fromEntries(hosts.map((host) => [host, 'DISCONN'])), mgs: 'nowhere' })).toEqual(
      ['warning mgs: MGS 10.10.0.1@o2ib unreachable: MGC DISCONN on all 6 hosts that were read'],
    );
  });

  it('lost everywhere, and a server that may run it does not answer: that one', () => {
    const hosts = ['mds1', 'oss1', 'oss2', 'oss3', 'oss4', 'login1'];
    const mgc = Object.fromEntries(hosts.map((host) => [host, 'DISCONN']));
    const printed: Partial<Printed> = { mgc, mgs: 'mgs1', idle: { mgs1: 'lustre-mds' }, down: ['mgs1'] };
    expect(said(printed)).toEqual([
      'warning mgs: MGS 10.10.0.1@o2ib unreachable: MGC DISCONN on all 6 hosts that were read',
    ]);
    expect(suspectsIn(printed, 'mgs')).toEqual(['mgs1']);
    expect(suspectsIn({ ...printed, mgs: 'mds1' }, 'mgs')).toEqual([]);
  });

  it('lost by one host: that host', () => {
    expect(said({ mgc: { login1: 'DISCONN' } })).toEqual([
      'warning mgs: login1: MGS 10.10.0.1@o2ib out of reach (MGC DISCONN), 5 others reach it',
    ]);
  });

  it('clients behind a dead router, by another NID of it, while the servers reach it: those clients', () => {
    const printed = {
      clients: ['login1', 'login2'],
      mgsNid: { login1: '10.1.0.1@tcp', login2: '10.1.0.1@tcp' },
      mgc: { login1: 'CONNECTING', login2: 'CONNECTING' },
    };
    expect(said(printed)).toEqual([
      'warning mgs: login[1-2]: MGS 10.1.0.1@tcp out of reach (MGC CONNECTING), 5 others reach it',
    ]);
  });

  it('by both NIDs nobody reaches it: each name is lost everywhere', () => {
    const hosts = ['mds1', 'oss1', 'oss2', 'oss3', 'oss4', 'login1'];
    const mgc = Object.fromEntries(hosts.map((host) => [host, 'CONNECTING']));
    expect(said({ mgc, mgsNid: { login1: '10.1.0.1@tcp' } })).toEqual([
      'warning mgs: MGS 10.10.0.1@o2ib unreachable: MGC CONNECTING on all 5 hosts that were read',
      'warning mgs: MGS 10.1.0.1@tcp unreachable: MGC CONNECTING on login1',
    ]);
  });

  it('two NIDs, all connected: silent', () => {
    expect(said({ mgsNid: { login1: '10.1.0.1@tcp' } })).toEqual([]);
  });

  it('idle or full connections: silent', () => {
    expect(said({ mgc: { login1: 'IDLE', oss1: 'FULL' } })).toEqual([]);
  });
});

describe('OSTs', () => {
  it('out of inodes with room: critical, and why no file goes there', () => {
    expect(said({ osts: osts(8, (at) => (at === 3 ? { filesFree: 0, flags: 'I' } : {})) })).toEqual([
      'critical inodes: work-OST0003 out of inodes (0 free): no new objects there, though there is space',
    ]);
  });

  it('nearly out of inodes: a warning', () => {
    expect(said({ osts: osts(4, (at) => (at === 3 ? { filesFree: 0.02 } : {})) })).toEqual([
      'warning inodes: work-OST0003 nearly out of inodes: 98 % used',
    ]);
  });

  it('a backend that tells 0 of 0 inodes, on one OST or on all: silent', () => {
    expect(said({ osts: osts(4, (at) => (at === 3 ? { files: 0 } : {})) })).toEqual([]);
    expect(said({ osts: osts(4, () => ({ files: 0 })) })).toEqual([]);
  });

  it('without space and inodes: told once', () => {
    expect(said({ osts: osts(4, (at) => (at === 3 ? { free: 0, filesFree: 0 } : {})) })).toEqual([
      'critical full: work-OST0003 full: 100 % used',
    ]);
  });

  it('all over 99 %: the file system is full, and nothing is gained by stopping creates', () => {
    const site = new PrintedSite({ mdts: [mdt()], osts: osts(8, () => ({ free: 0.004 })) });
    expect(site.said()).toEqual([
      'critical full: work-OST[0000-0007]: file system work is full, every OST >99 % used or more',
    ]);
    expect(findings(site.judgement())[0]?.remedies).toEqual([]);
  });

  it('all at 97 %, or all but one over 99 %: a warning', () => {
    expect(said({ osts: osts(4, () => ({ free: 0.03 })) })).toEqual([
      'warning full: work-OST[0000-0003] nearly full: 97 % used at most',
    ]);
    expect(loud({ osts: osts(4, (at) => ({ free: at === 0 ? 0.4 : 0.004 })) })).toEqual([
      'warning full: work-OST[0001-0003] nearly full: >99 % used at most',
    ]);
  });

  it('lost by one MDT while another and the client reach them: that MDT and its server', () => {
    const printed = {
      mdts: two,
      osts: osts(8, (at) => (at === 4 || at === 5 ? { states: { 1: 'CONNECTING' } } : {})),
    };
    expect(said(printed)).toEqual([
      'warning mdt-cut: work-OST[0004-0005] out of reach of MDT0001 on mds2 only: MDT0000, login1 reach them',
    ]);
  });

  it('lost by all MDTs and clients, mounted: the network of their server', () => {
    const away = { states: { 0: 'DISCONN', 1: 'DISCONN' }, client: 'DISCONN' };
    const site = new PrintedSite({ mdts: two, osts: osts(8, (at) => (at > 5 ? away : {})) });
    expect(site.said()).toEqual([
      'critical unreachable: work-OST[0006-0007] (2 OSTs on oss4) unreachable: imports DISCONN, not deactivated',
    ]);
    expect(findings(site.judgement())[0]?.advice).toMatch(
      /oss4 answers and has them mounted: look at its LNet/,
    );
  });

  it('one of two of a server, mounted: its network is well, and is not blamed', () => {
    const away = { states: { 0: 'DISCONN', 1: 'DISCONN' }, client: 'DISCONN' };
    const site = new PrintedSite({ mdts: two, osts: osts(8, (at) => (at === 7 ? away : {})) });
    const [found] = findings(site.judgement());
    expect(found?.advice).toMatch(
      /oss4 answers and its other OSTs \(work-OST0006\) are reached, so its network is fine: look at these targets there/,
    );
    expect(found?.suspects).toBeUndefined();
  });

  it('taken out on the MDTs and not on the clients: both are said', () => {
    const half = {
      active: { 0: 0, 1: 0 },
      states: { 0: 'DISCONN', 1: 'DISCONN' },
      client: 'DISCONN',
      mounted: false,
      prealloc: -108,
    };
    const site = new PrintedSite({ mdts: two, osts: osts(8, (at) => (at === 2 ? half : {})) });
    const found = findings(site.judgement()).find(({ kind }) => kind === 'unreachable');
    expect(found?.summary).toContain('inactive on MDTs, not on clients');
    expect(found?.advice).toContain('deactivate them on the clients too');
  });

  it('mounted on no OSS: said so, and which OSS serves nothing', () => {
    const site = new PrintedSite({ mdts: two, osts: osts(8, (at) => ({ mounted: at < 6 })) });
    expect(site.said()).toEqual([
      'critical unreachable: work-OST[0006-0007] (2 OSTs) mounted on no OSS: imports DISCONN, not deactivated',
    ]);
    expect(findings(site.judgement())[0]?.advice).toMatch(/\(oss4 serves nothing\)/);
  });

  it('their OSS does not answer: not said to be mounted nowhere', () => {
    const site = new PrintedSite({ mdts: two, osts: osts(8, (at) => ({ mounted: at < 6 })), down: ['oss4'] });
    expect(site.said()[0]).toMatch(/^critical unreachable: work-OST\[0006-0007\] \(2 OSTs\) unreachable/);
    expect(findings(site.judgement())[0]?.advice).toMatch(/no answer from oss4/);
  });

  it('creates fail with an error that nothing explains: told; not yet any (-11): silent', () => {
    expect(said({ osts: osts(4, (at) => (at === 2 ? { prealloc: -5 } : {})) })).toEqual([
      "warning precreate: work-OST0002: MDT0000 can't create objects there (prealloc_status -5), no flag explains why",
    ]);
    expect(said({ osts: osts(4, (at) => (at === 2 ? { prealloc: -11 } : {})) })).toEqual([]);
  });

  it('inactive on all MDTs and all clients: retired, a notice, whatever its state', () => {
    const gone = {
      active: { 0: 0, 1: 0 },
      states: { 0: 'DISCONN', 1: 'DISCONN' },
      clientActive: 0,
      mounted: false,
    };
    expect(said({ mdts: two, osts: osts(8, (at) => (at === 2 ? gone : {})) })).toEqual([
      'notice retired: work-OST0002 retired: inactive on all MDTs and on client login1',
    ]);
  });

  it('taken off the clients’ lists and inactive on the MDTs (del_ost): retired', () => {
    const gone = { active: { 0: 0 }, mounted: false, lackedBy: ['login1', 'login2'] };
    expect(said({ osts: osts(8, (at) => (at === 2 ? gone : {})), clients: ['login1', 'login2'] })).toEqual([
      'notice retired: work-OST0002 retired: inactive on all MDTs and on all 2 clients that were read',
    ]);
  });

  it('inactive on one MDT of two, or on clients alone: not retired', () => {
    expect(
      loud({ mdts: two, osts: osts(4, (at) => (at === 2 ? { active: { 0: 0 }, clientActive: 0 } : {})) }),
    ).toEqual([
      'warning mdts-disagree: work-OST0002: MDTs disagree: MDT0000 active=0, MDT0001 in use',
      'warning client-inactive: work-OST0002 inactive on client login1: files there give I/O errors',
    ]);
    expect(said({ osts: osts(4, (at) => (at === 2 ? { clientActive: 0 } : {})) })).toEqual(
      [
        'warning client-inactive: work-OST0002 inactive on client login1: files there give I/O errors; the MDTs still use it',
      ].map((line) => expect.stringContaining(line.slice(0, 90))),
    );
  });
});

describe('clients', () => {
  it('a client that does not know an OST which the MDTs fill', () => {
    expect(
      said({
        osts: osts(8, (at) => (at === 7 ? { lackedBy: ['login1'] } : {})),
        clients: ['login1', 'login2'],
      }),
    ).toEqual([
      "warning client-lacks: work-OST0007 not known to client login1: files there can't be read on it",
    ]);
  });

  it('one client has lost everything: its own network, not the file system', () => {
    const lost = { clients: { login2: 'DISCONN' } };
    expect(said({ mdts: [mdt(lost)], osts: osts(4, () => lost), clients: ['login1', 'login2'] })).toEqual([
      'warning client-cut: work-OST[0000-0003] work-MDT[0000] out of reach of login2 only: everybody else reaches them',
    ]);
  });

  it('the only client that is asked has lost everything, and the servers are well: the client', () => {
    const lost = { client: 'DISCONN' };
    expect(said({ mdts: [mdt(lost)], osts: osts(4, () => lost) })).toEqual([
      expect.stringMatching(/^warning client-cut: .*out of reach of login1 only/),
    ]);
  });

  it('all clients have lost OSTs that the MDTs reach: critical, the way between', () => {
    const lost = { client: 'DISCONN' };
    expect(said({ osts: osts(4, (at) => (at === 1 ? lost : {})), clients: ['login1', 'login2'] })).toEqual([
      'critical client-cut: work-OST0001 out of reach of all 2 clients that were read; servers reach it',
    ]);
  });

  it('that calls itself unhealthy: a warning', () => {
    expect(said({ health: { login1: 'LBUG' } })).toEqual([
      'warning health: login1: Lustre reports health "LBUG"',
    ]);
  });
});

describe('nothing is wrong', () => {
  it.each<[string, Partial<Printed>]>([
    ['one MDT', {}],
    ['four MDTs on two servers', { mdts: [mdt(), mdt({ mds: 'mds2' }), mdt(), mdt({ mds: 'mds2' })] }],
    ['idle connections of clients', { osts: osts(8, (at) => (at % 3 === 0 ? { client: 'IDLE' } : {})) }],
    ['partners with nothing mounted', { idle: { mds2: 'lustre-mds', oss9: 'lustre-oss' } }],
    [
      'partners without modules',
      { idle: { mds2: 'lustre-mds', oss9: 'lustre-oss' }, unloaded: ['mds2', 'oss9'] },
    ],
    ['no client is asked', { clients: [] }],
    ['ten clients', { clients: Array.from({ length: 10 }, (_, at) => `login${at}`) }],
  ])('%s', (_name, printed) => {
    expect(said(printed)).toEqual([]);
  });

  it('a server without modules is told of where something is missing that it may have held', () => {
    const printed = { osts: osts(8, (at) => ({ mounted: at < 6 })), unloaded: ['oss4'] };
    expect(said(printed)).toEqual([
      expect.stringMatching(/^critical unreachable: work-OST\[0006-0007\]/),
      'warning unread: oss4: the Lustre modules are not loaded: it serves nothing',
    ]);
  });
});

describe('types of quotas that targets enforce', () => {
  const enforcing = (types: (index: number) => string, md = 'ug'): string[] =>
    said({
      mdts: [mdt({ quota: 'setup', quotaTypes: md }), mdt({ mds: 'mds2', quota: 'setup', quotaTypes: md })],
      osts: osts(8, (index) => ({ quota: 'setup', quotaTypes: types(index) })),
    });

  it('an OST that has missed a change', () => {
    expect(enforcing((index) => (index === 3 ? 'u' : 'ug'))).toEqual([
      'notice quota-types: work-OST0003: 1 target with user quotas, 7 others with user and group',
    ]);
  });

  it('none at all on two of them', () => {
    expect(enforcing((index) => (index > 5 ? 'none' : 'ugp'))).toEqual([
      'notice quota-types: work-OST[0006-0007]: 2 targets with no quotas, 6 others with user and group and project',
    ]);
  });

  it('half and half: nothing says who is wrong, and all are named', () => {
    expect(enforcing((index) => (index > 3 ? 'ug' : 'u'))).toEqual(
      [
        'notice quota-types: work-OST[0000-0007]: their quotas differ: OST[0000-0003] with user, OST[0004-0007] with user and group',
      ].map((line) => expect.stringContaining(line.slice(0, 96))),
    );
  });

  it.each<[string, string[]]>([
    ['all alike', enforcing(() => 'ug')],
    ['quotas on the OSTs only: a choice', enforcing(() => 'ug', 'none')],
    ['a form that is not known', enforcing((index) => (index === 3 ? 'x?' : 'ug'))],
  ])('%s: silent', (_name, lines) => {
    expect(lines).toEqual([]);
  });
});
