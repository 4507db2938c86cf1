import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import type { EvidenceDraft, FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { SiteView } from '../../../src/model/site.ts';
import { platformOf } from '../platforms/index.ts';
import { findEarlierVerdict } from '../verdict/history.ts';
import { findStillShut } from './find-not-restored.ts';
import { farSubject, farEnd, linkAt } from '../links/link.ts';
import { knownLinks } from '../links/links.ts';
import type { TimersReading } from '../readings.ts';
import { findDownProof, findShutter, findOwnShuts } from './shut-by-us.ts';
import { sourcesOf } from '../ask/sources.ts';
import { splitId } from '../read/port-states.ts';
import { undoUnit } from '../read/undos.ts';

const finding = findingsOf('switch');

/** The timer that waits to bring a port back: somebody still holds it, and has not kept it. */
const undoFor = (port: string, { readings }: Judgement): (EvidenceDraft & { host: string }) | undefined => {
  const unit = undoUnit(port);
  const source = readings
    .sources<TimersReading>('switch.timers')
    .find(({ good }) => good?.value.timers.some((one) => one.unit === unit && one.state === 'active'));
  return source && { ...evidenceFrom(source, `${unit}.timer waits`), host: source.host };
};

/** Members that a run of the last minutes took out, and of which the journal does not tell yet, or will when they are kept. */
const justShut = (judgement: Judgement): readonly { port: string; by: string; at?: number }[] => {
  if (!judgement.audit) return [];
  const ownPorts = new Set(findOwnShuts(judgement).map(({ port }) => port));
  return sourcesOf(judgement.readings, 'lags').flatMap(({ host, good }) =>
    (good?.value.members ?? []).flatMap(({ member, active }) => {
      const port = `${host}:${member}`;
      const by = active === false && !ownPorts.has(port) ? findShutter(port, judgement) : undefined;
      return by === undefined ? [] : [{ port, by }];
    }),
  );
};

/** Whether a kept shutdown of this port is in the configuration that a restart of its switch reads. */
const outlivesRestart = (portId: string, site: SiteView): boolean => {
  const { host, port } = splitId(portId);
  const platform = platformOf(site.host(host)?.platform ?? '');
  return platform?.nameOf(port) !== undefined && platform.shutLasts === 'restart';
};

/** Shut by a console and kept. Saved nowhere but on devices where a commit is the configuration: elsewhere a restart brings it back. */
export const shutFindings = (judgement: Judgement): FindingDraft[] =>
  [...findOwnShuts(judgement), ...justShut(judgement)].flatMap(({ port, by, at }): FindingDraft[] => {
    const evidence = findDownProof(port, judgement);
    // What should have been brought back is a finding of its own.
    if (!evidence || findStillShut(judgement).some((one) => one.port === port)) return [];
    const subject = { kind: 'port', id: port } as const;
    const waiting = undoFor(port, judgement);
    const link = linkAt(knownLinks(judgement), port);
    const lasts = outlivesRestart(port, judgement.site);
    const wrong = link && findEarlierVerdict(port, link, at ?? judgement.now, judgement);
    const fate = waiting
      ? `; restored by ${waiting.host} unless kept`
      : `, ${lasts ? 'committed' : 'not saved'}${wrong ? `: ${wrong.text}` : ''}`;
    return [
      finding({
        kind: 'shut-by-us',
        key: port,
        severity: 'notice',
        subject,
        ...(link && farSubject(farEnd(link, port))),
        summary: `${port.replace(':', ' ')} shut by ${by}${fate}`,
        advice: [
          ...(wrong?.first === undefined ? [] : [`Suspect ${wrong.first}.`]),
          `Restore the port when the link is repaired. ${lasts ? 'The shutdown is committed: a restart of the switch keeps the port shut.' : 'The startup configuration was not changed: a restart brings the port up.'}`,
        ].join(' '),
        evidence: [
          evidence,
          ...(waiting ? [waiting] : []),
          ...(wrong ? [{ text: `before it was shut: ${wrong.text}` }] : []),
        ],
        breaks: [{ what: 'reach', of: [subject] }],
        remedies: [{ action: 'switch.restore', subjects: [subject] }],
        since: at,
      }),
    ];
  });
