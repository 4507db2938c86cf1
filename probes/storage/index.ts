import type { z } from 'zod';
import { saysWhyNotRead } from '../../src/kit/unread.ts';
import type { Cause } from '../../src/model/dependency.ts';
import type { System } from '../../src/model/system.ts';
import { storageProbes } from './ask/probes.ts';
import { isCacheTaken } from './judge/dark-caches.ts';
import { findings, tracks } from './judge/findings.ts';
import { ARRAYS, storageSettings, UPS } from './settings.ts';
import { detail } from './view/detail.ts';
import { view } from './view/pane.ts';

/** The array that two findings of this system are about. */
const arrayOf = (id: string): string => id.split(':').slice(2).join(':');

/** What explains what of storage's own making. */
const causes: readonly Cause[] = [
  {
    // Some arrays trust their cache to a UPS, and drop it by the date of its battery alone: once that has come.
    name: 'storage-ups-takes-cache',
    causes: ['ups-replace-battery', 'battery-end', 'ups-silent', 'ups-on-battery'],
    effects: ['cache-off'],
    explain: ({ beside = [], kind, suspects = [] }, effect) =>
      beside.some(({ id }) => id === effect.subject.id) &&
      isCacheTaken(effect) &&
      !suspects.some(({ values = {} }) => values['ahead'] === 'yes')
        ? `it hangs on this UPS (${kind}), and an array may trust its cache to it`
        : undefined,
  },
  saysWhyNotRead(['no-path', 'array-lost']),
  {
    // One line on a host with several failing disks says which first; what is said of each hangs on it.
    name: 'storage-disk-in-order',
    causes: ['disks-to-replace'],
    effects: ['disk-predicted', 'disk-failing', 'redundancy-reduced', 'rebuild'],
    explain: ({ evidence, subject }, effect) => {
      if (subject.id !== effect.subject.id) return undefined;
      const disk = effect.suspects?.[0]?.values?.['disk'];
      const own = evidence.find(
        ({ values = {} }) =>
          (disk !== undefined && values['disk'] === disk) ||
          `${subject.id}:${values['array']}` === arrayOf(effect.id),
      );
      return own && `${own.values?.['disk']} is one of the disks to replace, in this order`;
    },
  },
  {
    // An array that lacks a disk waits for the rebuild that stands still.
    name: 'storage-rebuild-stalled',
    causes: ['rebuild-stalled'],
    effects: ['no-redundancy', 'redundancy-reduced'],
    explain: (cause, effect) =>
      arrayOf(cause.id) === arrayOf(effect.id) ? 'its rebuild stands still' : undefined,
  },
];

const mentionsOf = ({ ups, raid, serves, spared, arrays }: z.output<typeof storageSettings>) => [
  ...ups.flatMap(({ host, feeds, reset }, at) => [
    { path: ['ups', at, 'host'], name: host },
    ...(reset?.host === undefined ? [] : [{ path: ['ups', at, 'reset', 'host'], name: reset.host }]),
    ...feeds.flatMap((name, index) =>
      arrays.includes(name) ? [] : [{ path: ['ups', at, 'feeds', index], name }],
    ),
  ]),
  ...raid.flatMap((one, at) =>
    typeof one === 'string'
      ? []
      : one.hosts.map((name, index) => ({ path: ['raid', at, 'hosts', index], name })),
  ),
  ...spared.map((name, at) => ({ path: ['spared', at], name })),
  ...serves.flatMap(({ host, to }, at) => [
    ...(arrays.includes(host) ? [] : [{ path: ['serves', at, 'host'], name: host }]),
    ...to.map((name, index) => ({ path: ['serves', at, 'to', index], name })),
  ]),
];

/** Disks, arrays and what keeps them under power: what protects the data right now, and which disk may be pulled next. */
export const storage: System = {
  id: 'storage',
  title: 'Storage',
  roles: [ARRAYS, UPS],
  settings: storageSettings,
  mentions: (settings) => mentionsOf(storageSettings.parse(settings)),
  tools: {
    [ARRAYS]: { commands: ['grep', 'lsblk', 'timeout'] },
    [UPS]: { commands: ['timeout'] },
  },
  probes: storageProbes,
  publishes: [],
  needs: ['data.place', 'array.part'],
  facts: () => [],
  findings,
  causes,
  track: tracks,
  view,
  detail,
};
