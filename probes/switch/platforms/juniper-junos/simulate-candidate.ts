import type { SimPort } from '../../simulate/network.ts';

/** The configuration of one Junos switch: one candidate for all logins, and the commit that waits to be confirmed. */
export class JunosCandidate {
  /** Somebody else's uncommitted changes: whoever wants it for himself is refused. */
  dirty = false;
  /** Marks a commit that waits with `rollback pending`; older releases do not. */
  marks = true;
  private staged = new Map<SimPort, boolean>();
  private pending: { at: number; before: readonly (readonly [SimPort, boolean])[] } | undefined;
  private history: { at: number; comment?: string; minutes?: number }[] = [];
  private owner: object | undefined;
  private readonly put: (port: SimPort, up: boolean, now: number) => void;

  constructor(put: (port: SimPort, up: boolean, now: number) => void, now: number) {
    this.put = put;
    this.history.push({ at: now - 86_400_000 });
  }

  /** Takes back what nobody confirmed in time. */
  runDue(now: number): void {
    if (!this.pending || this.pending.at > now) return;
    for (const [port, up] of this.pending.before) this.put(port, up, now);
    this.pending = undefined;
    this.history.unshift({ at: now, comment: 'commit was not confirmed; automatic rollback complete' });
  }

  /** `configure exclusive`: gives the complaint. */
  lock(login: object): string | undefined {
    if (this.owner !== undefined && this.owner !== login)
      return 'error: configuration database locked by:\n  demo terminal p1 (pid 4711) on since 2026-11-20 02:11:09 UTC\n      exclusive [edit]\n';
    if (this.dirty) return 'error: configuration database modified\n';
    this.owner = login;
    return undefined;
  }

  /** Leaving throws away what is not committed. */
  leave(login: object): void {
    if (this.owner !== login) return;
    this.owner = undefined;
    this.staged.clear();
  }

  /** Gives whether there was something to delete. */
  stage(port: SimPort, up: boolean): boolean {
    const known = this.staged.get(port) ?? port.adminUp;
    this.staged.set(port, up);
    return known !== up;
  }

  /** Confirms what waits; `minutes`: is itself to be confirmed. Gives whether anything changed. */
  commit(now: number, comment: string | undefined, minutes?: number): boolean {
    const before = [...this.staged.keys()].map((port) => [port, port.adminUp] as const);
    const changed = [...this.staged].some(([port, up]) => port.adminUp !== up);
    for (const [port, up] of this.staged) this.put(port, up, now);
    this.staged.clear();
    this.pending = minutes === undefined ? undefined : { at: now + minutes * 60_000, before };
    this.history.unshift({
      at: now,
      ...(comment !== undefined && { comment }),
      ...(minutes !== undefined && { minutes }),
    });
    return changed;
  }

  /** Somebody else's login that keeps the configuration for itself. */
  lockElsewhere(): void {
    this.owner = {};
  }

  /** `show system commit | display xml`. */
  xml(): string {
    const entry = ({ at, comment, minutes }: (typeof this.history)[number], index: number): string =>
      [
        '    <commit-history>',
        `        <sequence-number>${index}</sequence-number>`,
        '        <user>demo</user>',
        '        <client>cli</client>',
        `        <date-time junos:seconds="${Math.floor(at / 1000)}">${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC</date-time>`,
        ...(minutes === undefined
          ? []
          : [`        <comment>commit confirmed, rollback in ${minutes}mins</comment>`]),
        ...(comment === undefined ? [] : [`        <log>${comment}</log>`]),
        ...(index === 0 && this.pending && this.marks
          ? ['        <commit-confirmed>rollback pending</commit-confirmed>']
          : []),
        '    </commit-history>',
      ].join('\n');
    return `<commit-information>\n${this.history.slice(0, 50).map(entry).join('\n')}\n</commit-information>\n`;
  }
}
