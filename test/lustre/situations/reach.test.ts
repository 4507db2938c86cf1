import { describe, expect, it } from 'vitest';
import { findings } from '../../../probes/lustre/judge/findings.ts';
import { type Printed, type PrintedMdt, type PrintedOst, PrintedSite } from '../printed-site.ts';

const osts = (count: number, more: (index: number) => Partial<PrintedOst> = () => ({})): PrintedOst[] =>
  Array.from({ length: count }, (_, index) => ({ oss: `oss${1 + Math.floor(index / 2)}`, ...more(index) }));
const mdt = (more: Partial<PrintedMdt> = {}): PrintedMdt => ({ mds: 'mds1', ...more });
const clients = ['login1', 'login2', 'login3'];
const siteOf = (printed: Partial<Printed>): PrintedSite =>
  new PrintedSite({ mdts: [mdt()], osts: osts(8), clients, ...printed });
const suspects = (site: PrintedSite): string[] =>
  findings(site.judgement()).flatMap((one) => (one.suspects ?? []).map(({ subject }) => subject.id));

describe('a client that connects', () => {
  const all = (host: string, state: string): Partial<Printed> => ({
    mdts: [mdt({ clients: { [host]: state } })],
    osts: osts(8, () => ({ clients: { [host]: state } })),
  });
  const some: Partial<Printed> = {
    osts: osts(8, (at) => (at > 5 ? { clients: { login2: 'CONNECTING' } } : {})),
  };

  it.each<[string, Partial<Printed>]>([
    ['to everything, CONNECTING', all('login2', 'CONNECTING')],
    ['to everything, NEW', all('login2', 'NEW')],
    ['to its last OSTs', some],
    [
      'with NEW and CONNECTING mixed',
      {
        ...some,
        osts: osts(8, (at) => (at > 3 ? { clients: { login2: at % 2 ? 'NEW' : 'CONNECTING' } } : {})),
      },
    ],
    ['and is the only one that is asked', { ...all('login1', 'CONNECTING'), clients: ['login1'] }],
    ['to the management server', { mgc: { login2: 'CONNECTING' } }],
    [
      'to all, and to the management server',
      { ...all('login2', 'CONNECTING'), mgc: { login2: 'CONNECTING' } },
    ],
    ['to a second file system as well', { ...all('login2', 'CONNECTING'), home: 'FULL' }],
    [
      'where one OST is taken out',
      {
        ...all('login2', 'CONNECTING'),
        osts: osts(8, (at) =>
          at === 7 ? { active: { 0: 0 }, clientActive: 0 } : { clients: { login2: 'CONNECTING' } },
        ),
      },
    ],
  ])('%s, seen once: nothing above a notice', (_, printed) => {
    expect(siteOf(printed).loud()).toEqual([]);
  });

  it('seen once is said, seen twice is a client without its network', () => {
    const site = siteOf(some);
    expect(site.said()).toEqual([
      'notice client-cut: work-OST[0006-0007] connecting on login2: a mount, or cut off if that lasts',
    ]);
    expect(site.later(30).loud()).toEqual([
      'warning client-cut: work-OST[0006-0007] out of reach of login2 only: everybody else reaches them',
    ]);
    expect(suspects(site)).toEqual(['login2']);
  });

  it('seen twice within a second: of one try', () => {
    expect(siteOf(some).later(1).loud()).toEqual([]);
  });

  it('the management server, once is a notice, twice is a host without it', () => {
    const site = siteOf({ mgc: { login2: 'CONNECTING' } });
    expect(site.said()).toEqual([expect.stringMatching(/^notice mgs: login2: /)]);
    expect(site.later(30).said()).toEqual([expect.stringMatching(/^warning mgs: login2: .*out of reach/)]);
  });

  it('other OSTs than before: still mounting', () => {
    const next = { osts: osts(8, (at) => (at < 2 ? { clients: { login2: 'CONNECTING' } } : {})) };
    expect(siteOf(some).later(30, next).loud()).toEqual([]);
  });

  it.each<[string, Partial<Printed>]>([
    [
      'one try has failed',
      { osts: osts(8, (at) => (at > 5 ? { clients: { login2: at === 6 ? 'DISCONN' : 'CONNECTING' } } : {})) },
    ],
    ['it has its OSTs and misses the MDT', { mdts: [mdt({ clients: { login2: 'CONNECTING' } })] }],
    [
      'a state that nobody knows',
      { osts: osts(8, (at) => (at > 5 ? { clients: { login2: 'SOMETHING' } } : {})) },
    ],
  ])('%s: a client without its network', (_, printed) => {
    expect(siteOf(printed).loud()).toEqual([expect.stringMatching(/^warning client-cut: .* of login2 only/)]);
  });

  it('is no proof against an OST that is away', () => {
    const gone = osts(8, (at) => (at > 5 ? { mounted: false, client: 'CONNECTING' } : {}));
    expect(siteOf({ osts: gone }).loud()[0]).toMatch(/^critical unreachable: work-OST\[0006-0007\]/);
  });

  it('and nobody else is read: what it does not reach is out of reach', () => {
    const down = ['mds1', 'oss1', 'oss2', 'oss3', 'oss4'];
    expect(siteOf({ ...all('login1', 'CONNECTING'), clients: ['login1'], down }).loud()[0]).toMatch(
      /^critical unserved: file system work out of reach: .*no answer from mds1,oss\[1-4\]/,
    );
  });
});

describe('behind a dead router', () => {
  const lost = mdt({ client: 'DISCONN' });
  const idle = osts(8, () => ({ client: 'IDLE' }));

  it.each<[string, Partial<Printed>]>([
    ['all connections to OSTs idle', { mdts: [lost], osts: idle }],
    [
      'some idle, some lost',
      { mdts: [lost], osts: osts(8, (at) => ({ client: at % 3 ? 'IDLE' : 'DISCONN' })) },
    ],
    [
      'one client’s lost, the others’ idle',
      { mdts: [lost], osts: osts(8, () => ({ client: 'IDLE', clients: { login1: 'DISCONN' } })) },
    ],
    ['two MDTs', { mdts: [lost, mdt({ mds: 'mds2', client: 'DISCONN' })], osts: idle }],
    [
      'the management server is lost, too',
      { mdts: [lost], osts: idle, mgc: Object.fromEntries(clients.map((one) => [one, 'DISCONN'])) },
    ],
  ])('%s: the way between, and no MDS', (_, printed) => {
    const site = siteOf(printed);
    const worst = site.said().filter((line) => line.startsWith('critical'));
    expect(worst).toEqual([
      expect.stringMatching(/^critical client-cut: .*MDT.* out of reach of all 3 clients/),
    ]);
    expect(suspects(site).filter((host) => /^(mds|oss)/.test(host))).toEqual([]);
  });

  it('a client that reaches OSTs: the MDS', () => {
    const one = osts(8, (at) => ({ client: 'IDLE', ...(at === 0 && { clients: { login3: 'FULL' } }) }));
    expect(siteOf({ mdts: [lost], osts: one }).loud()[0]).toMatch(
      /^critical mdt-unreachable: .*mounted on mds1/,
    );
  });

  it('the MDT reaches no OST: the MDS', () => {
    const cut = osts(8, () => ({ client: 'IDLE', states: { 0: 'DISCONN' } }));
    const site = siteOf({ mdts: [lost], osts: cut });
    expect(site.loud()[0]).toMatch(/^critical mdt-unreachable: .*mounted on mds1/);
    expect([...new Set(suspects(site))]).toEqual(['mds1']);
  });

  it('the MDS is down: the MDS', () => {
    expect(siteOf({ mdts: [mdt({ mounted: false })], osts: idle, down: ['mds1'] }).loud()[0]).toMatch(
      /^critical mdt-unreachable: .*no answer from mds1/,
    );
  });

  it('one client of three: that client', () => {
    const one = {
      mdts: [mdt({ clients: { login2: 'DISCONN' } })],
      osts: osts(8, () => ({ clients: { login2: 'IDLE' } })),
    };
    expect(siteOf(one).loud()).toEqual([
      'warning client-cut: work-MDT0000 out of reach of login2 only: everybody else reaches it',
    ]);
  });
});
