import { cliOutput } from '../../probes/gluster/read/xml.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { glusterFormats } from '../../probes/gluster/read/formats.ts';
import { parseCli } from '../../probes/gluster/read/parse-cli.ts';
import { parseHeal } from '../../probes/gluster/read/parse-heal.ts';
import { parseLog } from '../../probes/gluster/read/parse-log.ts';
import { parsePeers, parsePool } from '../../probes/gluster/read/parse-peers.ts';
import { parseStatedump } from '../../probes/gluster/read/parse-statedump.ts';
import { parseStatus } from '../../probes/gluster/read/parse-status.ts';
import { NotThisFormat } from '../../src/model/errors.ts';

const A = '11111111-2222-3333-4444-555555555555';
const B = '66666666-7777-8888-9999-000000000000';

describe('an answer that was cut', () => {
  const whole =
    '<cliOutput><opRet>0</opRet><volInfo><volumes><volume><name>v</name></volume></volumes></volInfo></cliOutput>';

  it('is no answer, wherever it was cut', () => {
    for (let end = 0; end < whole.length; end += 1)
      expect(() => cliOutput(whole.slice(0, end)), whole.slice(0, end)).toThrow(NotThisFormat);
  });

  it.each(['<cliOutput><volInfo><volumes></cliOutput>', '<cliOutput><a></b></cliOutput>'])(
    'nor is %s',
    (text) => {
      expect(() => cliOutput(text)).toThrow(/an element is not closed/);
    },
  );

  it.each([whole, `${whole}\n`, `<?xml version="1.0"?>\n${whole}`, '<cliOutput><x>a & b</x></cliOutput>'])(
    '%s is whole',
    (text) => {
      expect(cliOutput(text).error).toBeUndefined();
    },
  );
});

describe('what a command says of itself', () => {
  it.each([
    ['Another transaction is in progress for home0. Please try again after some time.', 'locked', 'home0'],
    ['Another transaction is in progress. Please try again after some', 'locked', undefined],
    ['Another transaction is in progress for home0.', 'locked', 'home0'],
    ['Another transaction is in progress Please try again after sometime.', 'locked', undefined],
    ['Another transaction could be in progress. Please try again after sometime.', 'locked', undefined],
    [
      'volume set: failed: Another transaction is in progress for a.b_vol. Please try again after sometime.',
      'locked',
      'a.b_vol',
    ],
    ['Locking failed on 10.1.0.13. Please check log file for details.', 'lockingFailed', undefined],
    ['Connection failed. Please check if gluster daemon is operational.', 'daemonDown', undefined],
    ['Error : Request timed out', 'timedOut', undefined],
    ['Volume nosuch does not exist', 'noVolume', 'nosuch'],
  ])('%s', (stderr, kind, volume) => {
    const cli = parseCli({ stdout: '', stderr, exitCode: 1 });
    expect(cli).toMatchObject({ ok: false, kind, message: stderr });
    expect(cli.volume).toBe(volume);
  });

  it('names the peer that refused', () => {
    expect(
      parseCli({
        stdout: '',
        stderr: 'Locking failed on 10.1.0.13. Please check log file for details.',
        exitCode: 1,
      }).peer,
    ).toBe('10.1.0.13');
  });

  it('does not believe exit 0 of --xml', () => {
    const stdout = `<cliOutput><opRet>-1</opRet><opErrno>30802</opErrno><opErrstr>Another transaction is in progress for v. Please try again after some time.</opErrstr></cliOutput>`;
    expect(parseCli({ stdout, exitCode: 0 })).toMatchObject({ ok: false, kind: 'locked', volume: 'v' });
  });
});

it('a summary with a brick down: malformed, no counters for that brick', () => {
  const { bricks } = parseHeal({
    stdout: `<cliOutput><healInfo><bricks>
<brick hostUuid="${A}"><name>gl1:/b</name><status>Connected</status><totalNumberOfEntries>3</totalNumberOfEntries></brick>
<brick hostUuid="-"><name>gl3:/b</name><status>Failed to process entries completely. (Transport endpoint is not connected)totalNumberOfEntries0</status></brick>
</bricks></healInfo><opRet>0</opRet></cliOutput>`,
  });
  expect(bricks).toEqual([
    { host: 'gl1', path: '/b', connected: true, pending: 3 },
    { host: 'gl3', path: '/b', connected: false },
  ]);
});

it('locks of glusterd: volume names that end in _vol, snapshots, the owner; other keys end the list', () => {
  const dump = parseStatedump({
    stdout: `[mallinfo]\nglusterd.my-uuid=${A}\nglusterd.peer1.uuid=${B}\nglusterd.peer1.hostname=gl2\nglusterd.peer1.rpc.connected=0\nglusterd.peer1.locked=1\nglusterd.mgmt_v3_lock=\n\tmy_vol_vol:${B}\n\ts1_snap:${A}\nglusterd.options=\n\tglobal-option-version:0\n`,
  });
  expect(dump).toEqual({
    kind: 'glusterd',
    myUuid: A,
    locks: [
      { name: 'my_vol', type: 'vol', owner: B },
      { name: 's1', type: 'snap', owner: A },
    ],
    peers: [{ uuid: B, host: 'gl2', connected: false, locked: true }],
  });
});

it('locks of glusterd: backtraces between them, as most releases print, hide none', () => {
  const trace = '(-->/usr/lib64/libglusterfs.so.0(gf_backtrace_save+0x42) [0x7f] (-->/x.so(+0xd3) [0x7e] ))';
  const { locks } = parseStatedump({
    stdout: `[mallinfo]\nglusterd.my-uuid=${A}\nglusterd.mgmt_v3_lock=\n\tdebug.last-success-bt-data1-vol:${trace}\n\tdata1_vol:${A}\n\tdebug.last-success-bt-home0-vol:${trace}\n\thome0_vol:${B}\nglusterd.options=\n\tfake_vol:${B}\n`,
  });
  expect(locks).toEqual([
    { name: 'data1', type: 'vol', owner: A },
    { name: 'home0', type: 'vol', owner: B },
  ]);
});

it.each([
  ['unlock timer is cancelled for volume_type home0_vol', 'home0'],
  ['unlock timer is cancelled for volume_type a_snap_vol', 'a_snap'],
  ['unlock timer is cancelled for volume my_vol', 'my_vol'],
  ['unlock timer is cancelled for volume', undefined],
])('log: %s', (text, volume) => {
  const { events } = parseLog({ stdout: `[2026-11-20 22:04:26.0 +0000] I [a.c:1:b] 0-management: ${text}` });
  expect(events).toMatchObject([{ kind: 'lockTimerFired', text }]);
  expect(events[0]?.volume).toBe(volume);
});

it.each([
  [
    'bailing out frame type(glusterd mgmt), op(--(1)), xid = 0x5, unique = 9, sent = 2026-11-20 22:05:54, timeout = 600 for 10.111.0.13:24007',
    'frameBailout',
    '10.111.0.13:24007',
  ],
  [
    'bailing out frame type(glusterd mgmt) op(--(3)) xid = 0x4x sent = 2012-03-01 02:04:09.1. timeout = 600',
    'frameBailout',
    undefined,
  ],
  [
    'Peer 10.1.0.2, 44f5cb3e-0000-0000-0000-000000000000, has disconnected from glusterd.',
    'peerDisconnected',
    '10.1.0.2',
  ],
])('log of any release: %s', (text, kind, peer) => {
  const stdout = `[2026-11-20 22:04:26.0] E [rpc-clnt.c:200:call_bail] 0-management: ${text}\r\n`;
  const [event] = parseLog({ stdout }).events;
  expect(event).toMatchObject({ kind, text });
  expect(event?.peer).toBe(peer);
});

it('locks on files: lines that end in CR are lines', () => {
  const { fileLocks } = parseStatedump({
    stdout:
      '[mallinfo]\r\n[xlator.features.locks.v-locks.inode]\r\npath=/f\r\nposixlk.posixlk[0](ACTIVE)=type=WRITE, pid = 2, client=0x7\r\n',
  });
  expect(fileLocks).toEqual([{ domain: 'posixlk', path: '/f', state: 'ACTIVE', pid: 2n, client: '0x7' }]);
});

it('locks on files: posix locks and inode locks with their domain, path and gfid', () => {
  const { fileLocks } = parseStatedump({
    stdout: `[mallinfo]\n[conn.0.bound_xl./b.active.1]\ngfid=${A}\n[xlator.features.locks.v-locks.inode]\npath=/f\nposixlk.posixlk[0](ACTIVE)=type=WRITE, pid = 294, owner=1, client=0x7, connection-id=CTX-1, granted at x\nlock-dump.domain.domain=v-replicate-0\ninodelk.inodelk[0](BLOCKED)=type=WRITE, pid = -6, client=0x8\n[conn.0.bound_xl./b.active.2]\n`,
  });
  expect(fileLocks).toEqual([
    { domain: 'posixlk', path: '/f', gfid: A, state: 'ACTIVE', pid: 294n, client: 'CTX-1' },
    { domain: 'v-replicate-0', path: '/f', gfid: A, state: 'BLOCKED', pid: -6n, client: '0x8' },
  ]);
});

it('log: one event per message, followers and foreign lines are none, stamps with and without zone are UTC', () => {
  const { events } = parseLog({
    stdout: [
      `[2012-03-01 02:14:09.123456] E [glusterd-utils.c:277:glusterd_lock] 0-glusterd: Unable to get lock for uuid: ${A}, lock held by: ${B}`,
      `[2026-11-20 22:01:29.015841 +0000] W [glusterd-locks.c:545:glusterd_mgmt_v3_lock] (-->/usr/lib/x.so(+0xc) [0x7f] -->/y.so(+0x1) [0x7e] ) 0-management: Lock for home0 held by ${A}`,
      `[2026-11-20 22:01:29.015847 +0000] E [MSGID: 106118] [glusterd-locks.c:379:f] 0-management: Failed to acquire lock for vol home0 on behalf of ${A}. `,
      `[2026-11-20 22:01:30.0 +0000] E [MSGID: 106115] [a.c:1:b] 0-management: Unlocking failed on 10.1.0.2. Please check log file for details. `,
      `[2026-11-20 22:01:31.0 +0000] I [a.c:1:b] 0-management: unlock timer is cancelled for volume_type my_vol_vol`,
      `[2026-11-20 22:01:32.0 +0000] W [MSGID: 106004] [a.c:1:b] 0-management: Peer <gl1> (<${A}>), in state <Peer in Cluster>, has disconnected from glusterd.`,
      'The message "I [MSGID: 106496] [a.c:1:b] 0-management: x" repeated 2 times between [a] and [b]',
    ].join('\n'),
  });
  expect(
    events.map(({ at, kind, volume, peer, holder, msgid }) => ({ at, kind, volume, peer, holder, msgid })),
  ).toEqual([
    { at: '2012-03-01T02:14:09.123456Z', kind: 'lockRefused', holder: B },
    { at: '2026-11-20T22:01:29.015841Z', kind: 'lockRefused', volume: 'home0', holder: A },
    { at: '2026-11-20T22:01:30.0Z', kind: 'unlockFailed', peer: '10.1.0.2', msgid: 106115 },
    { at: '2026-11-20T22:01:31.0Z', kind: 'lockTimerFired', volume: 'my_vol' },
    { at: '2026-11-20T22:01:32.0Z', kind: 'peerDisconnected', peer: 'gl1', msgid: 106004 },
  ]);
});

it('peers: rejected but connected, other names, and no peers at all', () => {
  const { peers } = parsePeers({
    stdout: `Number of Peers: 1\n\nHostname: gl2\nUuid: ${B}\nState: Peer Rejected (Connected)\nOther names:\ngl2.example\n10.1.0.2\n`,
  });
  expect(peers).toEqual([{ uuid: B, host: 'gl2', connected: true, state: 'Peer Rejected' }]);
  expect(parsePeers({ stdout: 'Number of Peers: 0\n' }).peers).toEqual([]);
  expect(() => parsePool({ stdout: 'total 12\n' })).toThrow(NotThisFormat);
});

it('status: a brick that is down has no port and no pid', () => {
  const { volumes } = parseStatus({
    stdout: `<cliOutput><opRet>0</opRet><volStatus><volumes><volume><volName>v</volName><node><hostname>gl3</hostname><path>/b</path><peerid>${A}</peerid><status>0</status><port>N/A</port><pid>-1</pid></node></volume></volumes></volStatus></cliOutput>`,
  });
  expect(volumes).toEqual([
    { name: 'v', bricks: [{ host: 'gl3', path: '/b', peerId: A, online: false }], services: [] },
  ]);
});

it.each(Object.entries(glusterFormats))(
  '%s never fails on any text but by saying that it is not its format',
  (_name, read) => {
    const pieces = fc.constantFrom(
      '<cliOutput>',
      '</cliOutput>',
      '<brick>',
      '<name>a:/b',
      'glusterd.my-uuid=',
      '[mallinfo]',
      '\tx_vol:',
      `${A}\tgl1\tConnected`,
      'Hostname: a',
      'State: x',
      '[2026-11-20 22:01:29.0] E [a:1:b] 0-m: Lock for a held by b',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), pieces)), fc.string(), (parts, stderr) => {
        try {
          read({ stdout: parts.join('\n'), stderr, exitCode: 0 });
        } catch (error) {
          expect(error).toBeInstanceOf(NotThisFormat);
        }
      }),
    );
  },
);
