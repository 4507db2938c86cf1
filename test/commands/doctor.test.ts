import { describe, expect, it } from 'vitest';
import type { ConnectFailureKind, RawAnswer } from '../../src/model/answer.ts';
import { examineAll } from '../../src/commands/doctor.ts';
import type { Check } from '../../src/commands/doctor/report.ts';
import { readSections } from '../../src/commands/doctor/script.ts';
import { answerOf as answer } from '../collect/helpers/fake-site.ts';

import {
  NOW,
  system,
  site,
  unreached,
  fine,
  clock,
  transports,
  obedient,
  ctl1,
  checks,
  failed,
} from './examined.ts';

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
    expect(check?.mend?.[0]).toContain('add the lines of faultline help rights, for hpcops');
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
    const test = 'ls -d /var/lib/faultline/. 2>&1';
    const text = "ls: cannot access '/var/lib/faultline/.': No such file or directory";
    expect((await checks(fine, where)).at(-1)).toMatchObject({
      state: 'ok',
      text: '/var/lib/faultline can be written',
    });
    const [check] = failed(await checks({ ...fine, [test]: { text, exitCode: 2 } }, where));
    expect(check?.text).toMatch(/^adm:\/var\/lib\/faultline is not there \(ls: .*\); was it deleted/);
    expect(check?.mend).toEqual([`ssh -t adm 'sudo install -d -m 2770 -g "$(id -gn)" /var/lib/faultline'`]);
  });

  it.each([
    ['test -w /var/lib/faultline 2>&1', { text: '', exitCode: 1 }, /can't be written by this login/],
    ['findmnt -no OPTIONS -T /var/lib/faultline 2>&1', { text: 'ro,relatime' }, /on a read-only file system/],
    [
      "stat -f -c '%a %c %d' /var/lib/faultline 2>&1",
      { text: '0 100 50' },
      /full file system \(no free blocks\)/,
    ],
    [
      "stat -f -c '%a %c %d' /var/lib/faultline 2>&1",
      { text: '9 100 0' },
      /full file system \(no free inodes\)/,
    ],
    [
      'ls -d /var/lib/faultline/. 2>&1',
      { text: "ls: cannot access '/var/lib/faultline/.': Not a directory", exitCode: 2 },
      /is not a folder/,
    ],
  ])('a shared folder: %s', async (line, said, text) => {
    const where = site('  - {names: adm}', 'shared: {host: adm, dir: /var/lib/faultline}');
    const [check] = failed(await checks({ ...fine, [line]: said }, where));
    expect(check?.text).toMatch(text);
    expect(check?.text).toContain('adm:/var/lib/faultline');
    expect(check?.mend).toHaveLength(1);
  });

  it.each([
    ['findmnt -no OPTIONS -T /var/lib/faultline 2>&1', { text: 'rw,relatime,errors=remount-ro' }],
    ['findmnt -no OPTIONS -T /var/lib/faultline 2>&1', { text: 'sh: findmnt: not found', exitCode: 127 }],
    ["stat -f -c '%a %c %d' /var/lib/faultline 2>&1", { text: '12 0 0' }],
  ])('and not one that is well: %s says %o', async (line, said) => {
    const where = site('  - {names: adm}', 'shared: {host: adm, dir: /var/lib/faultline}');
    expect(failed(await checks({ ...fine, [line]: said }, where))).toEqual([]);
  });

  it('a shared folder that only its owner, or everybody, can write', async () => {
    const where = site('  - {names: adm}', 'shared: {host: adm, dir: /var/lib/faultline}');
    const mode = 'stat -c %a /var/lib/faultline 2>&1';
    for (const good of ['2770', '770', '2775'])
      expect(failed(await checks({ ...fine, [mode]: { text: good } }, where))).toEqual([]);
    for (const bad of ['755', '700', '2750']) {
      const [check] = failed(await checks({ ...fine, [mode]: { text: bad } }, where));
      expect(check?.text).toContain(`by its owner only (mode ${bad})`);
      expect(check?.mend).toEqual(["ssh -t adm 'sudo chmod 2770 /var/lib/faultline'"]);
    }
    for (const open of ['1777', '2777', '772']) {
      const [check] = failed(await checks({ ...fine, [mode]: { text: open } }, where));
      expect(check?.text).toContain(`by everybody on adm (mode ${open}): anybody can forge locks`);
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

describe('readSections', () => {
  it('keeps several lines, text without a line feed, and drops what is no section', () => {
    const sections = readSections('a\nbfaultline-doctor user 0\nfaultline-doctor sudo 1\nrest');
    expect(sections.get('user')).toEqual({ exitCode: 0, text: 'a\nb' });
    expect(sections.get('sudo')).toEqual({ exitCode: 1, text: '' });
    expect(sections.size).toBe(2);
  });
});
