import type { Evidence, Finding } from '../../src/model/finding.ts';
import type { Judgement } from '../../src/model/system.ts';
import type { SiteView } from '../../src/model/site.ts';
import { platformOf } from './ask/index.ts';
import { wrongBefore } from './before-shut.ts';
import { stillShut } from './find-not-restored.ts';
import { besideOf, farEnd, linkAt, linksKnown } from './links.ts';
import type { TimersReading } from './readings.ts';
import { readsDown, shutBy, shutByUs } from './shut-by-us.ts';
import { sourcesOf } from './sources.ts';
import { splitId } from './port-states.ts';
import { undoUnit } from './timers.ts';
import { short } from './words.ts';

/** The timer that waits to bring a port back: somebody still holds it, and has not kept it. */
const undoFor = (port: string, { readings }: Judgement): (Evidence & { host: string }) | undefined => {
  const unit = undoUnit(port);
  const source = readings
    .sources<TimersReading>('switch.timers')
    .find(({ good }) => good?.value.timers.some((one) => one.unit === unit && one.state === 'active'));
  return source?.good
    ? { text: `${unit}.timer waits`, probe: source.probe, host: source.host, at: source.good.at }
    : undefined;
};

/** Members that a run of the last minutes took out, and of which the journal does not tell yet, or will when they are kept. */
const justShut = (judgement: Judgement): readonly { port: string; by: string; at?: number }[] => {
  if (!judgement.audit) return [];
  const told = new Set(shutByUs(judgement).map(({ port }) => port));
  return sourcesOf(judgement.readings, 'lags').flatMap(({ host, good }) =>
    (good?.value.members ?? []).flatMap(({ member, active }) => {
      const port = `${host}:${member}`;
      const by = active === false && !told.has(port) ? shutBy(port, judgement) : undefined;
      return by === undefined ? [] : [{ port, by }];
    }),
  );
};

/** Whether a kept shutdown of this port is in the configuration that a restart of its switch reads. */
const outlivesRestart = (portId: string, site: SiteView): boolean => {
  const { host, port } = splitId(portId);
  const platform = platformOf(site.host(host)?.platform ?? '');
  const name = platform?.nameOf(port);
  return name !== undefined && platform?.change?.(name).lasts === 'restart';
};

/** Shut by a console and kept. Saved nowhere but on devices where a commit is the configuration: elsewhere a restart brings it back. */
export const shutFindings = (judgement: Judgement): Finding[] =>
  [...shutByUs(judgement), ...justShut(judgement)].flatMap(({ port, by, at }): Finding[] => {
    const evidence = readsDown(port, judgement);
    // What should have been brought back is a finding of its own.
    if (!evidence || stillShut(judgement).some((one) => one.port === port)) return [];
    const waiting = undoFor(port, judgement);
    const link = linkAt(linksKnown(judgement), port);
    const lasts = outlivesRestart(port, judgement.site);
    const wrong = link && wrongBefore(port, link, at ?? judgement.now, judgement);
    return [
      {
        id: `switch:shut-by-us:${port}`,
        system: 'switch',
        kind: 'shut-by-us',
        severity: 'notice',
        subject: { kind: 'port', id: port },
        ...(link && besideOf(farEnd(link, port))),
        summary: short(
          `${port.replace(':', ' ')} was shut from a console by ${by}${waiting ? `: ${waiting.host} brings it back unless it is kept` : `, ${lasts ? 'committed' : 'not saved'}${wrong ? `: ${wrong.text}` : ''}`}`,
        ),
        advice: [
          ...(wrong?.first === undefined ? [] : [`Look first at ${wrong.first}.`]),
          `Restore it when the link is repaired. ${lasts ? 'It is committed: a restart of the switch keeps it shut.' : 'The startup configuration was not changed: a restart brings it up.'}`,
        ].join(' '),
        evidence: [
          evidence,
          ...(waiting ? [waiting] : []),
          ...(wrong ? [{ text: `before it was shut: ${wrong.text}` }] : []),
        ],
        breaks: [{ what: 'reach', of: [{ kind: 'port', id: port }] }],
        hurt: {},
        remedies: [{ action: 'switch.restore', subjects: [{ kind: 'port', id: port }] }],
        ...(at !== undefined && { since: at }),
      },
    ];
  });
