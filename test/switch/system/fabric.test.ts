import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shutAction } from '../../../probes/switch/act/shut.ts';
import { restoreAction } from '../../../probes/switch/act/restore.ts';
import { findings } from '../../../probes/switch/judge/findings.ts';
import { readFabricLinks, readFabricPeers } from '../../../probes/switch/platforms/infiniband/fabric.ts';
import { joinLinks } from '../../../probes/switch/links/join.ts';
import { upSeries } from '../../../probes/switch/links/links.ts';
import { tracks } from '../../../probes/switch/judge/track.ts';
import type { Fact } from '../../../src/model/fact.ts';
import { answerOf } from '../../helpers/answer.ts';
import { historyOf, siteOf, Sources, start } from '../../helpers/judging.ts';
import { anyWord } from '../../helpers/words.ts';

import {
  argvs,
  asker,
  between,
  fabric,
  failing,
  judgement,
  leaf,
  planned,
  site,
  spine,
  withStates,
} from './fabric-world.ts';

const drained: Fact = {
  name: 'node.drained',
  subject: { kind: 'node', id: 'node12' },
  value: { reason: 'bad cable' },
};

describe('an InfiniBand fabric told by one of its hosts', () => {
  it('every link is one, with errors or without; where this host and the subnet manager hang', () => {
    const { value, notUnderstood } = readFabricLinks(answerOf(fabric([30])), asker, site);
    expect(notUnderstood).toBe(0);
    expect(value).toMatchObject({ ownLids: [46], smLids: [47] });
    expect(value.ports.map(({ port, peer }) => `${port} ${peer?.port ?? 'down'}`)).toEqual([
      'leaf-07/29 spine-02/49',
      'leaf-07/30 down',
      'leaf-07/17 node12/1',
      'leaf-07/18 fab1/1',
      'leaf-07/19 sm1/1',
      'node12/1 leaf-07/17',
    ]);
    const links = fabric().split('--- ibstat')[0] ?? '';
    const { neighbors } = readFabricPeers(answerOf(links), asker, site).value;
    const told = neighbors.map((row) => ({ host: 'fab1', port: row.port, row }));
    expect(joinLinks(told, new Map(), site).map(({ id }) => id)).toContain(
      'fab1:leaf-07/29=fab1:spine-02/49',
    );
  });

  it('unnamed switches go by their GUID; what is no port is counted', () => {
    const text = fabric().replaceAll('MF0;spine-02:MQM8700/U1', 'Quantum Mellanox Technologies');
    const { value, notUnderstood } = readFabricLinks(answerOf(`ibwarn: something\n${text}`), asker, site);
    expect(value.ports[0]?.peer?.port).toBe(`${spine}/49`);
    expect(notUnderstood).toBe(1);
  });

  it('an ibstat without a port is no reading: nobody would know whose link is ours', () => {
    expect(() =>
      readFabricLinks(answerOf(fabric().replace('Base lid: 46', 'Base lid: 0')), asker, site),
    ).toThrow('names no port of its own');
  });
});

describe('what the history keeps of a fabric', () => {
  it('since when a port of a switch is without its link', () => {
    const told = tracks(judgement({ text: fabric([29]) }));
    expect(told).toContainEqual({ series: upSeries('fab1:leaf-07/29'), value: 'down' });
    expect(told).toContainEqual({ series: upSeries('fab1:leaf-07/30'), value: 'up' });
    expect(told.map(({ series }) => series)).not.toContain(upSeries('fab1:node12/1'));
  });
});

describe('for any state of a parallel link', () => {
  it('it carries on only when it is Active and LinkUp', () => {
    const logical = anyWord(['Active', 'Initialize', 'Armed', 'Down', 'NoChange']);
    const physical = anyWord([
      'LinkUp',
      'Polling',
      'Disabled',
      'LinkErrorRecovery',
      'PortConfigurationTraining',
    ]);
    fc.assert(
      fc.property(logical, physical, (state, phys) => {
        const said = failing('fab1:leaf-07/29', { states: { 30: `${state}/${phys.padStart(8)}` } });
        if (state === 'Active' && phys === 'LinkUp') expect(said).toEqual([]);
        else
          expect(said.join()).toMatch(
            /^6 parallel link: no other link between leaf-07 and spine-02 is Active: /,
          );
      }),
    );
  });

  it('a host that may not ask for states refuses, and says what was not told', () => {
    const live = judgement();
    const bare = new Sources();
    bare.good('switch.fabric', 'fab1', readFabricLinks(answerOf(fabric()), asker, site).value, start);
    const guard = planned('fab1:leaf-07/29').guards.find(({ id }) => id === '6 parallel link');
    expect(guard?.check({ ...live, readings: bare })).toEqual({
      ok: false,
      text: 'no other link between leaf-07 and spine-02 is Active: leaf-07/30 is in a state that iblinkinfo did not report',
    });
  });

  it('a name that pretends to be a state tells nothing', () => {
    const line = `${leaf} "x" 1 30[  ] ==( 4X 1 Gbps Active/ LinkUp)==>  "`;
    const forged = withStates(fabric(), { 30: 'Initialize/  LinkUp' }).replace(
      /^.* 30\[/m,
      `${leaf} "${line}"     33   30[`,
    );
    const { value } = readFabricLinks(answerOf(forged), asker, site);
    expect(value.ports.find(({ port }) => port === 'leaf-07/30')?.link).not.toBe('Active/LinkUp');
  });

  it('a port that trains is not up again', () => {
    const context = { judgement: judgement({ text: fabric([29]) }), operator: 'alice' };
    const plan = restoreAction.plan([{ kind: 'port', id: 'fab1:leaf-07/29' }], { takeOver: 'x' }, context);
    if ('refused' in plan) throw new Error(plan.reason);
    const [target] = plan.targets;
    const trains = judgement({ states: { 29: 'Armed/  LinkUp' } });
    expect(target?.verify.check(trains)).toEqual({ state: 'wait', text: 'leaf-07/29 reads Armed/LinkUp' });
    expect(target?.whyAlreadyDone(trains)).toBeUndefined();
    expect(target?.verify.check(judgement()).state).toBe('yes');
  });
});

describe('shutting a link of a fabric', () => {
  it('one of two between switches: by GUID, undone by a timer on the host that asks', () => {
    const target = planned('fab1:leaf-07/29');
    expect(failing('fab1:leaf-07/29')).toEqual([]);
    expect(argvs(target.steps)).toEqual([`fab1: sudo -n ibportstate -G ${leaf} 29 disable`]);
    const [proof, timer] = argvs(target.hold?.arm);
    expect(proof).toMatch(/^fab1: sudo -n sh -c /);
    expect(proof).toContain(`1 ibportstate -G ${leaf} 29 speed 0 smpquery -G portinfo ${leaf} 29`);
    expect(timer).toMatch(
      /^fab1: sudo -n systemd-run --collect --unit=faultline-undo-fab1-leaf-07-29 --on-active=120s --timer-property=AccuracySec=1s sh -c /,
    );
    expect(timer).toContain(
      ' faultline  /run/faultline-undo/faultline-undo-fab1-leaf-07-29 fab1:leaf-07/29 fab1 ',
    );
    expect(timer).toContain(`1 ibportstate -G ${leaf} 29 enable smpquery -G portinfo ${leaf} 29`);
    expect(argvs(target.hold?.restore)).toEqual([`fab1: sudo -n ibportstate -G ${leaf} 29 enable`]);
    const after = judgement({ text: fabric([29]) });
    expect(target.verify.check(after).state).toBe('yes');
    expect(target.hold?.kept.check(after).state).toBe('yes');
    expect(target.hold?.checkKeeping(after)).toEqual({
      ok: true,
      text: 'links between leaf-07 and spine-02   before 2, now 1',
    });
    expect(target.hold?.restored.check(judgement()).state).toBe('yes');
  });

  it('the last one between two switches is refused', () => {
    expect(failing('fab1:leaf-07/29', { text: fabric([30]) })).toEqual([
      '6 parallel link: it is the only link between leaf-07 and spine-02',
    ]);
  });

  it('what others took out counts, by where its cable led', () => {
    const three = (down: readonly number[]): string => `${between(down.includes(31), 31)}\n${fabric(down)}`;
    const led = (port: string, to: string) => ({
      [`switch/link/fab1:${port}/far`]: [{ at: start - 60_000, value: to }],
    });
    const [own, other] = [
      historyOf(led('leaf-07/30', 'fab1:spine-02/50')),
      historyOf(led('leaf-07/30', 'fab1:spine-021/50')),
    ];
    expect(failing('fab1:leaf-07/29', { text: three([30]), history: other })).toEqual([]);
    expect(failing('fab1:leaf-07/29', { text: three([30]), history: own })).toEqual([
      '6 parallel link: 1 of 3 links between leaf-07 and spine-02 stay up (limit 2)',
    ]);
  });

  it('two switches of one name are no targets: nobody knows which of them is meant', () => {
    const twin = fabric().split('\n')[0]?.replaceAll(leaf, '0x506b4b0300000099') ?? '';
    const text = `${twin}\n${fabric()}`;
    const { value, notUnderstood } = readFabricLinks(answerOf(text), asker, site);
    expect(value.ports.map(({ port }) => port)).not.toContain('leaf-07/29');
    expect(notUnderstood).toBe(2);
    expect(() => planned('fab1:leaf-07/29', { text })).toThrow('is not in the last reading');
  });

  it('a name that is another switch now is refused: it is told by its GUID', () => {
    const target = planned('fab1:leaf-07/29');
    const live = judgement({ text: fabric().replaceAll(leaf, '0x506b4b0300000099') });
    expect(target.guards[0]?.check(live)).toEqual({
      ok: false,
      text: 'leaf-07/29 is a port of another switch now',
    });
  });

  it("never the subnet manager's, nor the one of the host that would undo it", () => {
    expect(failing('fab1:leaf-07/19')).toContain('9 own way: it is the link of sm1, the subnet manager');
    expect(failing('fab1:leaf-07/18')).toContain('9 own way: it is the link of fab1, which would undo it');
  });

  it("a host's link only when its node is drained and idle, and somebody says so now", () => {
    const id = 'fab1:leaf-07/17';
    expect(failing(id)).toEqual(['6 parallel link: node12 is not drained']);
    expect(failing(id, { facts: [drained] })).toEqual([]);
    const busy: Fact = { ...drained, name: 'node.busy', value: { jobs: ['4711'], users: ['alice'] } };
    expect(failing(id, { facts: [drained, busy] })).toEqual(['6 parallel link: jobs run on node12: 4711']);
    expect(failing(id, { facts: [drained], slurm: false })).toEqual([
      '6 parallel link: whether node12 is drained and idle is not known: nobody answers for it now',
    ]);
  });

  it("a host's own port, a port that is not there, and an old reading are refused", () => {
    const plan = (id: string) =>
      shutAction.plan([{ kind: 'port', id }], {}, { judgement: judgement(), operator: 'alice' });
    expect(plan('fab1:node12/1')).toMatchObject({
      reason: "node12/1 is a host's own port: shut the switch port it is on",
    });
    expect(plan('fab1:leaf-07/99')).toMatchObject({ guard: '3 preconditions' });
  });

  it('stays a finding as long as it is down, and the lock is that of both switches', () => {
    const shut = { at: start - 60_000, port: 'fab1:leaf-07/29', by: 'alice' };
    const kinds = (text: string): readonly string[] => {
      const live = judgement({ text, shut: [shut] });
      return findings(live).map(({ kind, summary }) => `${kind}: ${summary}`);
    };
    expect(kinds(fabric([29]))).toEqual(['shut-by-us: fab1 leaf-07/29 shut by alice, not saved']);
    expect(kinds(fabric())).toEqual([]);
    expect(planned('fab1:leaf-07/29').lockGroups).toEqual([`fabric ${spine}`, `fabric ${leaf}`]);
  });

  it('that nobody tells of jobs is not that there are none', () => {
    const live = judgement({ facts: [drained] });
    const [jobs, drains] = [
      { probe: 'slurm.jobs', host: 'ctl1' },
      { probe: 'slurm.nodes', host: 'ctl1' },
    ];
    const facts = { ...live.facts, askedBy: (name: string) => [name === 'node.busy' ? jobs : drains] };
    const target = shutAction.plan(
      [{ kind: 'port', id: 'fab1:leaf-07/17' }],
      {},
      {
        judgement: { ...live, facts },
        operator: 'alice',
      },
    );
    if ('refused' in target) throw new Error(target.reason);
    const guard = target.targets[0]?.guards.find(({ id }) => id === '6 parallel link');
    expect(guard?.check({ ...live, facts })).toMatchObject({
      ok: false,
      text: 'whether node12 is drained and idle is not known: nobody answers for it now',
    });
  });

  it('what no console shut wants a reason to be put back', () => {
    const night = { text: fabric([29]) };
    const restore = (takeOver?: string) => {
      const plan = restoreAction.plan(
        [{ kind: 'port', id: 'fab1:leaf-07/29' }],
        takeOver === undefined ? {} : { takeOver },
        {
          judgement: judgement(night),
          operator: 'alice',
        },
      );
      if ('refused' in plan) throw new Error(plan.reason);
      const owner = plan.targets[0]?.guards.find(({ id }) => id === '4 ownership');
      return { owned: owner?.check(judgement(night)).ok, exceeded: plan.exceeded };
    };
    expect(restore()).toEqual({ owned: false, exceeded: [] });
    expect(restore('its cable was changed')).toEqual({
      owned: false,
      exceeded: [{ guard: '4 ownership', reason: 'its cable was changed' }],
    });
    const shut = [{ at: start - 60_000, port: 'fab1:leaf-07/29', by: 'alice' }];
    const ours = restoreAction.plan(
      [{ kind: 'port', id: 'fab1:leaf-07/29' }],
      {},
      {
        judgement: judgement({ ...night, shut }),
        operator: 'bob',
      },
    );
    expect(ours).toMatchObject({ because: ['shut by a console: alice did'] });
  });

  it.each([
    ['a host that is asked for the journal', ['switch-helper'], ['switch.fabric fab1', 'switch.journal adm']],
    ['a host that is not', [], ['switch.fabric fab1']],
  ])('reads the journal again only where it is read at all: on %s', (_, roles, expected) => {
    const shared = siteOf(
      [
        { name: 'fab1', roles: ['switch'], platform: 'infiniband' },
        { name: 'adm', roles },
      ],
      {
        shared: { host: 'adm', dir: '/srv/faultline' },
      },
    );
    const context = { judgement: { ...judgement({ text: fabric([29]) }), site: shared }, operator: 'alice' };
    const plan = restoreAction.plan([{ kind: 'port', id: 'fab1:leaf-07/29' }], {}, context);
    if ('refused' in plan) throw new Error(plan.reason);
    const reads = plan.targets[0]?.guards.flatMap((guard) => guard.reads) ?? [];
    expect(reads.map(({ probe, host }) => `${probe} ${host}`)).toEqual(expected);
  });

  it('is put back by the same GUID', () => {
    const context = { judgement: judgement({ text: fabric([29]) }), operator: 'alice' };
    const plan = restoreAction.plan([{ kind: 'port', id: 'fab1:leaf-07/29' }], {}, context);
    if ('refused' in plan) throw new Error(plan.reason);
    expect(argvs(plan.targets[0]?.steps)).toEqual([`fab1: sudo -n ibportstate -G ${leaf} 29 enable`]);
    expect(plan.targets[0]?.whyAlreadyDone(judgement())).toBe('leaf-07/29 is up already');
  });
});
