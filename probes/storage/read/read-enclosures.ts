import { firstLine } from '../../../src/kit/answers.ts';
import { dropUndefined } from '../../../src/kit/known.ts';
import { findPart, findSection, sectionsOf, type Section } from '../../../src/kit/sections.ts';
import type { Answer } from '../../../src/model/answer.ts';
import { NotThisFormat } from '../../../src/model/errors.ts';
import type { Enclosure, EnclosurePart, EnclosureSlot, EnclosuresReading } from '../enclosures.ts';
import { parseSes, type SesElement } from './parse-ses.ts';

/** `/sys/class/enclosure/6:0:24:0/Slot 07/locate:0` (Documentation/ABI of the kernel has no page on it: drivers/misc/enclosure.c). */
const attribute =
  /^\/sys\/class\/enclosure\/([^/]{1,40})\/([^/]{1,80})\/(type|slot|status|fault|locate):(.{0,80})$/;
const disk = /^\/sys\/class\/enclosure\/([^/]{1,40})\/([^/]{1,80})\/device\/block\/([a-z0-9]{1,20})$/;

/** `faultline-locate-sdab.timer loaded active waiting ...` */
const timerLine = /^faultline-locate-(\S{1,60})\.timer\s+\S+\s+active\s/;

const flagOf = (text: string | undefined): boolean | undefined =>
  text === undefined || !/^\d{1,3}$/.test(text) ? undefined : text !== '0';

const slotOf = (
  name: string,
  values: ReadonlyMap<string, string>,
  disks: ReadonlyMap<string, string>,
  enclosure: string,
): EnclosureSlot => {
  const number = values.get('slot');
  return {
    name,
    ...dropUndefined({
      number: number !== undefined && /^\d{1,4}$/.test(number) ? Number(number) : undefined,
      disk: disks.get(`${enclosure}/${name}`),
      status: values.get('status'),
      fault: flagOf(values.get('fault')),
      lit: flagOf(values.get('locate')),
    }),
  };
};

const byNumber = (a: EnclosureSlot, b: EnclosureSlot): number =>
  (a.number ?? Number.POSITIVE_INFINITY) - (b.number ?? Number.POSITIVE_INFINITY) ||
  (a.name < b.name ? -1 : 1);

/** Attributes and links to disks of all enclosures. */
const enclosuresIn = (attributes: string, links: string): Enclosure[] => {
  const rows = attributes.split('\n').flatMap((line) => {
    const [, enclosure = '', slot = '', key = '', value = ''] = attribute.exec(line) ?? [];
    return enclosure === '' ? [] : [{ enclosure, slot, key, value: value.trim() }];
  });
  const disks = new Map(
    links.split('\n').flatMap((line): [string, string][] => {
      const [, enclosure, slot, name] = disk.exec(line) ?? [];
      return name === undefined ? [] : [[`${enclosure}/${slot}`, name]];
    }),
  );
  return [...Map.groupBy(rows, ({ enclosure }) => enclosure)].map(([id, own]) => {
    const slots = [...Map.groupBy(own, ({ slot }) => slot)]
      .filter(([name]) => name !== 'device')
      .map(([name, found]) => slotOf(name, new Map(found.map(({ key, value }) => [key, value])), disks, id));
    return { id, slots: slots.toSorted(byNumber) };
  });
};

const timersIn = (text: string): string[] =>
  text.split('\n').flatMap((line) => timerLine.exec(line.trim())?.[1] ?? []);

/** What sg_ses said of each enclosure; slots stand in sysfs already, with the disks that are in them. */
const partsIn = (sections: readonly Section[]): Pick<EnclosuresReading, 'parts' | 'partsUnread'> => {
  const asked = sections.flatMap((section, at) => {
    const end = sections[at + 1];
    return section.word === 'ses'
      ? [{ enclosure: section.rest, text: section.body, code: end?.word === 'ses-exit' ? end.rest : '' }]
      : [];
  });
  const read = asked.map(({ enclosure, text, code }) => {
    if (code === '137') return { parts: [], why: `${enclosure} gave no answer within 20 s` };
    try {
      return { parts: parseSes({ stdout: text }).elements.flatMap((one) => partOf(enclosure, one)) };
    } catch (error) {
      if (!(error instanceof NotThisFormat)) throw error;
      return { parts: [], why: `${enclosure}: ${firstLine(text) || error.message}` };
    }
  });
  const why = read.find((one) => one.why !== undefined)?.why;
  return asked.length === 0
    ? {}
    : { parts: read.flatMap(({ parts }) => parts), ...dropUndefined({ partsUnread: why }) };
};

const partOf = (
  enclosure: string,
  { type, index, status, predictedFailure, flags }: SesElement,
): EnclosurePart[] =>
  type.endsWith('slot') || status === undefined
    ? []
    : [
        {
          enclosure,
          kind: type,
          index,
          status,
          ...(predictedFailure === true && { predicted: true }),
          ...dropUndefined({ flags }),
        },
      ];

/** Reads the answer of the script of enclosures. A host without one has no attributes, and grep finds nothing. */
export const readEnclosures = (answer: Answer): { value: EnclosuresReading } => {
  const sections = sectionsOf(answer, 'asking enclosures');
  const slots = findPart(sections, 'slots');
  const timers = findPart(sections, 'timers');
  const enclosures = enclosuresIn(slots?.text ?? '', findSection(sections, 'disks')?.body ?? '');
  const unread =
    slots === undefined || slots.code === 137
      ? 'an enclosure did not answer within 20 s'
      : slots.code > 1 && enclosures.length === 0 && slots.text.trim() !== ''
        ? firstLine(slots.text)
        : undefined;
  return {
    value: {
      enclosures,
      ...partsIn(sections),
      ledctl: findSection(sections, 'ledctl') !== undefined,
      ...(timers?.code === 0 && { timers: timersIn(timers.text) }),
      ...dropUndefined({ unread }),
    },
  };
};
