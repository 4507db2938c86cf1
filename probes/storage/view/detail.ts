import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { Block } from '../../../src/model/view.ts';
import { count } from '../../../src/text/units.ts';
import type { EnclosurePart, EnclosuresReading } from '../enclosures.ts';
import { partWords } from '../judge/find-enclosures.ts';
import { safeDisksOf } from '../judge/safe-disks.ts';
import { arraySources, controllerSources, freshValue, seenArrays } from '../judge/sources.ts';
import type { ArraysReading, RaidToolReading } from '../readings.ts';
import { historyBlocks } from './disk-history.ts';
import { arraysTable, unreadRows } from './pane.ts';
import { slotGrid } from './slots.ts';
import { toldBlocks } from './told.ts';

const textBlock = (id: string, title: string, lines: readonly string[]): Block[] =>
  lines.length === 0 ? [] : [{ type: 'text', id, title, lines: lines.map((text) => ({ text })) }];

/** `sdf, serial ZL2PVFA8` */
const diskWords = (name: string, { disks }: ArraysReading): string => {
  const disk = disks.find((one) => one.name === name);
  const words = [
    ...(disk?.serial === undefined ? [] : [`serial ${disk.serial}`]),
    ...(disk?.wwn === undefined ? [] : [`WWN ${disk.wwn}`]),
  ];
  return [name, ...words].join(', ');
};

/** `c0 32:5, serial ZL2PVFA8`: by the kernel's own list, else by what its controller says of it. */
const placeWords = (name: string, reading: ArraysReading, tools: readonly RaidToolReading[]): string => {
  const number = tools.flatMap(({ numbers = [] }) => numbers).find(({ disk }) => disk === name)?.number;
  return number === undefined ? diskWords(name, reading) : `${name}, ${number}`;
};

/** Which failed disks may be pulled now, and why the others not. */
const safeBlocks = (host: string, reading: ArraysReading, judgement: Judgement): Block[] => {
  const safe = safeDisksOf(host, judgement);
  if (!safe || safe.now.length + safe.later.length === 0) return [];
  return textBlock('storage-safe', 'Failed and suspect disks: which may be pulled now', [
    ...safe.now.map(({ disk, why }) => `now: ${diskWords(disk, reading)}: ${why}`),
    ...safe.later.map(({ disk, why, instead }) => `${instead}: ${diskWords(disk, reading)}: ${why}`),
  ]);
};

const mapLines = ({ maps = [] }: ArraysReading): string[] =>
  maps.map(
    ({ name, usable, paths, queueing }) =>
      `${name}: ${usable} of ${paths} paths usable${queueing === true ? ', waits where none is' : ''}`,
  );

/** Parts that are well are counted. */
const partLines = (host: string, { readings }: Judgement): string[] => {
  const parts = freshValue(readings.source<EnclosuresReading>('storage.enclosures', host))?.parts ?? [];
  return [...Map.groupBy(parts, ({ enclosure }) => enclosure)].flatMap(([enclosure, own]) => {
    const isWell = ({ status, predicted }: EnclosurePart): boolean => status === 'OK' && predicted !== true;
    const others = own.filter((one) => !isWell(one) && one.status !== 'Not installed');
    return [
      `${enclosure}: ${count(own.filter(isWell).length, 'part')} OK`,
      ...others.map((one) => `${enclosure}: ${partWords(one)}`),
    ];
  });
};

/** A host of which only controllers are known, or nothing. */
const nothing: ArraysReading = { arrays: [], disks: [], unread: {} };

/** The arrays of a host with every disk, and what may be done with those that failed. */
export const detail = (subject: Subject, judgement: Judgement): readonly Block[] => {
  if (subject.kind !== 'host') return [];
  const reading = freshValue(arraySources(judgement).find(({ host }) => host === subject.id)) ?? nothing;
  const tools = freshValue(controllerSources(judgement).find(({ host }) => host === subject.id))?.tools ?? [];
  const seen = seenArrays(judgement).filter(({ host }) => host === subject.id);
  const unread = unreadRows(judgement).filter(({ subject: of }) => of?.id === subject.id);
  return [
    ...(seen.length + unread.length > 0 ? [arraysTable(seen, unread)] : []),
    ...toldBlocks(subject.id, judgement),
    ...safeBlocks(subject.id, reading, judgement),
    ...historyBlocks(subject.id, judgement),
    ...slotGrid(judgement, subject.id),
    ...seen.flatMap(({ array }) =>
      textBlock(
        `storage-${array.id}`,
        `${array.id}, ${array.level}`,
        array.slots.map(
          ({ disk, state }, at) =>
            `${at}: ${state}${disk === undefined ? '' : `, ${placeWords(disk, reading, tools)}`}`,
        ),
      ),
    ),
    ...tools.flatMap(({ tool, caches, batteries, failure }) =>
      textBlock(`storage-cache-${tool}`, `${tool}: caches and batteries`, [
        ...(failure === undefined ? [] : [failure]),
        ...caches.map(({ array, controller, said }) => `${array ?? `controller ${controller}`}: ${said}`),
        ...batteries.map(
          ({ controller, said, made }) =>
            `controller ${controller}: ${said}${made === undefined ? '' : `, made ${made}`}`,
        ),
      ]),
    ),
    ...textBlock(
      'storage-enclosures',
      'Power supplies, fans and sensors of enclosures',
      partLines(subject.id, judgement),
    ),
    ...textBlock('storage-paths', 'Paths', mapLines(reading)),
  ];
};
