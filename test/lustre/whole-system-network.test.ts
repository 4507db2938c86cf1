import { describe, expect, it } from 'vitest';
import { findings } from '../../probes/lustre/judge/findings.ts';
import { mdt, osts, said, suspectsIn } from './printed-findings.ts';
import type { Printed } from './printed-site.ts';
import { PrintedSite } from './printed-site.ts';

describe('an MDS that has lost its network', () => {
  const cut: Partial<Printed> = {
    mdts: [mdt({ client: 'DISCONN' })],
    osts: osts(8, () => ({ states: { 0: 'DISCONN' }, client: 'IDLE' })),
  };

  it('while clients are idle: that MDS, and no OSS or client', () => {
    expect(said(cut)).toEqual(
      [
        'critical mdt-unreachable: work-MDT0000 unreachable, file system work out of reach: mounted on mds1, which nobody reaches',
        'critical unreachable: work-OST[0000-0007] out of reach of MDT0000 on mds1, which has lost all its OSTs (imports DISCONN)',
      ].map((line) => expect.stringContaining(line.slice(0, 100))),
    );
    expect(suspectsIn(cut, 'unreachable')).toEqual(['mds1']);
    expect(suspectsIn(cut, 'mdt-unreachable')).toEqual(['mds1']);
  });

  it('with a single OSS: both ends', () => {
    expect(suspectsIn({ ...cut, osts: cut.osts?.slice(0, 2) ?? [] }, 'unreachable')).toEqual([
      'mds1',
      'oss1',
    ]);
  });

  it('not where a client has lost them as well: the OSSs', () => {
    const away = osts(8, () => ({ states: { 0: 'DISCONN' }, client: 'DISCONN' }));
    expect(suspectsIn({ osts: away }, 'unreachable')).toEqual(['oss1', 'oss2', 'oss3', 'oss4']);
  });

  it('not where the MDT reaches the OSTs of other OSSs: that OSS', () => {
    const away = osts(8, (at) => ({ client: 'IDLE', ...(at > 5 && { states: { 0: 'DISCONN' } }) }));
    expect(suspectsIn({ osts: away }, 'unreachable')).toEqual(['oss4']);
  });

  it('not where the OSTs are mounted nowhere', () => {
    const away = osts(4, () => ({ mounted: false, client: 'IDLE' }));
    expect(said({ osts: away })[0]).toMatch(/^critical unreachable: work-OST.* mounted on no OSS/);
  });

  it('an idle client that has lost the MDT alone: nobody else is said to reach it', () => {
    const idle = osts(4, () => ({ client: 'IDLE' }));
    expect(said({ mdts: [mdt({ client: 'DISCONN' })], osts: idle })).toEqual([
      'warning client-cut: work-MDT0000 out of reach of login1 only: its MDS has it mounted',
    ]);
  });
});

describe('a dead router between clients and servers', () => {
  const clients = ['login1', 'login2'];
  const lost = { client: 'DISCONN' };

  it('all clients have lost everything, and the MDT reaches its OSTs: the way between, not the MDS', () => {
    expect(said({ clients, mdts: [mdt(lost)], osts: osts(8, () => lost) })).toEqual([
      expect.stringMatching(
        /^critical client-cut: work-OST\[0000-0007\] work-MDT\[0000\] out of reach of all 2 clients that were read/,
      ),
    ]);
  });

  it('one of them reaches its OSTs: the MDT', () => {
    const one = osts(8, () => ({ clients: { login1: 'DISCONN' } }));
    expect(said({ clients, mdts: [mdt(lost)], osts: one })[0]).toMatch(
      /^critical mdt-unreachable: .*mounted on mds1, which nobody reaches/,
    );
  });

  it('the MDT has lost its OSTs, too: the MDT', () => {
    const all = osts(8, () => ({ ...lost, states: { 0: 'DISCONN' } }));
    expect(said({ clients, mdts: [mdt(lost)], osts: all })[0]).toMatch(/^critical mdt-unreachable/);
  });
});

describe('a file system of another centre, which clients mount as well', () => {
  const idle = { mds2: 'lustre-mds', oss9: 'lustre-oss' } as const;

  it('well: a partner without modules is silent', () => {
    expect(said({ home: 'FULL', idle, unloaded: ['mds2', 'oss9'] })).toEqual([]);
  });

  it('away: told once, and no server of the site is suspected or told to mount it', () => {
    const printed = { home: 'DISCONN', idle };
    expect(said(printed)).toEqual([
      'critical unserved: file system home out of reach: none of its 1 MDT and 1 OST answers, no server here has them mounted',
    ]);
    expect(suspectsIn(printed, 'unserved')).toEqual([]);
    const [away] = findings(new PrintedSite({ mdts: [mdt()], osts: osts(8), ...printed }).judgement());
    expect(away?.advice).toMatch(/No server of the site file was seen with a target of home/);
  });

  it('away, and a server that was never read may have it: that server', () => {
    const printed = { home: 'DISCONN', idle, down: ['oss9'] };
    expect(suspectsIn(printed, 'unserved')).toEqual(['oss9']);
    expect(said(printed)[0]).toMatch(/answers; no answer from oss9$/);
  });

  it('away, and a server without modules may be its own: that server is told', () => {
    expect(said({ home: 'DISCONN', idle, unloaded: ['oss9'] })).toContainEqual(
      'warning unread: oss9: the Lustre modules are not loaded: it serves nothing',
    );
  });

  it('the site’s own OSTs are mounted nowhere while it is well: said as ever', () => {
    const printed = { home: 'FULL', osts: osts(8, (at) => ({ mounted: at < 6 })) };
    expect(said(printed)).toEqual([
      'critical unreachable: work-OST[0006-0007] (2 OSTs) mounted on no OSS: imports DISCONN, not deactivated',
    ]);
    expect(suspectsIn(printed, 'unreachable')).toEqual(['oss4']);
  });

  it('no server of the site has anything mounted: one thing, told once, with the servers', () => {
    const nothing = { mdts: [mdt({ mounted: false })], osts: osts(2, () => ({ mounted: false })) };
    expect(said(nothing)).toEqual([
      'critical unserved: file system work served by nobody: none of its 1 MDT and 2 OSTs is mounted',
    ]);
    expect(suspectsIn(nothing, 'unserved')).toEqual(['mds1', 'oss1']);
  });

  it.each<[string, Partial<Printed>]>([
    ['one OST is mounted', { osts: osts(2, (at) => ({ mounted: at > 0 })) }],
    ['one OST is only idle on the client', { osts: osts(2, (at) => ({ mounted: at > 0, client: 'IDLE' })) }],
    ['the other MDT is mounted', { mdts: [mdt({ mounted: false }), mdt({ mds: 'mds2' })] }],
  ])('not all of it: %s', (_, more) => {
    const printed = { mdts: [mdt({ mounted: false })], osts: osts(2, () => ({ mounted: false })), ...more };
    expect(said(printed).filter((line) => line.includes('unserved'))).toEqual([]);
    expect(said(printed)[0]).toMatch(/^critical mdt-unreachable/);
  });
});

describe('a client that replays after all others', () => {
  const over =
    'status: COMPLETE\nrecovery_start: 1732000000\nrecovery_duration: 62\ncompleted_clients: 412/412\nreplayed_requests: 0\nlast_transno: 8589934592\nVBR: DISABLED\nIR: ENABLED\n';
  const late = (recovery?: string, more: Partial<Printed> = {}): string[] =>
    said({
      clients: ['login1', 'login2'],
      osts: osts(8, (at) =>
        at === 3 ? { clients: { login2: 'REPLAY_WAIT' }, ...(recovery !== undefined && { recovery }) } : {},
      ),
      ...more,
    });
  it('is told of that client, and no recovery of the server', () => {
    expect(late(over)).toEqual([
      expect.stringMatching(/^notice client-cut: work-OST0003 still replaying on login2: for all others/),
    ]);
  });
  it('not while the server says that it recovers, nor where nobody is connected', () => {
    expect(
      late(
        'status: RECOVERING\nrecovery_start: 1732000000\ntime_remaining: 100\nconnected_clients: 400/412\n',
      )[0],
    ).toMatch(/ in recovery/);
    const all = said({
      osts: osts(8, () => ({ client: 'REPLAY_WAIT', states: { 0: 'REPLAY_WAIT' }, recovery: over })),
    });
    expect(all.join('\n')).not.toContain('still replaying');
  });

  const recovering =
    'status: RECOVERING\nrecovery_start: 1732000000\ntime_remaining: 100\nconnected_clients: 400/412\n';
  const lateAtMdt = (recovery: string): string[] =>
    said({
      clients: ['login1', 'login2'],
      mdts: [mdt({ clients: { login2: 'REPLAY_WAIT' }, recovery })],
    });
  it('is told of an MDT, too, and not while that recovers', () => {
    expect(lateAtMdt(over)).toEqual([
      expect.stringMatching(/^notice client-cut: work-MDT0000 still replaying on login2: for all others/),
    ]);
    expect(lateAtMdt(recovering).join('\n')).not.toMatch(/client-cut/);
  });
});
