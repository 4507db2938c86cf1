import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { run as act } from '../../src/commands/act.ts';
import { run as actions } from '../../src/commands/actions.ts';
import { run as audit } from '../../src/commands/audit.ts';
import { run as status } from '../../src/commands/status.ts';
import { fakeIo } from '../commands/fake-io.ts';
import { emptyFolder } from '../helpers/folder.ts';

/** A site of this machine alone: a check of a file, and what makes and removes it. */
let folder: string;
let flag: string;
let site: string;
beforeEach(() => {
  folder = emptyFolder('acting');
  flag = join(folder, 'flag');
  site = join(folder, 'site.yaml');
  write();
});

const write = (more = ''): void => {
  const text = `
site: acting
${more}
hosts: [{names: here1, roles: [here], transport: local}]
checks:
  flag:
    run: 'test -e ${flag} || { echo "no flag on $1"; exit 2; }'
    on: here
    actions:
      raise: {run: [touch, ${flag}], users: nothing, guards: [room], verify: flag, within: 5s, undo: {run: [rm, ${flag}]}}
      miss: {run: [touch, ${flag}-elsewhere], users: nothing, guards: [], verify: flag, within: 1s, undo: none}
  room: {run: 'test ! -e ${flag}-full || exit 1', on: here}
`;
  writeFileSync(site, text, { mode: 0o600 });
};

const env = () => ({
  HOME: folder,
  XDG_STATE_HOME: join(folder, 'state'),
  PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
});

const does = async (action: string, over: { confirm?: string; target?: string } = {}) => {
  const { io, out, err } = fakeIo('', env());
  const confirm = over.confirm ?? 'flag@here1';
  const options = {
    action,
    targets: [over.target ?? 'flag@here1'],
    set: {},
    dryRun: false,
    keepIfVerified: false,
    json: false,
    demo: false,
    site,
    confirm,
  };
  const code = await act(options, io);
  return { code, text: `${out()}${err()}` };
};

describe('an action of the site file, on this machine', () => {
  it('is seen in status, done once, audited, and undone', async () => {
    const first = fakeIo('', env());
    expect(await status({ site, json: false, demo: false, quick: true }, first.io)).toBe(2);
    expect(first.out()).toContain('here1: flag critical: no flag on here1');
    const done = await does('checks.flag.raise');
    expect(done).toMatchObject({ code: 0 });
    for (const guard of ['what verifies it, check flag, is known on here1', 'check room is fine on here1'])
      expect(done.text).toContain(`${guard} (3 preconditions)`);
    expect(existsSync(flag)).toBe(true);
    const log = fakeIo('', env());
    await audit({ verb: 'show', json: false, site }, log.io);
    expect(log.out()).toMatch(/checks\.flag\.raise/);
    const [run = ''] = /r-[0-9a-f]+/.exec(log.out()) ?? [];
    const again = await does('checks.flag.raise', { confirm: 'flag@here1' });
    expect(again.text).toContain('flag is OK');
    expect(await does(`undo:${run}`)).toMatchObject({ code: 0 });
    expect(existsSync(flag)).toBe(false);
  });

  it('is refused without its confirmation, where a guard is not fine, and on what it is not for', async () => {
    expect(await does('checks.flag.raise', { confirm: 'y' })).toMatchObject({ code: 4 });
    writeFileSync(`${flag}-full`, '');
    const refused = await does('checks.flag.raise');
    expect(refused).toMatchObject({ code: 4, text: expect.stringContaining('room is WARNING') });
    const other = await does('checks.flag.raise', { target: 'room@here1' });
    expect(other).toMatchObject({ code: 4, text: expect.stringContaining('it is of flag, not of room') });
    expect(existsSync(flag)).toBe(false);
  });

  it('of which nothing shows afterwards is unknown, whatever its exit code', async () => {
    expect(await does('checks.flag.miss')).toMatchObject({ code: 6 });
    expect(existsSync(`${flag}-elsewhere`)).toBe(true);
  });

  it('is not done on a read-only site', async () => {
    write('readOnly: true');
    expect(await does('checks.flag.raise')).toMatchObject({
      code: 4,
      text: expect.stringContaining('1 read-only'),
    });
    expect(existsSync(flag)).toBe(false);
  });

  it('is told with the nearest where there is none of this name', async () => {
    await expect(does('checks.flag.rise')).rejects.toThrow(/did you mean "checks\.flag\.raise"/);
  });

  it('stands in the list of actions', async () => {
    const { io, out } = fakeIo('', env());
    expect(await actions({ json: false, site }, io)).toBe(0);
    expect(out()).toMatch(/checks\.flag\.raise +check +service +raise \(flag\)/);
    expect(out()).toMatch(/slurm\.resume/);
  });
});
