import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Relay, startRelay } from '../helpers/relay.ts';
import { HostSessions } from '../../src/transport/host-sessions.ts';
import { HostState } from '../../src/transport/host-state.ts';
import type { WireEnd } from '../../src/transport/wire.ts';
import { Lab, Sshd, brief, clock, haveSshd } from './sshd.ts';

describe.skipIf(!haveSshd())('a bad link to a real sshd', () => {
  let lab: Lab;
  let sshd: Sshd;
  beforeAll(async () => {
    lab = new Lab();
    sshd = await Sshd.start(lab);
  });
  afterAll(() => lab.end());

  const behind = async (name: string): Promise<Relay> => {
    const relay = await startRelay(sshd.port);
    lab.onEnd(() => relay.close());
    lab.host(name, relay.port, { known: sshd.hostKey });
    return relay;
  };

  it('a reset at any moment of the log-in is a lost connection, and says at which step', async () => {
    const relay = await behind('cut');
    const steps = new Set<string>();
    for (let pieces = 1; pieces < 40; pieces += 1) {
      relay.cutAfter = pieces;
      const pool = lab.transports();
      const answer = await pool.transportTo('cut').run({ script: 'echo hello', deadlineMs: 5000 });
      await pool.close();
      if (answer.exitCode === 0) break;
      const said =
        answer.notConnected?.message ?? (answer.lost ? 'lost while it ran' : JSON.stringify(brief(answer)));
      // Nothing was wrong with the shell, nor with whether sshd runs: it had answered.
      expect(said).toMatch(/connection lost|lost while it ran/);
      expect(said).not.toMatch(/may run sh|is sshd running/);
      if (answer.notConnected) expect(answer.notConnected.kind).toBe('unreachable');
      steps.add(/key exchange|log-in|login shell|connection lost \(|it ran/.exec(said)?.[0] ?? said);
    }
    expect([...steps]).toEqual(expect.arrayContaining(['key exchange', 'log-in']));
    expect(steps.size).toBeGreaterThanOrEqual(3);
  });

  it.concurrent(
    '2 s for every packet from the beginning: too late to log in, and the slow link is named',
    async () => {
      const relay = await behind('slow');
      relay.delayMs = 2000;
      const { notConnected } = await lab
        .transports()
        .transportTo('slow')
        .run({ script: 'true', deadlineMs: 5000 });
      expect(notConnected?.kind).toBe('timeout');
      expect(notConnected?.message).toMatch(
        /^slow: timed out after 8 s during the (?:key exchange|log-in); its first word took [2-9]\.\d s: the link to it is slow, or its sshd/,
      );
    },
  );

  it.concurrent(
    '1.2 s for every packet on a connection that stands: all is answered, on a channel of its own, too',
    async () => {
      const relay = await behind('slowing');
      const host = lab.transports().transportTo('slowing');
      expect(brief(await host.run({ script: 'echo a', deadlineMs: 5000 })).out).toBe('a\n');
      relay.delayMs = 1200;
      const slow = await host.run({ script: 'echo b', deadlineMs: 5000 });
      expect(brief(slow)).toEqual({ code: 0, out: 'b\n', err: '' });
      expect(slow.durationMs - (slow.hostMs ?? Infinity)).toBeGreaterThan(2200);
      expect(brief(await host.run({ script: 'echo c', deadlineMs: 5000, fresh: true })).out).toBe('c\n');
    },
  );

  it.concurrent('a server that opens no more sessions over a slow link: the link is named', async () => {
    const relay = await behind('dying');
    const host = lab.transports().transportTo('dying');
    await host.run({ script: 'true', deadlineMs: 5000 });
    relay.delayMs = 1000;
    await host.run({ script: 'true', deadlineMs: 5000 });
    relay.delayMs = 3_600_000;
    const { notConnected } = await host.run({ script: 'true', deadlineMs: 5000, fresh: true });
    expect(notConnected?.message).toMatch(
      /^dying: timed out after \d\d s: connected, but no new session is opened; the link to it is slow \(the last answer took \d\.\d s there and back\)/,
    );
  });
});

describe('a login shell that goes away before it answered', () => {
  const endedBy = async (end: WireEnd): Promise<string | undefined> => {
    const state = new HostState('n1', 'ssh2', clock, () => {});
    const host = new HostSessions(state, clock, async () => ({
      wire: {
        write: () => {},
        end: () => {},
        close: () => {},
        listen: (on) => void setTimeout(() => on.onClosed(end), 5),
      },
    }));
    return (await host.run({ script: 'true', deadlineMs: 1000 })).notConnected?.message;
  };

  it('ended by itself: its exit status came', async () => {
    expect(await endedBy({ exitCode: 1 })).toBe(
      'n1: the login shell ended at once with exit code 1; see that this login may run sh',
    );
  });

  it('was killed: the signal came', async () => {
    expect(await endedBy({ signal: 'KILL' })).toBe(
      'n1: the login shell ended at once with signal KILL; see that this login may run sh',
    );
  });

  it('was cut off: neither came', async () => {
    expect(await endedBy({})).toBe(
      'n1: connection lost while the login shell started; it is tried again; when it stays so, look at the network and at the log of its sshd',
    );
  });
});
