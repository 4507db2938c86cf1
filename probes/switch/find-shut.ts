import type { Evidence, Finding } from '../../src/model/finding.ts';
import type { Judgement } from '../../src/model/system.ts';
import { age } from '../../src/text/ages.ts';
import type { FabricReading } from './fabric.ts';
import { isDown } from './links.ts';
import { sourceOf } from './sources.ts';
import { journal } from './states.ts';
import { short } from './words.ts';

/** What says that a port is down now; undefined: it is not, or was not read. */
const readsDown = (portId: string, { readings }: Judgement): Evidence | undefined => {
  const split = portId.indexOf(':');
  const [host, port] = [portId.slice(0, split), portId.slice(split + 1)];
  const fabric = readings.source<FabricReading>('switch.fabric', host);
  const link = fabric?.good?.value.ports.find((one) => one.port === port);
  if (fabric?.good && link)
    return link.peer ? undefined : { text: 'it has no link', probe: fabric.probe, host, at: fabric.good.at };
  const source = sourceOf(readings, 'counters', host);
  const now = source?.good?.value.ports.find((one) => one.port === port);
  return source?.good && now && isDown(now)
    ? { text: `it reads ${now.link ?? 'down'}`, probe: source.probe, host, at: source.good.at }
    : undefined;
};

/** Shut by a console, kept, never saved: until somebody puts it back or saves it, a restart of the switch brings it back. */
export const shutFindings = (judgement: Judgement): Finding[] =>
  (journal(judgement)?.shut ?? []).flatMap(({ port, by, at }): Finding[] => {
    const evidence = readsDown(port, judgement);
    if (!evidence) return [];
    return [
      {
        id: `switch:shut-by-us:${port}`,
        system: 'switch',
        kind: 'shut-by-us',
        severity: 'notice',
        subject: { kind: 'port', id: port },
        summary: short(
          `${port.replace(':', ' ')} was shut from a console by ${by} ${age(judgement.now - at)} ago and is not saved`,
        ),
        advice:
          'Restore it when the link is repaired. The startup configuration was not changed: a restart brings it up.',
        evidence: [evidence],
        hurt: {},
        remedies: [{ action: 'switch.restore', subjects: [{ kind: 'port', id: port }] }],
        since: at,
      },
    ];
  });
