import { findingsOf } from '../../../src/kit/findings.ts';
import type { EvidenceDraft, FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { fold } from '../../../src/text/nodeset.ts';
import type { State } from '../readings.ts';
import { nowhere, severityOf, standings, type Nowhere, type Standing } from './states.ts';

const findingOf = findingsOf('checks');

/** So many hosts on which a check says the same are one finding. */
const MANY = 5;

/** Hosts whose words stand in the evidence of such a finding. */
const TOLD = 5;

const kinds: Readonly<Record<Exclude<State, 'ok'>, string>> = {
  critical: 'check-critical',
  warning: 'check-warning',
  unknown: 'check-unknown',
};

/**
 * A finding for each check that is not fine on a host, or one for all hosts on which it says so together. A check that could not be
 * asked, timed out or answered with a flood has no reading of now: what is wrong there is told as what could not be read (`hosts`).
 */
export const findings = (judgement: Judgement): readonly FindingDraft[] => {
  const failing = standings(judgement).filter(({ state, said }) => state !== 'ok' && said !== undefined);
  const alike = Map.groupBy(failing, ({ check, state }) => `${check.name} ${state}`);
  return [
    ...nowhere(judgement).flatMap((one) => (one.isWaiting ? [] : [ofNowhere(one, judgement)])),
    ...[...alike.values()].flatMap((group) =>
      group.length >= MANY ? [ofGroup(group)] : group.map((one) => ofOne(one)),
    ),
  ];
};

/** A check that is asked nowhere is one that nobody makes. */
const ofNowhere = ({ check, why }: Nowhere, { site, facts, readings }: Judgement): FindingDraft =>
  findingOf({
    kind: kinds.unknown,
    key: `${check.name}:nowhere`,
    severity: severityOf('unknown', check.severity),
    subject: { kind: 'site', id: site.name },
    summary: `${check.name} is asked on no host: ${why}`,
    evidence: [
      { text: why },
      ...(facts.askedBy?.('group') ?? []).slice(0, TOLD).map(({ probe, host }) => {
        const unread = readings.source(probe, host)?.good ? '' : ', which was not read';
        return { text: `groups are told by ${probe} on ${host}${unread}`, probe, host };
      }),
    ],
    ...(check.runbook !== undefined && { runbook: check.runbook }),
  });

/** The site file's own sentence; names that it does not know stay as they are. */
const fill = (template: string, { check, host, state, text, said }: Standing): string =>
  template.replaceAll(/\{([^{}]{1,80})\}/g, (whole, name: string) => {
    const known: Readonly<Record<string, string>> = { check: check.name, host, state, text };
    if (Object.hasOwn(known, name)) return known[name] ?? whole;
    const value = said?.values.find((one) => one.name === name);
    return value === undefined ? whole : `${value.value ?? '?'}${value.unit ?? ''}`;
  });

const evidenceOf = ({ check, host, source, said, state, text }: Standing): EvidenceDraft => ({
  text: `${check.name} on ${host}: ${state.toUpperCase()}, ${text}`,
  probe: check.probe,
  host,
  words: said?.values.map(({ name }) => name) ?? [],
  ...(source?.good && { at: source.good.at }),
});

/** What findings of one host and of several have in common. */
const common = ({ check, state }: Standing) => ({
  kind: kinds[state === 'ok' ? 'unknown' : state],
  severity: severityOf(state, check.severity),
  ...(check.runbook !== undefined && { runbook: check.runbook }),
});

const remediesOf = (group: readonly Standing[]) =>
  Object.keys(group[0]?.check.actions ?? {}).map((verb) => ({
    action: `checks.${group[0]?.check.name}.${verb}`,
    subjects: group.map(({ subject }) => subject),
  }));

const ofOne = (one: Standing): FindingDraft =>
  findingOf({
    ...common(one),
    key: `${one.check.name}:${one.host}`,
    subject: one.subject,
    summary:
      one.check.summary === undefined
        ? `${one.host}: ${one.check.name} ${one.state}: ${one.text}`
        : fill(one.check.summary, one),
    evidence: [evidenceOf(one), ...(one.said?.more ?? []).slice(0, TOLD).map((text) => ({ text }))],
    hurtOn: [one.host],
    // What it tells of an array is found there, with what it means for whom; this line is below it then.
    ...(one.check.tells.length > 0 && {
      lacks: [{ what: 'pace' as const, of: [one.subject], from: [one.subject] }],
    }),
    remedies: remediesOf([one]),
  });

const ofGroup = (group: readonly Standing[]): FindingDraft => {
  const [first] = group as [Standing, ...Standing[]];
  const hosts = group.map(({ host }) => host);
  const isAlike = group.every(({ text }) => text === first.text);
  const words = isAlike ? first.text : `${first.host} says ${first.text}`;
  return findingOf({
    ...common(first),
    key: first.check.name,
    subject: { kind: 'site', id: fold(hosts) },
    members: group.map(({ subject }) => subject),
    summary: `${group.length} hosts: ${first.check.name} ${first.state}: ${fold(hosts)}: ${words}`,
    evidence: group.slice(0, TOLD).map(evidenceOf),
    hurtOn: hosts,
    remedies: remediesOf(group),
  });
};
