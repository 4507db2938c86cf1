import type * as z from 'zod';
import type { Clush, HostView, Site, TrafficRule, Window } from '../model/site.ts';
import { durationMs } from '../text/ages.ts';
import { expandSet, type Groups } from '../text/set-arithmetic.ts';
import { dayTimes } from '../text/zone.ts';
import { isNotYetKnown, namesOfSubject, type Outside } from './groups.ts';
import type { Inventory } from './inventory.ts';
import { prometheusIn } from './prometheus.ts';
import type { clushSchema, trafficSchema, windowSchema } from './entry-schemas.ts';
import type { Knowledge, siteSchema } from './schema.ts';

/** What was checked, with instants and durations as numbers and the defaults of the systems' sections. */
export const siteOf = (
  data: z.output<ReturnType<typeof siteSchema>>,
  file: string,
  {
    hosts,
    transports,
    groups,
    outside,
  }: Pick<Inventory, 'hosts' | 'transports'> & { groups: Groups; outside: Outside },
  knowledge: Knowledge,
): Site => {
  const { site: name, readOnly, sshConfig, shared, audit, links, rules, alerts, zone, traffic, clush } = data;
  const told = [...(outside.answered.entries?.() ?? [])].filter(([, answer]) => !('why' in answer));
  return {
    name,
    file,
    readOnly,
    hosts,
    ...(Object.keys(data.groups).length > 0 && { groups: data.groups }),
    ...(told.length > 0 && { outside: Object.fromEntries(told) }),
    ...(shared && { shared }),
    ...(audit && { audit }),
    ...prometheusIn(data.prometheus),
    settings: settingsOf(data, knowledge),
    links,
    ...(rules && { rules }),
    ...(alerts && { alerts }),
    ...(traffic.length > 0 && {
      traffic: traffic.map((rule) => ruleOf(rule, zone, knowledge, hosts, groups)),
    }),
    windows: data.windows.map((window) => windowOf(window, groups)),
    runbooks: data.runbooks.map(({ finding, url, contact }) => ({
      finding,
      ...(url !== undefined && { url }),
      ...(contact !== undefined && { contact }),
    })),
    intervals: Object.fromEntries(
      Object.entries(data.intervals).map(([probe, every]) => [probe, durationMs(every) ?? 0]),
    ),
    ...(sshConfig !== undefined && { sshConfig }),
    ...(clush.length > 0 && { clush: clush.map((one) => clushOf(one, hosts, groups)) }),
    transports,
  };
};

/** A window whose sets were checked; those that a system has to tell of stay as they are written. */
const windowOf = (window: z.output<typeof windowSchema>, groups: Groups): Window => {
  const isLater = (subject: string): boolean => isNotYetKnown(() => namesOfSubject(subject, groups));
  const later = window.subjects.filter(isLater);
  return {
    text: window.text,
    subjects: window.subjects.flatMap((one) => (later.includes(one) ? [] : namesOfSubject(one, groups))),
    ...(later.length > 0 && { later }),
    from: Date.parse(window.from),
    to: Date.parse(window.to),
  };
};

/** A rule of `traffic` whose references were checked. */
const ruleOf = (
  { probe, between, every, hosts }: z.output<typeof trafficSchema>,
  zone: string,
  { systems }: Knowledge,
  all: readonly HostView[],
  groups: Groups,
): TrafficRule => {
  const role = systems.flatMap((system) => system.probes).find(({ id }) => id === probe)?.role ?? '';
  const named =
    hosts === undefined ? undefined : new Set(expandSet(hosts, groups).map((name) => name.toLowerCase()));
  return {
    probe,
    hosts: all
      .filter(({ name, roles }) => roles.includes(role) && (named?.has(name.toLowerCase()) ?? true))
      .map(({ name }) => name),
    everyMs: durationMs(every) ?? Infinity,
    ...(dayTimes(between) ?? { from: 0, to: 0 }),
    zone,
  };
};

/** The fleet of one admin host, names as the site spells them; its references were checked. */
const clushOf = (
  { through, hosts, fanout }: z.output<typeof clushSchema>,
  all: readonly HostView[],
  groups: Groups,
): Clush => {
  const spelled = new Map(all.map(({ name }) => [name.toLowerCase(), name]));
  const nameOf = (name: string): string => spelled.get(name.toLowerCase()) ?? name;
  return {
    through: nameOf(through),
    hosts: [...new Set(expandSet(hosts, groups).map(nameOf))],
    ...(fanout !== undefined && { fanout }),
  };
};

/** Each system's section, with its defaults where the file has none and the schema can do without. */
const settingsOf = (data: Readonly<Record<string, unknown>>, knowledge: Knowledge): Record<string, unknown> =>
  Object.fromEntries(
    knowledge.systems.flatMap(({ id, settings }) => {
      if (!settings) return [];
      if (data[id] !== undefined) return [[id, data[id]]];
      const defaults = settings.safeParse({});
      return defaults.success ? [[id, defaults.data]] : [];
    }),
  );
