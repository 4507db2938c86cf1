import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { readPlan, settleChoice } from './confirm.ts';
import { start, type Session } from './driver.ts';

/** Key presses up to the dialog, and one for each whole confirmation (docs/design.md, Danger classes). */
class Hand {
  count = 0;
  /** Of these: pages of what will run that did not fit. */
  pages = 0;
  readonly session: Session;

  constructor(session: Session) {
    this.session = session;
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      this.count += 1;
      await this.session.keys(key);
    }
  }

  /** A plan is read to the end of what will run, and what it wants is typed. */
  async confirm(typed: string | undefined): Promise<void> {
    const pages = await readPlan(this.session);
    this.count += 1 + pages;
    this.pages += pages;
    if (typed === undefined) await this.session.keys('y');
    else await this.type(typed);
  }

  async type(text: string): Promise<void> {
    await this.session.type(text);
    await this.session.until(`${text}_`);
    await this.session.keys('Enter');
  }
}

interface Act {
  /** The line of the menu that is chosen, after so many steps down. */
  chosen: RegExp;
  down?: number;
  plan: string;
  /** Absent: `y`. */
  typed?: string;
  /** What the run says in the end. */
  verified: string | RegExp;
  /** It is held: once this is seen it is kept. */
  keep?: RegExp;
}

interface Incident {
  name: string;
  /** The first finding, on which the cursor stands. */
  first: RegExp;
  /** What cures it, one after the other; none: it ends in a ticket. */
  acts?: readonly Act[];
  /** What a ticket must hold besides the finding. */
  contact?: string;
  /** The finding that stands there in the end; absent: the first one is gone. */
  end?: RegExp;
}

const incidents: readonly Incident[] = [
  {
    name: 'hdfs-lost',
    first: /node\[12-28,31\] drained.*17 of 18 pass/,
    acts: [{ chosen: /> resume +17 of 18/, plan: 'Resume 17 nodes', verified: '17 of 17 done and verified' }],
  },
  { name: 'breaker', first: /23 nodes down|node\[78-100\] lost together/, contact: 'facilities on call' },
  {
    name: 'controller-slow',
    first: /node\[33,47,59|slurmctld/,
    contact: 'batch systems team',
  },
  { name: 'night', first: /23 nodes down|node\[78-100\] lost together/, contact: 'facilities on call' },
  {
    name: 'sfp',
    first: /core3 te3\/46 receives/,
    acts: [
      {
        chosen: /> shut port/,
        plan: 'Shut te3/46 on core3',
        typed: 'shut core3:te3/46',
        keep: /now 0 of 16 jumbo paths lossy/,
        verified: /kept: .*not saved on the switch|kept: /,
      },
    ],
  },
  {
    name: 'degraded-ignored',
    first: /scratch-OST001e is degraded but still receives files/,
    acts: [
      {
        chosen: /> stop creates/,
        plan: 'Stop creates on scratch-OST001e',
        typed: 'scratch-OST001e',
        verified: '✓ done, verified by reading it again',
      },
    ],
  },
  {
    name: 'ost-drain',
    first: /scratch-OST0007 kept from new objects: degraded/,
    acts: [
      {
        chosen: /> stop creates/,
        down: 1,
        plan: 'Stop creates on scratch-OST0007',
        typed: 'scratch-OST0007',
        verified: '✓ done, verified by reading it again',
      },
      {
        chosen: /> drain to other OSTs/,
        plan: 'Drain scratch-OST0007',
        typed: 'scratch-OST0007',
        verified: 'verified by reading it again; it goes on',
      },
    ],
    end: /scratch-OST0007 is empty/,
  },
  { name: 'lock-depletion', first: /oss3 (?:runs )?out of (?:LDLM )?locks/, contact: 'storage team' },
  { name: 'quota-stuck', first: /oss3: group quota/, contact: 'storage team' },
  { name: 'oss-recovery', first: /oss2: .*recovery/, contact: 'storage team' },
  {
    name: 'bimodal',
    first: /wn-d-04: all 8 queues/,
    acts: [
      {
        chosen: /> spread NIC interrupts/,
        plan: 'Spread the interrupts of ens1f0 on wn-d-04',
        typed: 'wn-d-04',
        verified: '8 queues on 8 cores',
      },
    ],
  },
  { name: 'kernel-cap', first: /at 18 % of line rate.*kernel/, contact: 'operating systems team' },
  {
    name: 'stuck-lock',
    first: /home0.*orphan|home0.*stale lock/,
    acts: [
      {
        chosen: /> free the lock/,
        plan: 'Free the lock of home0',
        typed: 'home0',
        verified: 'home0 is free on gl3',
      },
    ],
  },
  {
    name: 'brick-down',
    first: /data1: 1 brick of 6 down/,
    acts: [
      {
        chosen: /> start the brick/,
        plan: 'Start gl2:/data/brick2/data1',
        typed: 'gl2:/data/brick2/data1',
        verified: '✓ done, verified by reading it again',
      },
    ],
  },
  {
    name: 'split-brain',
    first: /home0: 1 file in split-brain/,
    acts: [
      {
        chosen: /> heal a file in split-brain/,
        plan: 'Heal /bob/results.csv (latest-mtime) of home0',
        typed: 'heal home0',
        verified: '✓ done, verified by reading it again',
      },
    ],
  },
  {
    name: 'nfs-hung',
    first: /nfs +nfs2/,
    acts: [
      {
        chosen: /> raise the number of nfsd threads/,
        plan: 'Raise nfsd threads on nfs2',
        verified: '✓ done, verified by reading it again',
      },
    ],
  },
  {
    name: 'ls-slow',
    first: /login1: ls in \/scratch\/data takes/,
    acts: [
      {
        chosen: /> turn costly ls colours off/,
        plan: 'Turn costly ls colours off for login shells of login1',
        verified: '✓ done, verified by reading it again',
      },
    ],
  },
  {
    name: 'rpcbind-dead',
    first: /nfs1: rpcbind is dead/,
    acts: [
      {
        chosen: /> restart rpcbind and register again/,
        plan: 'Restart rpcbind and register again on nfs1',
        typed: 'restart nfs1',
        verified: '✓ done, verified by reading it again',
      },
    ],
  },
  {
    name: 'statd-dead',
    first: /node12: rpc\.statd is dead/,
    acts: [
      {
        chosen: /> restart rpc\.statd/,
        plan: 'Restart rpc.statd on node12',
        typed: 'node12',
        verified: '✓ done, verified by reading it again',
      },
    ],
  },
  {
    name: 'export-withdrawn',
    first: /nfs1:\/export\/apps is no longer exported/,
    acts: [
      {
        chosen: /> export \/etc\/exports again/,
        plan: 'Export /etc/exports again on nfs1',
        typed: 'nfs1',
        verified: '✓ done, verified by reading it again',
      },
    ],
  },
  {
    name: 'cache-off',
    first: /UPS rack3: battery is past its life.*write cache of array1 off, oss\[3-4\] slow/,
    contact: 'storage team',
  },
  {
    name: 'disks-failing',
    first: /array2: 5 failed or suspect disks; pull now: sdam, sddl; then/,
    contact: 'storage team',
  },
];

/** The text that went to the clipboard last. */
const copied = (session: Session): string => {
  const bytes = session.output().split('\u001B]52;c;').at(-1)?.split('\u0007')[0] ?? '';
  return Buffer.from(bytes, 'base64').toString();
};

/** On the first screen of a plan, at every size. */
const labels = ['will run', 'users', 'undo', 'checked'];

/** The chosen line of the menu when it can be had: its danger class stands at its end. */
const CHOSEN = /│ > .*(?:reversible|service|access) +│/;

/** A disk that does not answer in time under the load of other suites refuses the plan: no fault of the keys, so they are pressed anew. */
const BUSY = 'this machine is too busy';

/** From the row to the open plan. */
const openPlan = async (hand: Hand, act: Act): Promise<void> => {
  const { session } = hand;
  const { count } = hand;
  for (let tries = 0; ; tries++) {
    await choosePlan(hand, act);
    await session.until((screen) => screen.includes(act.plan) || screen.includes(BUSY));
    if (tries > 5 || !session.screen().includes(BUSY)) break;
    await session.keys('Esc');
    hand.count = count;
  }
  for (const label of labels) await session.until(new RegExp(`│ ${label} `));
};

const choosePlan = async (hand: Hand, { chosen, down = 0 }: Act): Promise<void> => {
  const { session } = hand;
  await hand.press('a');
  // What is chosen can be had: whatever it rests on was read.
  await settleChoice(session, CHOSEN);
  if (down > 0) await hand.press(...Array.from({ length: down }, () => 'Down'));
  await session.until((screen) => chosen.test(CHOSEN.exec(screen)?.[0] ?? ''));
  await hand.press('Enter');
};

const carryOut = async (hand: Hand, act: Act): Promise<void> => {
  const { session } = hand;
  await openPlan(hand, act);
  await hand.confirm(act.typed);
  if (act.keep) {
    await session.until(act.keep);
    hand.count += 1;
    await hand.type('keep');
  }
  await session.until(act.verified);
};

/** A finding that is open: what was cured has another sign. */
const rowOf = ({ source }: RegExp): RegExp => new RegExp(`^[> ][✖!·] .*(?:${source})`, 'm');

const cure = async (session: Session, { first, acts = [], end }: Incident): Promise<Hand> => {
  const hand = new Hand(session);
  for (const [at, act] of acts.entries()) {
    if (at > 0) await hand.press('Esc');
    await carryOut(hand, act);
  }
  await session.keys('Esc');
  const row = rowOf(end ?? first);
  await session.until((screen) => row.test(screen) === (end !== undefined));
  return hand;
};

/** As far as the plan, which is not confirmed: the same keys lead there as at the other size. Gives the pages that it takes. */
const reach = async (session: Session, { acts: [act] = [] }: Incident): Promise<number> => {
  if (act === undefined) return 0;
  await openPlan(new Hand(session), act);
  const pages = await readPlan(session);
  await session.keys('Esc');
  await session.until('cancelled: nothing was sent to any host');
  return pages;
};

/** Key presses at both sizes: the plan is only read at the wide one. */
const countCure = async (session: Session, incident: Incident): Promise<readonly [number, number]> => {
  const pages = await reach(session, incident);
  await narrow(session);
  const hand = await cure(session, incident);
  return [hand.count - hand.pages + pages, hand.count];
};

const countTicket = async (session: Session, incident: Incident): Promise<readonly [number, number]> => {
  const wide = await fileTicket(session, incident);
  await narrow(session);
  return [wide, await fileTicket(session, incident)];
};

const narrow = async (session: Session): Promise<void> => {
  await session.resize(80, 24);
  await session.until(/^>/m);
};

const fileTicket = async (session: Session, { first, contact = '' }: Incident): Promise<number> => {
  const hand = new Hand(session);
  await hand.press('a');
  await session.until('by hand: ');
  // Nothing is chosen where nothing helps, and the contact stands beside what to do.
  expect(session.screen()).not.toMatch(/│ > /);
  expect(session.screen()).toContain(`contact: ${contact}`);
  await hand.press('Y');
  await session.until(/copied for the ticket .*written to/);
  const ticket = copied(session);
  expect(ticket).toMatch(first);
  for (const text of [contact, '### Evidence']) expect(ticket).toContain(text);
  await session.keys('Esc');
  return hand.count;
};

/** The row of an incident in docs/incidents.md: how it ends, and its counts. */
const documented = (name: string): readonly string[] => {
  const text = readFileSync(new URL('../../docs/incidents.md', import.meta.url), 'utf8');
  const row = text.split('\n').find((line) => line.startsWith(`| \`${name}\``));
  return (row ?? '').split('|').map((cell) => cell.trim());
};

const counts: string[] = [];
afterAll(() => {
  console.log(['incident           ends in 200x50  80x24', ...counts].join('\n'));
});

describe('every incident of the demo comes to its end in at most 8 key presses', () => {
  test.each(incidents)('$name', { timeout: 600_000 }, async (incident) => {
    const { name, first, acts } = incident;
    const session = start(['demo', '--incident', name], { columns: 200, rows: 50 });
    try {
      await session.until(new RegExp(`^>.*(?:${first.source})`, 'm'), 240_000);
      const both = await (acts ? countCure : countTicket)(session, incident);
      const end = acts ? 'cure' : 'ticket';
      counts.push([name.padEnd(18), end.padEnd(7), ...both.map((one) => String(one).padStart(6))].join(' '));
      expect(Math.max(...both)).toBeLessThanOrEqual(8);
      expect(documented(name).slice(2, 5)).toEqual([end, ...both.map(String)]);
    } finally {
      await session.close();
    }
  });
});
