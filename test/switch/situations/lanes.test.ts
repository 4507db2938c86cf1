import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rowsIn } from '../../../probes/switch/read/formats.ts';
import { captureOf } from '../../../probes/switch/read/parse-capture.ts';
import { lanesOf } from '../../../probes/switch/read/read-answers.ts';
import type { OpticRow } from '../../../probes/switch/read/rows.ts';
import { weakLane, weakLaneText } from '../../../probes/switch/verdict/light.ts';
import { makeSafe } from '../../../src/text/safe.ts';

const folder = join(import.meta.dirname, '../captures');

/** What is said of the lanes of each module in a capture that has several. */
const said = (platform: string, file: string): readonly string[] => {
  const { rows } = rowsIn('optics', captureOf(readFileSync(join(folder, platform, file), 'utf8')), platform);
  // The reader's own rows, by their kind.
  const lanes = lanesOf(rows as readonly OpticRow[], (port) => port);
  return [...Map.groupBy(lanes, ({ port }) => port).values()].flatMap((module) => {
    const weak = weakLane(module, 'rx');
    return weak ? [makeSafe(weakLaneText(weak, 'rx'))] : [];
  });
};

describe('one lane without light, as makes print it', () => {
  it.each([
    ['arista_eos', 'optics__dom.txt', 'lane 2: RX -30.0 dBm'],
    ['aruba_aoscx', 'optics__table.txt', 'lane 2: RX -40.0 dBm'],
    ['cisco_ios', 'optics__detail_lanes.txt', 'lane 2: RX without a value'],
    ['cisco_nxos', 'optics__details.txt', 'lane 2: RX without a value'],
    ['cisco_nxos', 'optics__json_first_lane_tells_the_module.txt', 'lane 1: RX -40.0 dBm'],
    ['huawei_vrp', 'optics__lanes.txt', 'lane 2: RX without a value'],
    ['juniper_junos', 'optics__lanes.txt', 'lane 1: RX -40.0 dBm'],
    ['juniper_junos', 'optics__no_light_lane.txt', 'lane 1: RX -40.0 dBm'],
    ['linux', 'optics__dark_lane.txt', 'lane 2: RX -40.0 dBm'],
  ])('%s, %s: %s', (platform, file, text) => {
    expect(said(platform, file)).toEqual([`${text}, the others are fine`]);
  });

  it.each([
    ['three of four are dark', 'arista_eos', 'optics__dom_json_dark_lanes.txt'],
    ['one is dark and another is not told', 'juniper_junos', 'optics__lane_lost.txt'],
    ['all have light', 'mellanox_onyx', 'optics__no_light.txt'],
  ])('is none where %s', (_what, platform, file) => {
    expect(said(platform, file)).toEqual([]);
  });
});
