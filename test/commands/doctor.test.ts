import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type {
  ConnectFailureKind,
  RawAnswer,
  RunRequest,
  Transport,
  Transports,
} from '../../src/model/answer.ts';
import type { Clock } from '../../src/model/ports.ts';
import type { Probe } from '../../src/model/system.ts';
import { examineAll } from '../../src/commands/doctor/all.ts';
import type { Check, HostReport } from '../../src/commands/doctor/check.ts';
import { needsMending, reportLines } from '../../src/commands/doctor/report.ts';
import { readSections } from '../../src/commands/doctor/script.ts';
import { parseSite } from '../../src/site/parse.ts';
import { viewOf } from '../../src/site/view.ts';
import { answerOf as answer, broken, systemOf } from '../collect/helpers/fake-site.ts';

const NOW = Date.UTC(2026, 10, 20, 3);

const system = systemOf('slurm', [], {
  roles: ['slurm-controller', 'compute', 'admin'],
  tools: {
    'slurm-controller': { commands: ['sinfo', 'scontrol'], version: ['scontrol', '--version'] },
    admin: { commands: ['lctl'], root: true },
  },
});

const site = (hosts: string, more = ''): ReturnType<typeof viewOf> =>
  viewOf(
    parseSite(`site: x\nhosts:\n${hosts}\n${more}`, '/etc/site.yaml', {
      systems: [system],
      roles: ['switch'],
    }).site,
  );

const unreached = (kind: ConnectFailureKind, message: string): RawAnswer =>
  broken({ notConnected: { kind, message } });

/** What a host says to each section of the script; unlisted ones succeed without a word. */
type Host = Readonly<Record<string, { text: string; exitCode?: number }>>;

/** A host that goes through the script line by line as sh would. */
const obey = (script: string, host: Host): string => {
  const lines = script.split('\n');
  return lines
    .flatMap((line, at) => {
      const key = /^echo "faultline-doctor (\S+) \$\?"$/.exec(line)?.[1];
      if (key === undefined) return [];
      const said = host[lines[at - 1] ?? ''] ?? { text: '' };
      return [...(said.text === '' ? [] : [said.text]), `faultline-doctor ${key} ${said.exitCode ?? 0}`];
    })
    .join('\n');
};

const fine: Host = {
  'date +%s 2>&1': { text: String(NOW / 1000) },
  'id -un 2>&1': { text: 'hpcops' },
  'uname -sr 2>&1': { text: 'Linux 5.14.0' },
  'scontrol --version 2>&1': { text: 'slurm 24.05.3' },
};

const clock: Clock = {
  now: () => NOW,
  mono: () => 0,
  sleep: (_ms, signal) => new Promise((resolve) => signal?.addEventListener('abort', () => resolve())),
};

/** Transports whose hosts answer as the function says. */
const transports = (
  reply: (host: string, request: RunRequest) => Promise<RawAnswer> | RawAnswer,
  badges: readonly string[] = [],
): Transports => ({
  to: (host): Transport => ({
    kind: 'ssh2',
    run: async (request) => reply(host, request),
    connection: () => ({ host, kind: 'ssh2', state: 'up', since: NOW, badges }),
    close: async () => {},
  }),
  connections: () => new Map(),
  close: async () => {},
});

const obedient = (host: Host): ((name: string, request: RunRequest) => RawAnswer) => {
  return (_name, { script }) => (script === 'true' ? answer('') : answer(obey(script, host)));
};

const ctl1 = site('  - {names: ctl1, roles: [slurm-controller]}');

/** All that doctor says about the first host of a site. */
const checks = async (
  host: Host,
  where = ctl1,
  badges: readonly string[] = [],
): Promise<readonly Check[]> => {
  const [report] = await examineAll(where, [system], transports(obedient(host), badges), clock);
  return report?.checks ?? [];
};

const failed = (all: readonly Check[]): readonly Check[] => all.filter(({ state }) => state === 'fail');

describe('a host where all is well', () => {
  it('is said to be, check by check', async () => {
    expect((await checks(fine)).map(({ name, state, text }) => [name, state, text])).toEqual([
      ['reach', 'ok', 'reached'],
      ['host key', 'ok', 'host key known'],
      ['login', 'ok', 'as hpcops'],
      ['kernel', 'ok', 'Linux 5.14.0'],
      ['tools', 'ok', 'timeout, sinfo, scontrol found'],
      ['version', 'ok', 'slurm 24.05.3'],
      ['rights', 'ok', 'sudo -n works'],
      ['clock', 'ok', 'clock agrees'],
    ]);
  });

  it('is asked twice, for nothing that changes it', async () => {
    const scripts: string[] = [];
    await examineAll(
      ctl1,
      [system],
      transports((host, request) => {
        scripts.push(request.script);
        return obedient(fine)(host, request);
      }),
      clock,
    );
    expect(scripts).toHaveLength(2);
    expect(scripts[1]?.split('\n').filter((line) => !line.startsWith('echo "faultline-doctor '))).toEqual([
      'date +%s 2>&1',
      'id -un 2>&1',
      'uname -sr 2>&1',
      'command -v timeout 2>&1',
      'command -v sinfo 2>&1',
      'command -v scontrol 2>&1',
      'scontrol --version 2>&1',
      'sudo -n true 2>&1',
    ]);
  });
});

describe('what is to mend', () => {
  it('a tool that is not on the path', async () => {
    const [check] = failed(await checks({ ...fine, 'command -v sinfo 2>&1': { text: '', exitCode: 127 } }));
    expect(check).toMatchObject({ name: 'tools', text: 'not on /usr/sbin:/usr/bin:/sbin:/bin: sinfo' });
    expect(check?.mend?.[0]).toContain("ssh ctl1 'type sinfo'");
  });

  it('no sudo, where a role needs it, and only there', async () => {
    const host = { ...fine, 'sudo -n true 2>&1': { text: 'sudo: a password is required', exitCode: 1 } };
    expect(failed(await checks(host))).toEqual([]);
    const [check] = failed(await checks(host, site('  - {names: adm, roles: [admin]}')));
    expect(check).toMatchObject({
      name: 'rights',
      text: 'sudo -n does not work: sudo: a password is required',
    });
    expect(check?.mend?.[0]).toContain('add: hpcops ALL=(root) NOPASSWD: COMMANDS');
  });

  it.each([
    [90, 'its clock is 1 min ahead of ours'],
    [-7200, 'its clock is 1 h 59 m behind ours'],
  ])('a clock that is %d s off', async (seconds, text) => {
    const [check] = failed(
      await checks({ ...fine, 'date +%s 2>&1': { text: String(NOW / 1000 + seconds) } }),
    );
    expect(check).toMatchObject({ name: 'clock', text });
  });

  it.each([-1, 0, 1, 2])('not a clock that may be right: %d s', async (seconds) => {
    expect(
      failed(await checks({ ...fine, 'date +%s 2>&1': { text: String(NOW / 1000 + seconds) } })),
    ).toEqual([]);
  });

  it('a shared folder that is not there', async () => {
    const where = site('  - {names: adm}', 'shared: {host: adm, dir: /var/lib/faultline}');
    const test = 'test -d /var/lib/faultline && test -w /var/lib/faultline 2>&1';
    expect((await checks(fine, where)).at(-1)).toMatchObject({
      state: 'ok',
      text: '/var/lib/faultline can be written',
    });
    const [check] = failed(await checks({ ...fine, [test]: { text: '', exitCode: 1 } }, where));
    expect(check?.mend).toEqual([`ssh -t adm 'sudo install -d -m 2770 -g "$(id -gn)" /var/lib/faultline'`]);
  });

  it('a shared folder that only its owner can write', async () => {
    const where = site('  - {names: adm}', 'shared: {host: adm, dir: /var/lib/faultline}');
    const mode = 'stat -c %a /var/lib/faultline 2>&1';
    for (const good of ['2770', '770', '1777', '2775'])
      expect(failed(await checks({ ...fine, [mode]: { text: good } }, where))).toEqual([]);
    for (const bad of ['755', '700', '2750']) {
      const [check] = failed(await checks({ ...fine, [mode]: { text: bad } }, where));
      expect(check?.text).toContain(`by its owner only (mode ${bad})`);
      expect(check?.mend).toEqual(["ssh -t adm 'sudo chmod 2770 /var/lib/faultline'"]);
    }
  });

  it('and not a version that could not be had, nor a badge of the connection: both are notes', async () => {
    const all = await checks(
      { ...fine, 'scontrol --version 2>&1': { text: 'no such option', exitCode: 2 } },
      ctl1,
      ['slow shell'],
    );
    expect(failed(all)).toEqual([]);
    expect(all.filter(({ state }) => state === 'note').map(({ text }) => text)).toEqual([
      'slow shell',
      'scontrol --version failed (exit 2): no such option',
    ]);
  });

  it('is never taken for granted when the host said nothing of it', async () => {
    const [report] = await examineAll(
      ctl1,
      [system],
      transports(() => answer('')),
      clock,
    );
    expect(report?.checks.filter(({ state }) => state === 'skipped').map(({ name }) => name)).toEqual([
      'login',
      'kernel',
      'tools',
      'version',
      'rights',
      'clock',
    ]);
  });
});

describe('a host that is not reached', () => {
  it.each<[ConnectFailureKind, Check['name'], string]>([
    ['unreachable', 'reach', 'ping -c 3 ctl1'],
    ['timeout', 'reach', 'ssh -v ctl1 true'],
    ['dns', 'reach', 'ssh -G ctl1'],
    ['noBanner', 'reach', 'systemctl restart ssh'],
    ['notSsh', 'reach', 'ssh -G ctl1'],
    ['hostKeyUnknown', 'host key', 'ssh -o StrictHostKeyChecking=ask ctl1 true'],
    ['hostKeyChanged', 'host key', 'only when you know why the key changed'],
    ['hostKeyRevoked', 'host key', 'ssh-keygen -A'],
    ['auth', 'login', 'ssh-copy-id ctl1'],
    ['agent', 'login', 'ssh-add -l'],
    ['sessions', 'reach', 'MaxSessions'],
    ['unsupported', 'reach', 'transport: openssh'],
    ['config', 'reach', 'ssh -G ctl1'],
    ['other', 'reach', 'ssh -v ctl1 true'],
  ])('%s: the line that mends it or shows more', async (kind, name, line) => {
    const [report] = await examineAll(
      ctl1,
      [system],
      transports(() => unreached(kind, `ctl1: it went wrong\u001b[2J`)),
      clock,
    );
    expect(report?.checks.map(({ name }) => name).at(-1)).toBe(name);
    const [check] = failed(report?.checks ?? []);
    expect(check?.text).toBe('ctl1: it went wrong^[[2J');
    expect(check?.mend?.join('\n')).toContain(line);
  });

  it('goes through the site’s own ssh configuration', async () => {
    const where = { ...ctl1, sshConfig: '/etc/my ssh' };
    const [report] = await examineAll(
      where,
      [system],
      transports(() => unreached('timeout', 'ctl1: x')),
      clock,
    );
    expect(failed(report?.checks ?? [])[0]?.mend?.join('\n')).toContain("ssh -F '/etc/my ssh' -v ctl1 true");
  });

  it.each<[Partial<RawAnswer>, string]>([
    [{ timedOut: true, exitCode: 124 }, 'did not end within 8 s'],
    [{ lost: true }, 'the connection went away'],
    [{ exitCode: 127 }, '"timeout" is missing'],
  ])('%o', async (more, text) => {
    const [report] = await examineAll(
      ctl1,
      [system],
      transports(() => answer('', more)),
      clock,
    );
    expect(failed(report?.checks ?? [])[0]?.text).toContain(text);
  });
});

describe('a device without a shell', () => {
  const dialect = { prompt: '#', pagerOff: [], errors: [] };
  const probe: Probe = {
    id: 'slurm.x',
    role: 'switch',
    everyMs: 1000,
    touches: 'nothing',
    ask: () => ({ lines: ['show interfaces'], dialect }),
    read: () => ({ value: {} }),
    schema: z.object({}),
  };
  const where = site('  - {names: sw1, roles: [switch], platform: dell_ftos, legacy: true}');
  const looked = async (raw: RawAnswer | undefined, badges: readonly string[] = [], other = probe) => {
    const asked: unknown[] = [];
    const pool = transports(() => answer('', { exitCode: 127 }), badges);
    const to = (host: string): Transport => ({
      ...pool.to(host),
      ...(raw && {
        type: async (request) => {
          asked.push(request.lines);
          return raw;
        },
      }),
    });
    const [report] = await examineAll(where, [{ ...system, probes: [other] }], { ...pool, to }, clock);
    return { asked, said: report?.checks.map(({ name, state, text }) => [name, state, text]) };
  };

  it('is asked a line of its first probe on its own command line; badges are notes', async () => {
    expect(await looked(answer('Te 0/0 is up'), ['legacy algorithms'])).toEqual({
      asked: [['show interfaces']],
      said: [
        ['reach', 'ok', 'reached'],
        ['host key', 'ok', 'host key known'],
        ['shell', 'ok', 'understood: show interfaces'],
        ['shell', 'note', 'legacy algorithms'],
      ],
    });
  });

  it.each<[RawAnswer | undefined, string, string]>([
    [unreached('other', 'sw1: its prompt was never seen'), 'shell', 'its prompt was never seen'],
    [unreached('unreachable', 'sw1: refused'), 'reach', 'refused'],
    [
      answer('', { exitCode: 1, stderr: Buffer.from('show interfaces: % Invalid input') }),
      'shell',
      '% Invalid',
    ],
    [answer('', { timedOut: true }), 'shell', 'did not end'],
    [undefined, 'reach', 'needs our own client'],
  ])('%o is a fault', async (raw, name, text) => {
    const { said } = await looked(raw);
    expect(said?.at(-1)).toEqual([name, 'fail', expect.stringContaining(text)]);
  });

  it('that no probe asks anything is said to be skipped', async () => {
    const throws = {
      ...probe,
      ask: () => {
        throw new Error('nothing read yet');
      },
    };
    expect((await looked(answer(''), [], throws)).said).toEqual([
      ['reach', 'skipped', 'platform dell_ftos: not asked, no probe of its roles asks it anything'],
    ]);
  });
});

describe('several hosts', () => {
  const many = site(
    '  - {names: "n[1-100]", roles: [compute]}\n  - {names: sw1, roles: [switch], platform: dell_ftos}',
  );

  it('one that hangs delays nothing and is reported when its time is over', async () => {
    const give = Promise.withResolvers<void>();
    const done: string[] = [];
    const hanging: Clock = { ...clock, sleep: () => give.promise };
    const pending = examineAll(
      many,
      [system],
      transports((host, request) => {
        if (host === 'n7') return new Promise(() => {});
        if (request.script !== 'true') done.push(host);
        return obedient(fine)(host, request);
      }),
      hanging,
    );
    await expect.poll(() => done.length).toBe(99);
    give.resolve();
    const reports = await pending;
    expect(reports.map(({ host }) => host)).toEqual(many.hosts.map(({ name }) => name));
    expect(reports.find(({ host }) => host === 'n7')?.checks[0]?.text).toBe('n7 gave no answer for 30 s');
  });

  it('are folded when they are alike, faults first', async () => {
    const reports = await examineAll(
      many,
      [system],
      transports((host, request) =>
        ['n3', 'n4', 'n5'].includes(host)
          ? unreached('unreachable', `${host}: refused (10.0.0.${host.slice(1)} port 22)`)
          : obedient(fine)(host, request),
      ),
      clock,
    );
    const lines = reportLines('x', reports);
    expect(lines[0]).toBe('x: 101 hosts');
    expect(lines.slice(2, 4)).toEqual(['✖ n[3-5]', '  ✖ n3: refused (10.0.0.3 port 22) (and 2 more)']);
    expect(lines).toContain('✓ n[1-2,6-100]');
    expect(lines).toContain('  ? platform dell_ftos: not asked, no probe of its roles asks it anything');
    expect(lines.at(-1)).toBe('3 hosts of 101 to mend');
  });

  it('with nothing to mend say so', () => {
    const reports: HostReport[] = [{ host: 'a', checks: [{ name: 'reach', state: 'ok', text: 'reached' }] }];
    expect(reports.some(needsMending)).toBe(false);
    expect(reportLines('x', reports)).toEqual(['x: 1 host', '', '✓ a', '  ✓ reached', '', 'nothing to mend']);
  });
});

describe('readSections', () => {
  it('keeps several lines, text without a line feed, and drops what is no section', () => {
    const sections = readSections('a\nbfaultline-doctor user 0\nfaultline-doctor sudo 1\nrest');
    expect(sections.get('user')).toEqual({ exitCode: 0, text: 'a\nb' });
    expect(sections.get('sudo')).toEqual({ exitCode: 1, text: '' });
    expect(sections.size).toBe(2);
  });
});
