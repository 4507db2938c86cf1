import type { Platform, Question } from '../platforms/contracts.ts';
import type { Capture } from './parse-capture.ts';
import { isRecord, type Json } from './parse-json.ts';
import type { Tree } from './parse-tree.ts';

/** What a device may have none of: a device without ports is none. */
const mayBeNone: ReadonlySet<string> = new Set<Question>(['lags', 'neighbors', 'optics']);

/** The legend that Onyx prints above each of its tables, an empty one too. */
const isLegend = (name: string): boolean => name.toLowerCase() === 'flags';

/** A document that holds brackets and names, and no value but those of a legend. */
const isBare = (json: Json): boolean =>
  Array.isArray(json)
    ? json.every(isBare)
    : isRecord(json) && Object.entries(json).every(([name, one]) => isLegend(name) || isBare(one));

/** Junos' own line below each reply: `{master:0}`. */
const frame = new Set(['cli', '?xml']);

const isBareTree = ({ text, elements }: Tree): boolean =>
  text === '' &&
  [...elements].every(([name, inner]) => frame.has(name) || name.startsWith('@_') || inner.every(isBareTree));

/** Commands of this question print documents there. */
const printsDocuments = ({ ask }: Platform, kind: Question): boolean => {
  const asked = ask[kind];
  const lines = asked && 'all' in asked ? asked.all : Array.isArray(asked) ? asked : [];
  return lines.some((line: string) => /\b(?:json|xml|json-print|display-xml)\b/.test(line));
};

/**
 * Whether an answer says that there are none: a whole document without any value, or the platform's own words. An empty table is an
 * answer, and none that was not understood.
 */
export const isEmptyList = (kind: string, capture: Capture, platform: Platform | undefined): boolean => {
  if (!mayBeNone.has(kind) || platform === undefined) return false;
  const question = kind as Question;
  const words = platform.saysNone?.[question];
  if (words !== undefined && !capture.endsOpen && capture.spoken.some((line) => words.test(line)))
    return true;
  if (!printsDocuments(platform, question)) return false;
  const json = capture.wholeJson();
  if (json !== undefined) return isBare(json);
  const closed = capture.readSent().some((line) => /<\/rpc-reply>|<rpc-reply[^>]*\/>/.test(line));
  return closed && capture.xml().length > 0 && capture.xml().every(isBareTree);
};
