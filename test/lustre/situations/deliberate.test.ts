import { describe, expect, it } from 'vitest';
import { findings } from '../../../probes/lustre/judge/findings.ts';
import { type Printed, type PrintedMdt, type PrintedOst, PrintedSite } from '../printed-site.ts';

const osts = (count: number, more: (index: number) => Partial<PrintedOst> = () => ({})): PrintedOst[] =>
  Array.from({ length: count }, (_, index) => ({ oss: `oss${1 + Math.floor(index / 2)}`, ...more(index) }));
const mdts = (count: number, more: (index: number) => Partial<PrintedMdt> = () => ({})): PrintedMdt[] =>
  Array.from({ length: count }, (_, index) => ({ mds: `mds${index + 1}`, ...more(index) }));
const siteOf = (printed: Partial<Printed>): PrintedSite =>
  new PrintedSite({ mdts: mdts(4), osts: osts(8), ...printed });
const said = (printed: Partial<Printed>): string[] => siteOf(printed).said();

describe('an OST that somebody empties', () => {
  const stoppedOn = (list: readonly number[]) => osts(8, (at) => (at === 5 ? { stoppedOn: list } : {}));

  it('stopped on all MDTs that could be read: those that were not are named, and the next step waits for them', () => {
    const site = siteOf({ osts: stoppedOn([0, 1, 2]), down: ['mds4'] });
    expect(site.said()).toEqual([
      'notice flags: work-OST0005 kept from new objects: max_create_count=0 on 3 of 4 MDTs; MDT0003 not read',
    ]);
    expect(findings(site.judgement())[0]?.advice).toMatch(/may still put objects there/);
  });

  it('stopped on all of them: nothing is left open', () => {
    expect(said({ osts: stoppedOn([0, 1, 2, 3]) })).toEqual([
      'notice flags: work-OST0005 kept from new objects: max_create_count=0',
    ]);
  });

  it('degraded, and its server has stopped answering since: as it was last read', () => {
    const site = siteOf({ osts: osts(8, (at) => (at === 5 ? { degraded: 1 } : {})) });
    expect(site.said()).toEqual(['notice flags: work-OST0005 kept from new objects: degraded']);
    expect(site.later(30, { down: ['oss3'] }).said()).toEqual([
      'notice flags: work-OST0005 kept from new objects: degraded when oss3 was last read',
    ]);
  });
});

describe('an MDT that other MDTs hold inactive', () => {
  const held = (by: readonly number[], more: Partial<Printed> = {}): string[] =>
    said({ mdts: mdts(4, (at) => (at === 3 ? { heldBy: by } : {})), ...more });

  it('by all others: worth knowing', () => {
    expect(held([0, 1, 2])).toEqual([
      'notice mdt-inactive: work-MDT0003 held inactive by MDT[0000-0002] (active=0)',
    ]);
  });

  it('by one of them: left half way', () => {
    expect(held([1])).toEqual([
      'warning mdt-inactive: work-MDT0003 held inactive by MDT0001 (active=0); MDT[0000,0002] use it',
    ]);
  });

  it('one was not read: not counted', () => {
    expect(held([0, 1], { down: ['mds3'] })).toEqual([
      expect.stringMatching(
        /^notice mdt-inactive: work-MDT0003 .*MDT\[0000-0001\] \(active=0\); MDT0002 not read$/,
      ),
    ]);
  });

  it('silent: held by nobody, and a file system of one MDT', () => {
    expect(held([])).toEqual([]);
    expect(said({ mdts: mdts(1) })).toEqual([]);
  });
});

describe('a target whose umount has begun', () => {
  const away = { states: { 0: 'DISCONN', 1: 'DISCONN', 2: 'DISCONN', 3: 'DISCONN' }, client: 'DISCONN' };

  it('and hangs: said of the target, and no network is suspected', () => {
    const site = siteOf({ osts: osts(8, (at) => (at === 5 ? { ...away, stopping: true } : {})) });
    expect(site.said()).toEqual([
      'critical unreachable: work-OST0005 (1 OST on oss3) being stopped (device ST): imports DISCONN, not deactivated',
    ]);
    const [found] = findings(site.judgement());
    expect(found?.advice).toMatch(/umount on oss3 is under way.*work-OST0004.*are reached/);
    expect(found?.suspects).toBeUndefined();
  });

  it('beside one of the same server that is out of reach for another reason: told apart', () => {
    const site = siteOf({
      osts: osts(8, (at) => (at > 5 ? { ...away, ...(at === 7 && { stopping: true }) } : {})),
    });
    expect(site.said()).toEqual([
      expect.stringMatching(/^critical unreachable: work-OST0007 .*being stopped/),
      expect.stringMatching(/^critical unreachable: work-OST0006 .*unreachable: imports/),
    ]);
  });

  it('an MDT: where it is being stopped', () => {
    const gone = { client: 'DISCONN', peers: 'DISCONN', stopping: true };
    expect(said({ mdts: mdts(2, (at) => (at === 1 ? gone : {})) })).toEqual([
      'critical mdt-unreachable: work-MDT0001 unreachable, directories there hang: being stopped on mds2 (device ST)',
    ]);
  });

  it('silent while everybody is still connected, and when another target is not set up', () => {
    expect(said({ osts: osts(8, (at) => (at === 5 ? { stopping: true } : {})) })).toEqual([]);
    expect(said({ mdts: mdts(2, (at) => (at === 1 ? { stopping: true } : {})) })).toEqual([]);
  });
});

describe('quota slaves without their master', () => {
  const none = 'not setup yet';
  const slaves = (
    of: (at: number) => string,
    mdt: (at: number) => string = () => none,
  ): Partial<Printed> => ({
    mdts: mdts(2, (at) => ({ quota: at === 0 ? 'setup' : mdt(at) })),
    osts: osts(8, (at) => ({ quota: of(at) })),
  });

  it('all of a file system: one finding, with the master and its server', () => {
    expect(said(slaves(() => none))).toEqual([
      'warning quota: work: no quota slave has its master on MDT0000 (mds1): 9 targets not connected',
    ]);
  });

  it('those of one server: by server, and not connected is not the same as out of date', () => {
    expect(
      said(
        slaves(
          (at) => (at < 2 ? none : 'setup'),
          () => 'setup',
        ),
      ),
    ).toEqual(['warning quota: oss1: user and group quota of 2 targets not connected to the quota master']);
  });

  it.each<[string, Partial<Printed>]>([
    [
      'all are connected',
      slaves(
        () => 'setup',
        () => 'setup',
      ),
    ],
    ['no target prints any', {}],
  ])('silent: %s', (_, printed) => {
    expect(said(printed)).toEqual([]);
  });

  it('one server in all: what its slaves share may as well be that server', () => {
    const one = { mdts: mdts(1, () => ({ quota: 'setup' })), osts: osts(2, () => ({ quota: none })) };
    expect(said(one)).toEqual([
      'warning quota: oss1: user and group quota of 2 targets not connected to the quota master',
    ]);
  });
});

describe('an account that is not root', () => {
  const denied = (host: string): string =>
    `notice denied: ${host}: devices, recovery and imports may not be read with this login`;

  it.each<[string, readonly string[]]>([
    ['on one OSS', ['oss1']],
    ['on all servers', ['mds1', 'mds2', 'oss1', 'oss2', 'oss3', 'oss4']],
  ])('%s: what it does not see is told, and no target is missed for it', (_, rootless) => {
    expect(said({ mdts: mdts(2), rootless }).toSorted()).toEqual(rootless.map(denied));
  });

  it('sees an OST that is not mounted all the same', () => {
    const lost = osts(8, (at) => (at === 5 ? { mounted: false } : {}));
    expect(said({ osts: lost, rootless: ['oss3'] })).toEqual([
      expect.stringMatching(/^critical unreachable: work-OST0005/),
      denied('oss3'),
    ]);
  });

  it('silent: root on all of them, and partners whose modules are not loaded', () => {
    expect(said({})).toEqual([]);
    expect(said({ idle: { oss9: 'lustre-oss' }, unloaded: ['oss9'] })).toEqual([]);
  });
});
