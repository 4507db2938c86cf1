import { describe, expect, it } from 'vitest';
import { restartOn } from '../../probes/gluster/settings.ts';
import { isSpaceShort } from '../../probes/lustre/judge/find-space.ts';
import { limitsOf } from '../../probes/lustre/settings.ts';
import { matrixAction } from '../../probes/switch/matrix/act.ts';
import { matrixProbe } from '../../probes/switch/matrix/probe.ts';
import { matrixGrid } from '../../probes/switch/matrix/view.ts';
import { knowledge } from '../../src/commands/open-site.ts';
import type { SiteView } from '../../src/model/site.ts';
import { parseSite } from '../../src/site/parse.ts';
import { viewOf } from '../../src/site/view.ts';
import { judgementOf, Sources } from '../helpers/judging.ts';

const siteWith = (...lines: readonly string[]): SiteView =>
  viewOf(
    parseSite(
      [
        'site: test',
        'hosts:',
        '  - {names: "gl[1-4]", roles: [gluster]}',
        '  - {names: "login[1-3]", roles: [ping-client]}',
        ...lines,
      ].join('\n'),
      'site.yaml',
      knowledge,
    ).site,
  );

describe('limits of one of several Lustre file systems', () => {
  const site = siteWith(
    'lustre: {limits: {full: 90%}, fileSystems: {home: {limits: {full: 80%}}, work: {limits: {freeOut: 5%}}}}',
  );

  it('go before the general ones, key by key', () => {
    expect(limitsOf(site, 'home')).toEqual({ full: 0.8, freeOut: 0.25 });
    expect(limitsOf(site, 'work')).toEqual({ full: 0.9, freeOut: 0.05 });
    for (const other of ['scratch', 'constructor'])
      expect(limitsOf(site, other)).toEqual({ full: 0.9, freeOut: 0.25 });
  });

  it('say of which an OST counts as full', () => {
    const judgement = judgementOf({ readings: new Sources(), site });
    const short = (name: string) => isSpaceShort({ name, used: 0.85, kbAvail: 5 } as never, judgement);
    expect(['home-OST0000', 'work-OST0000', 'scratch-OST0000'].map(short)).toEqual([true, false, false]);
  });
});

describe('the restart of one of several Gluster pools', () => {
  const site = siteWith(
    'gluster:',
    '  restart: {keepsBricks: true}',
    '  pools: [{hosts: [gl3, gl4], restart: {command: [service, glusterd, restart]}}]',
  );

  it('goes before the general one, key by key, on its hosts', () => {
    expect(restartOn(site, 'gl3')).toEqual({
      command: ['service', 'glusterd', 'restart'],
      keepsBricks: true,
    });
    expect(restartOn(site, 'gl1').command).toEqual(['systemctl', 'restart', 'glusterd']);
  });

  it('names hosts of the site only', () => {
    expect(() => siteWith('gluster: {pools: [{hosts: [gl9], restart: {}}]}')).toThrow('gl9');
  });
});

describe('addresses that only some clients ping', () => {
  const servers = (...from: readonly string[]) =>
    `switch: {matrix: {servers: [{name: home, address: 10.0.0.1}, {name: gpu, address: 10.9.0.1${from.join('')}}]}}`;
  const site = siteWith(servers(', from: "login[2-3]"'));
  const asked = (host: string): string => {
    const view = site.host(host);
    if (!view) throw new Error(host);
    const ask = matrixProbe.ask(view, { site, readings: new Sources(), now: 0 });
    return 'script' in ask ? ask.script : '';
  };

  it('are not sent to the others, nor shown as not run', () => {
    expect(asked('login1')).not.toContain('10.9.0.1');
    expect(asked('login2')).toContain('10.9.0.1');
    const readings = new Sources();
    for (const host of ['login1', 'login2']) readings.good('switch.matrix', host, { cells: [] });
    const grid = matrixGrid(judgementOf({ readings, site }));
    expect(grid?.rows.map(({ cells }) => cells.map(({ text }) => text))).toEqual([
      ['not run', '-'],
      ['not run', 'not run'],
    ]);
  });

  it('are shown in the plan for each client as it is sent', () => {
    const judgement = judgementOf({ readings: new Sources(), site });
    const plan = matrixAction.plan(
      ['login1', 'login2'].map((id) => ({ kind: 'host', id })),
      {},
      { judgement, operator: 'alice' },
    );
    if ('refused' in plan) throw new Error(plan.reason);
    const text = plan.because.join('\n');
    expect(text).toMatch(/login1 then sends .* bytes to 10\.0\.0\.1\n/);
    expect(text).toMatch(/login2 then sends .* bytes to 10\.0\.0\.1, 10\.9\.0\.1\n/);
  });

  it('name clients of the site', () => {
    expect(() => siteWith(servers(', from: gl1'))).toThrow('"gl1" does not have the role ping-client');
    expect(() => siteWith(servers(', from: "@nobody"'))).toThrow('there is no group "@nobody"');
    const only = siteWith('switch: {matrix: {servers: [{name: gpu, address: 10.9.0.1, from: login2}]}}');
    const host = only.host('login1');
    expect(host && matrixProbe.when?.(host, { site: only, readings: new Sources(), now: 0 })).toBe(false);
  });
});
