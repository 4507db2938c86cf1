import { dropUndefined } from '../../../src/kit/known.ts';
import { sectionsOf } from '../../../src/kit/sections.ts';
import type { Answer } from '../../../src/model/answer.ts';
import { NotThisFormat } from '../../../src/model/errors.ts';
import type { UpsReading, UpsUnit } from '../readings.ts';
import { parseUps } from './parse-ups.ts';

const unitOf = (name: string, text: string): UpsUnit => {
  try {
    // Both streams come as one: what the tool says when it fails stands among them.
    const ups = parseUps({ stdout: text, stderr: text });
    if (ups.error) return { name, status: [], failure: ups.error.message };
    const { status = [], onBattery, lowBattery, replaceBattery, commLost, model } = ups;
    const { chargePct, runtimeS, batteryDate, selfTest } = ups;
    const known = { onBattery, lowBattery, replaceBattery, commLost, model };
    return { name, status, ...dropUndefined({ ...known, chargePct, runtimeS, batteryDate, selfTest }) };
  } catch (error) {
    if (!(error instanceof NotThisFormat)) throw error;
    return { name, status: [], failure: text.trim() === '' ? 'no answer within 10 s' : error.message };
  }
};

/**
 * Reads what each UPS said, each in a section `unit TOOL NAME`. One that says nothing is a unit with the reason, so that the others of
 * its host are told all the same.
 */
export const readUps = (answer: Answer): { value: UpsReading } => {
  const sections = sectionsOf(answer, 'asking UPS');
  const units = sections
    .filter(({ word }) => word === 'unit')
    .map(({ rest, body }) => unitOf(rest.slice(rest.indexOf(' ') + 1), body));
  return { value: { units } };
};
