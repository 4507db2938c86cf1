import * as z from 'zod';
import { fieldsOf, readAnswer } from '../../../src/kit/answers.ts';
import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import { figure } from '../../../src/kit/rows.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Source } from '../../../src/model/reading.ts';
import type { Judgement, Probe, System } from '../../../src/model/system.ts';
import type { Block } from '../../../src/model/view.ts';

const schema = z.object({ status: z.enum(['OL', 'OB']), charge: z.number(), beeper: z.string() });
type Ups = z.infer<typeof schema>;

const parseUps = ({ stdout }: { stdout: string }): Ups => {
  const [status, charge, beeper] = [...fieldsOf(stdout).values()];
  return schema.parse({ status, charge: Number(charge), beeper });
};

const probe: Probe<Ups> = {
  id: 'ups.status',
  role: 'toy-ups',
  everyMs: 10_000,
  touches: 'nothing',
  ask: () => ({ script: 'upsc' }),
  read: (answer) => ({ value: readAnswer('upsc', answer, parseUps) }),
  schema,
};

export const sourcesOf = ({ readings }: Judgement): readonly Source<Ups>[] => readings.sources<Ups>(probe.id);
const finding = findingsOf('ups');

const findings = (judgement: Judgement): FindingDraft[] =>
  sourcesOf(judgement).flatMap((source): FindingDraft[] => {
    const { status, charge } = source.good?.value ?? { status: 'OL', charge: 100 };
    const subject = { kind: 'host' as const, id: source.host };
    const evidence = [evidenceFrom(source, `${status} ${charge} %`)];
    const of = { key: source.host, subject, evidence, summary: `${source.host}: ${status}, ${charge} %` };
    return [
      ...(status === 'OB' ? [finding({ ...of, kind: 'on-battery', severity: 'warning' })] : []),
      ...(charge < 50 ? [finding({ ...of, kind: 'low', severity: 'critical' })] : []),
    ];
  });

const table = (sources: readonly Source<Ups>[]): Block => ({
  type: 'table',
  id: 'ups',
  columns: [
    { id: 'host', title: 'UPS', min: 8 },
    { id: 'charge', title: '%', min: 4 },
  ],
  empty: 'no UPS',
  rows: sources.map(({ host: id, good }) => ({
    key: id,
    subject: { kind: 'host', id },
    cells: { host: { text: id }, charge: good ? figure(good.value.charge) : { text: '?' } },
  })),
});

export const ups: System = {
  id: 'ups',
  title: 'UPS',
  roles: ['toy-ups'],
  settings: z.strictObject({}),
  tools: { 'toy-ups': { commands: ['upsc', 'upscmd'] } },
  probes: [probe],
  publishes: [],
  needs: [],
  facts: () => [],
  findings,
  causes: [
    {
      name: 'battery-drains',
      causes: ['on-battery'],
      effects: ['low'],
      explain: (cause, effect) => (cause.subject.id === effect.subject.id ? 'it runs empty' : undefined),
    },
  ],
  track: () => [],
  view: (judgement) => ({
    summary: `${sourcesOf(judgement).length} UPS`,
    sign: findings(judgement).length > 0 ? 'critical' : 'fine',
    wall: '1 UPS',
    blocks: [table(sourcesOf(judgement))],
  }),
  detail: ({ id }, judgement) => [table(sourcesOf(judgement).filter(({ host }) => host === id))],
};
