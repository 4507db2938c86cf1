import type { Guard, GuardResult } from '../../../src/model/action.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { failGuard, passGuard } from '../../../src/kit/guards.ts';
import { percent } from '../../../src/text/units.ts';
import { importsOf, readsAt, systemOf, type Target } from './targets.ts';
import { lustreOf } from '../judge/join.ts';
import { limitsOf } from '../settings.ts';

/** Guard 3: every MDT of the file system answers and lists the OST, on the servers that the commands go to. */
export const requireMdtsRead = ({ ost, imports }: Target): Guard => ({
  id: '3 preconditions',
  text: `all ${imports.length} MDTs answer and list ${ost.name}`,
  reads: readsAt('lustre.mds', imports),
  absolute: true,
  check: (live) => {
    const now = lustreOf(live).byOst.get(ost.name);
    const found = now ? importsOf(now, live) : 'no server and no client lists it any more';
    if (typeof found === 'string') return failGuard(found);
    const gone = imports.find(({ mdt }) => !found.some((one) => one.mdt === mdt));
    return gone
      ? failGuard(`${gone.mdt} does not answer for ${ost.name} any more`)
      : passGuard(found.map(({ mdt, host }) => `${mdt} on ${host}`).join(', '));
  },
});

/**
 * Guard 6: the share of the free space on OSTs without new objects after the whole plan, counting what others took out; and as
 * many OSTs open on each MDT as its default stripe count wants.
 */
export const freeSpaceRoom = ({ ost, imports }: Target, names: readonly string[]): Guard => ({
  id: '6 OST share of free space',
  text: `at most the allowed share of ${ost.fs}'s free space is closed to new files afterwards, and enough OSTs stay for the default stripe count`,
  reads: readsAt('lustre.mds', imports),
  absolute: false,
  check: (live) => room(ost.fs, names, live),
});

const room = (fs: string, names: readonly string[], live: Judgement): GuardResult => {
  const osts = systemOf(fs, live)?.osts ?? [];
  const unknown = osts.filter(({ kbAvail, usageStale }) => kbAvail === undefined || usageStale).length;
  if (osts.length === 0 || unknown > 0)
    return failGuard(`the free space of ${unknown || 'all'} OSTs of ${fs} is not known now`);
  const sum = (list: typeof osts): number => list.reduce((total, { kbAvail }) => total + (kbAvail ?? 0), 0);
  const taken = new Set(names);
  const closed = osts.filter(
    ({ name, mdts }) =>
      taken.has(name) ||
      mdts.length === 0 ||
      mdts.some(({ allocation }) => allocation.verdict !== 'allocates'),
  );
  const total = sum(osts);
  const share = total === 0 ? 1 : sum(closed) / total;
  const limit = limitsOf(live.site, fs).freeOut;
  const left = osts.length - closed.length;
  const stripes = stripesOf(fs, live, osts.length);
  if (typeof stripes === 'string') return failGuard(stripes);
  const text = `${closed.length} of ${osts.length} OSTs of ${fs} closed to new files afterwards: ${percent(share)} of the free space (limit ${percent(limit)}); ${left} left, default stripe count ${stripes.text}`;
  // As shown: an OSS with nine of 36 OSTs is a quarter, give or take what they hold.
  return Math.round(share * 100) > Math.round(limit * 100) || left === 0 || left < stripes.wants
    ? failGuard(text)
    : passGuard(text);
};

interface Stripes {
  /** OSTs that must stay open. */
  wants: number;
  text: string;
}

/**
 * What the widest default stripe count of its MDTs wants; or which of them did not tell it. A negative count is all OSTs: a new file then asks
 * for as many as are active, those included that are closed by `max_create_count`, and fails (ENOSPC) when it gets less than three
 * quarters of them (lustre/lod/lod_qos.c: min_stripe_count, for default layouts; 2.5 to 2.15). `osts`: all of the file system.
 */
const stripesOf = (fs: string, live: Judgement, osts: number): Stripes | string => {
  const mdts = systemOf(fs, live)?.mdts ?? [];
  const mute = mdts.find(({ mdt }) => mdt?.stripeCount === undefined);
  if (mute) return `the default stripe count of ${mute.name} is not known`;
  const stripesOfMdts = mdts.flatMap(({ mdt }): Stripes[] => {
    if (mdt?.stripeCount === undefined) return [];
    if (mdt.stripeCount >= 0) return [{ wants: mdt.stripeCount, text: String(mdt.stripeCount) }];
    const active = mdt.activeobd ?? osts;
    const wants = active - Math.floor(active / 4);
    return [
      {
        wants,
        text: `${mdt.stripeCount} (all ${active} active OSTs; new files fail with less than ${wants})`,
      },
    ];
  });
  return stripesOfMdts.toSorted((a, b) => b.wants - a.wants)[0] ?? `no MDT of ${fs} was read`;
};
