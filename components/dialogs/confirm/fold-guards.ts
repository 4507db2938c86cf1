import { fold } from '../../../src/text/nodeset.ts';
import type { PlanCard } from '../../../src/model/run.ts';

/**
 * Guards that say the same of several targets as one line with the set of them: `node[12-28] is still drained`. What
 * they say stays word for word; only the name of the target is folded.
 */
export const foldGuards = (
  card: Pick<PlanCard, 'guards' | 'targets'>,
): readonly { id: string; text: string }[] => {
  const groups = new Map<string, { id: string; parts: readonly string[]; names: string[] }>();
  for (const { id, text } of card.guards) {
    const name = card.targets.find((target) => mentions(text, target.id))?.id;
    const parts = name === undefined ? [text] : splitAt(text, name);
    const key = JSON.stringify([id, ...parts]);
    const group = groups.get(key) ?? { id, parts, names: [] };
    groups.set(key, group);
    if (name !== undefined) group.names.push(name);
  }
  return [...groups.values()].map(({ id, parts, names }) => ({ id, text: parts.join(fold(names)) }));
};

const wordChar = /[A-Za-z0-9_-]/;

/** Parts of a text around each mention of a name as a whole word: node1 is not in node12. */
const splitAt = (text: string, name: string): readonly string[] => {
  const parts: string[] = [];
  let from = 0;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    if (wordChar.test(text[at - 1] ?? ' ') || wordChar.test(text[at + name.length] ?? ' ')) continue;
    parts.push(text.slice(from, at));
    from = at + name.length;
  }
  return [...parts, text.slice(from)];
};

const mentions = (text: string, name: string): boolean => splitAt(text, name).length > 1;
