import type { SimPort } from '../../simulate/network.ts';

type Said = { stdout: string; mutated?: boolean };

interface Session {
  staged: Map<SimPort, boolean>;
  /** Waits to be confirmed until then; what it changed, as it was before. */
  timer?: { at: number; before: readonly (readonly [SimPort, boolean])[] };
}

/** The configuration sessions of one EOS switch: they outlive the logins that made them. */
export class EosSessions {
  private readonly sessions = new Map<string, Session>();
  private readonly put: (port: SimPort, up: boolean, now: number) => void;

  constructor(put: (port: SimPort, up: boolean, now: number) => void) {
    this.put = put;
  }

  /** Takes back what nobody confirmed in time; the session is gone with it. */
  runDue(now: number): void {
    for (const [name, { timer }] of this.sessions) if (timer && timer.at <= now) this.takeBack(name, now);
  }

  /** `configure session NAME`: gives the complaint. */
  open(name: string): string | undefined {
    const known = this.sessions.get(name);
    if (known?.timer) return `% Cannot enter session ${name} (pendingCommitTimer)\n`;
    if (!known) this.sessions.set(name, { staged: new Map() });
    return undefined;
  }

  stage(name: string, port: SimPort, up: boolean): void {
    this.sessions.get(name)?.staged.set(port, up);
  }

  /** `commit`, or `commit timer` with the seconds it waits. */
  commit(name: string, now: number, seconds?: number): Said {
    const session = this.sessions.get(name);
    if (!session) return { stdout: `% Session ${name} does not exist\n` };
    const other = [...this.sessions].find(([own, { timer }]) => timer && own !== name)?.[0];
    if (other !== undefined)
      return {
        stdout: `% Cannot commit session ${name}: another session ${other} is pending commit timer\n`,
      };
    const before = [...session.staged.keys()].map((port) => [port, port.adminUp] as const);
    for (const [port, up] of session.staged) this.put(port, up, now);
    if (seconds === undefined) this.sessions.delete(name);
    else session.timer = { at: now + seconds * 1000, before };
    return { stdout: '', mutated: true };
  }

  /** `abort`: forgets what is staged, takes back what waits to be confirmed. */
  abort(name: string, now: number): Said {
    if (!this.sessions.has(name)) return { stdout: `% Session ${name} does not exist\n` };
    this.takeBack(name, now);
    return { stdout: '', mutated: true };
  }

  /** `show configuration sessions detail | json`. */
  json(): string {
    const sessions = Object.fromEntries(
      [...this.sessions].map(([name, { timer }]) => [
        name,
        {
          state: timer ? 'pendingCommitTimer' : 'pending',
          commitUser: '',
          description: '',
          instances: {},
          ...(timer && { commitBy: timer.at / 1000 }),
        },
      ]),
    );
    return `${JSON.stringify({ sessions, maxSavedSessions: 1, maxOpenSessions: 5, mergeOnCommit: false, saveToStartupConfigOnCommit: false }, undefined, 4)}\n`;
  }

  private takeBack(name: string, now: number): void {
    for (const [port, up] of this.sessions.get(name)?.timer?.before ?? []) this.put(port, up, now);
    this.sessions.delete(name);
  }
}
