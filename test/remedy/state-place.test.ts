import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { assembleAudit, type AuditSetup } from '../../src/assemble/audit.ts';
import { readAuditFile } from '../../src/audit/audit-read.ts';
import { statePlace } from '../../src/collect/history-place.ts';
import { sealAuditLog } from '../../src/remedy/audit-seal.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { refusal, run } from './acting.ts';
import { createWorld, lostAnswer, operator, realTime, self, type World } from './world.ts';

const uid = process.getuid?.() ?? 0;
const isRoot = uid === 0;

let world: World;
let home: string;
let fallback: string;
beforeEach(() => {
  world = createWorld(6);
  home = join(emptyFolder('home'), 'state');
  fallback = join(emptyFolder('fallback'), 'var-tmp');
  mkdirSync(home, { mode: 0o700 });
});

/** The state folder is configured below `home`, which lies on this type of file system. */
const setup = (over: Partial<AuditSetup> & { type?: string } = {}): AuditSetup => {
  const { type = 'ext4', ...rest } = over;
  return {
    site: world.parts.site,
    transports: world.parts.transports,
    clock: realTime,
    operator: { ...operator, uid },
    console: self,
    env: { XDG_STATE_HOME: home },
    ephemeral: false,
    mountinfo: `1 1 0:1 / / rw - ext4 x rw\n2 1 0:2 / ${home} rw - ${type} x rw`,
    fallback,
    ...rest,
  };
};

const acting = async (over: Parameters<typeof setup>[0] = {}) => {
  const { audit, folder } = await assembleAudit(setup(over));
  return { audit, folder, engine: world.engine({ audit }) };
};

const folderAt = (): string => join(home, 'faultline', 'test');
const fileAt = (): string => join(folderAt(), 'audit.jsonl');

const leaveOpen = async (engine: ReturnType<World['engine']>): Promise<void> => {
  const { act } = world;
  world.act = () => {
    world.broken = { kind: 'connect', message: 'ctl1 is unreachable' };
    return lostAnswer();
  };
  expect((await run(engine, ['n3'])).state).toBe('unknown');
  world.act = act;
};

describe('a state folder that was used and can’t be used any more', () => {
  it.each([
    [
      'is a file',
      () => {
        rmSync(folderAt(), { recursive: true });
        writeFileSync(folderAt(), '');
      },
      /the state folder can't be used: .*(?:EEXIST|ENOTDIR)/,
    ],
    [
      'its parent is a file',
      () => {
        rmSync(dirname(folderAt()), { recursive: true });
        writeFileSync(dirname(folderAt()), '');
      },
      /the state folder can't be used: .*(?:EEXIST|ENOTDIR)/,
    ],
    [
      'is open to others',
      () => chmodSync(folderAt(), 0o777),
      /can be written by others \(mode 777\): chmod 700 /,
    ],
    ...(isRoot
      ? [
          [
            'belongs to somebody else',
            () => chownSync(folderAt(), 12_345, 12_345),
            /belongs to user 12345 and not to 0: act as its owner/,
          ] as const,
        ]
      : []),
  ] as const)('%s: nothing is done, and no other place is used', async (_, spoil, says) => {
    await leaveOpen((await acting()).engine);
    world.broken = undefined;
    spoil();
    const { audit, engine } = await acting();
    expect(await refusal(engine, 'fake.resume', ['n3'])).toMatch(/^14 audit: audit log cannot be written: /);
    expect(await refusal(engine, 'fake.resume', ['n5'])).toMatch(says);
    expect(engine.badges()[0]).toMatch(/^actions off: audit log cannot be written: /);
    for (const { result } of await engine.recover())
      expect(result).toContain('this could not be written to the audit log');
    const entry = (await engine.menu([{ kind: 'node', id: 'n5' }]))[0];
    expect(entry).toMatchObject({ available: false, text: expect.stringMatching(/^actions off: /) });
    expect((await audit.read()).problems.length + Number(audit.problem() !== undefined)).toBeGreaterThan(0);
    expect(existsSync(join(fallback, 'test', 'audit.jsonl'))).toBe(false);
  });

  it.runIf(isRoot)(
    'is read-only: acts are refused, the history goes elsewhere with its badge',
    async (context) => {
      try {
        execFileSync('mount', ['-t', 'tmpfs', '-o', 'mode=700', 'tmpfs', home], { stdio: 'ignore' });
      } catch {
        return context.skip();
      }
      try {
        await run((await acting()).engine, ['n1']);
        execFileSync('mount', ['-o', 'remount,ro', home]);
        const { engine } = await acting();
        expect(await refusal(engine, 'fake.resume', ['n5'])).toMatch(
          /^14 audit: .*the state folder can't be used: .*EROFS.*repair it; it may hold runs that have/,
        );
        const { env, mountinfo = '' } = setup();
        expect(await statePlace({ env, uid, name: 'test', mountinfo, fallback })).toMatchObject({
          folder: join(fallback, 'test'),
          badge: expect.stringMatching(/^history in .*EROFS/),
        });
        execFileSync('mount', ['-o', 'remount,rw', home]);
        expect((await run((await acting()).engine, ['n5'])).state).toBe('done');
      } finally {
        execFileSync('umount', [home]);
      }
    },
  );

  it('without $HOME it is not known where it is', async () => {
    const { engine } = await acting({ env: {} });
    expect(await refusal(engine, 'fake.resume', ['n5'])).toMatch(
      /^14 audit: .*without \$HOME .*set HOME, or XDG_STATE_HOME/,
    );
  });
});

describe('a state folder that hangs', () => {
  it('is done without: the first record in the other place says so, and the operator is told', async () => {
    const { engine, folder } = await acting({ type: 'nfs4' });
    expect(folder).toBe(join(fallback, 'test'));
    expect((await run(engine, ['n1'])).state).toBe('done');
    const { records, problems } = await readAuditFile(join(fallback, 'test', 'audit.jsonl'));
    expect(problems).toEqual([]);
    expect(records.map(({ kind }) => kind)).toEqual(['note', 'intent', 'result']);
    expect(records[0]?.detail).toMatchObject({
      movedFrom: folderAt(),
      why: 'state folder is on nfs4',
      head: null,
      text: expect.stringMatching(
        /is in .*: state folder is on nfs4; the head of the one in .* could not be read/,
      ),
    });
    expect(engine.badges().join('\n')).toContain(`runs begun from ${folderAt()} are not known here`);
    await run(engine, ['n2']);
    expect((await readAuditFile(join(fallback, 'test', 'audit.jsonl'))).records).toHaveLength(5);
  });

  it('when it is back what was begun elsewhere is still known, and ends in the log that is used now', async () => {
    await run((await acting()).engine, ['n1']);
    await leaveOpen((await acting({ type: 'nfs4' })).engine);
    const back = await acting();
    expect(back.folder).toBe(folderAt());
    expect(await refusal(back.engine, 'fake.resume', ['n3'])).toMatch(/^10 unknown/);
    world.broken = undefined;
    expect(await (await acting()).engine.recover()).toMatchObject([{ targets: [{ id: 'n3' }] }]);
    expect(await (await acting()).engine.recover()).toEqual([]);
    expect((await readAuditFile(fileAt())).records.at(-1)).toMatchObject({ kind: 'recovered', target: 'n3' });
    expect((await readAuditFile(join(fallback, 'test', 'audit.jsonl'))).problems).toEqual([]);
  });

  it('a log elsewhere that is not whole refuses, too, until it is sealed', async () => {
    await leaveOpen((await acting({ type: 'nfs4' })).engine);
    const elsewhere = join(fallback, 'test', 'audit.jsonl');
    truncateSync(elsewhere);
    expect(await refusal((await acting()).engine, 'fake.resume', ['n5'])).toMatch(
      /^14 audit: the audit log of the time when it was elsewhere: .*the log is empty.*faultline audit seal --file /,
    );
    await sealAuditLog({
      file: elsewhere,
      site: 'test',
      operator,
      console: self,
      clock: realTime,
      reason: 'r',
      whole: false,
    });
    expect(await refusal((await acting()).engine, 'fake.resume', ['n3'])).toMatch(/^10 unknown/);
    world.broken = undefined;
    expect((await run((await acting()).engine, ['n5'])).state).toBe('done');
  });

  it('a folder elsewhere that is not ours is not believed', async () => {
    mkdirSync(join(fallback, 'test'), { recursive: true });
    chmodSync(fallback, 0o755);
    writeFileSync(join(fallback, 'test', 'audit.jsonl'), 'forged\n');
    expect((await run((await acting()).engine, ['n5'])).state).toBe('done');
    expect(readFileSync(join(fallback, 'test', 'audit.jsonl'), 'utf8')).toBe('forged\n');
  });
});
