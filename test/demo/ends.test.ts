import { expect, it } from 'vitest';
import { World } from '../../src/demo/world.ts';
import { createSimulators } from '../../src/registries/simulators.ts';
import { start } from '../helpers/judging.ts';

/** Writes of an OST that took a second and more, as `brw_stats` counts them. */
const lateWrites = (world: World): number => {
  const lustre = world.simulators.find(({ system }) => system === 'lustre');
  const answer = lustre?.call({
    host: 'oss3',
    argv: ['lctl', 'get_param', 'osd-*.*OST*.brw_stats'],
    stdin: '',
    now: now(),
  });
  return [...String(answer?.stdout).matchAll(/^1K:\s+\d+ +1 +1 +\| +(\d+)/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );
};

let at = start;
const now = (): number => at;

it('what ends an incident in one system ends it in the others', () => {
  const world = new World(createSimulators(), now);
  world.start('cache-off');
  const before = lateWrites(world);
  at += 60_000;
  const during = lateWrites(world);
  expect(during).toBeGreaterThan(before);
  world.outside('array1', 'root').call({
    argv: ['array-cli', 'battery', 'reset-date', 'rack3'],
    streams: { input: { text: '' }, out: () => undefined, err: () => undefined },
    env: {},
  } as never);
  at += 60_000;
  expect(lateWrites(world)).toBe(during);
});
