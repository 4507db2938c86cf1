import type { Sign } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { Block } from '../../../src/model/view.ts';
import { percent } from '../../../src/text/units.ts';
import { type BrickState, bricksOf } from '../judge/bricks.ts';
import { type DiskedBrick, disksOf, whyNotMounted } from '../judge/disks.ts';
import { healOf } from '../judge/pool.ts';
import { healSeries } from '../judge/track.ts';
import type { GlusterVolume } from '../readings.ts';

/** The bricks of a volume: what serves them, what waits there, how full their disks are. */
export const bricksTable = (volume: GlusterVolume, judgement: Judgement): Block => {
  const heal = healOf(judgement).get(volume.name);
  const disks = new Map(disksOf(volume, judgement).map((one) => [one.brick.id, one]));
  const hostOf = (named: string): string => judgement.site.resolve('host', named)?.id ?? named;
  return {
    type: 'table',
    id: 'bricks',
    title: 'Bricks',
    columns: [
      { id: 'brick', title: 'BRICK', min: 24, grow: 1 },
      { id: 'state', title: 'STATE', min: 8 },
      { id: 'disk', title: 'DISK', min: 10, drop: 1 },
      { id: 'pending', title: 'PENDING', align: 'right', min: 7 },
    ],
    rows: bricksOf(volume, judgement).map(({ id, state, why, path, host: own }) => {
      const healed = heal?.bricks.find(
        (one) => one.path === path && one.host !== undefined && hostOf(one.host) === own,
      );
      return {
        key: id,
        subject: { kind: 'brick' as const, id },
        sign: signs[state],
        cells: {
          brick: { text: id },
          state: { text: why ?? state },
          disk: { text: diskText(disks.get(id)) },
          pending: {
            text:
              healed?.pending === undefined ? '' : heal?.error === undefined ? String(healed.pending) : '?',
          },
        },
      };
    }),
    empty: 'no bricks',
  };
};

const signs: Readonly<Record<BrickState['state'], Sign>> = {
  up: 'fine',
  down: 'warning',
  stopped: 'warning',
  unknown: 'unknown',
};

/** `41 % used`, or what is wrong of it; nothing where it was not read. */
const diskText = (one: DiskedBrick | undefined): string => {
  if (!one) return 'not read';
  const { state, text, readOnly, kbUsed, kbAvail } = one.disk;
  const problem = whyNotMounted(one) ?? (state === 'read' ? undefined : (text ?? state));
  if (problem !== undefined) return problem;
  const used =
    kbUsed === undefined || kbAvail === undefined ? '?' : percent(kbUsed / Math.max(1, kbUsed + kbAvail));
  return `${used} used${readOnly === true ? ', read-only' : ''}`;
};

export const healChart = (name: string, judgement: Judgement): Block => ({
  type: 'chart',
  id: 'heal',
  title: 'entries to heal, last day',
  unit: 'entries',
  series: [
    {
      name,
      points: judgement.history
        .changes(healSeries(name), judgement.now - 86_400_000)
        .map(({ at, value }) => ({ at, value: Number(value) })),
    },
  ],
});
