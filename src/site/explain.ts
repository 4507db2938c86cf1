import type { z } from 'zod';
import { nearestWord } from '../text/nearest.ts';
import { pathText, type Path, type Problem } from './problem.ts';

type Issue = z.core.$ZodIssue;

/** What the schema found, in words for the person who wrote the file; `ownPath`: a path as the file has it that is one of several. */
export const explain = (
  issue: Issue,
  root: unknown,
  ownPath: (path: Path) => Path = (path) => path,
): Problem => {
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
  const found = path.reduce<unknown>(
    (value, part) => (typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined),
    root,
  );
  const where = pathText(ownPath(path)) || 'the file';
  return { path, text: `${where} ${problemText(issue, found)}` };
};

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map of keys',
  record: 'a map of keys',
};

const kindOf = (value: unknown): string => {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'boolean') return `${value}`;
  if (typeof value === 'number') return `the number ${value}`;
  return kinds[typeof value] ?? typeof value;
};

const problemText = (issue: Issue, found: unknown): string => {
  if (issue.code === 'too_small' && issue.origin === 'number' && issue.message.startsWith('Too small'))
    return `is ${String(found)}; it must be ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`;
  if (issue.code === 'too_big' && issue.origin === 'number' && issue.message.startsWith('Too big'))
    return `is ${String(found)}; it must be ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}`;
  // Texts of our own and of the systems' schemas say it better than what follows.
  if (!issue.message.startsWith('Invalid')) return issue.message;
  if (issue.code === 'invalid_type') {
    const wanted = kinds[issue.expected] ?? issue.expected;
    if (found === undefined) return `is missing; it must be ${wanted}`;
    if (issue.expected === 'array' && typeof found === 'string')
      return `is a text; write it as a list: [${found}]`;
    if (issue.expected === 'string' && typeof found !== 'object')
      return `is ${kindOf(found)}; put it in quotes: "${String(found)}"`;
    return `is ${kindOf(found)}; it must be ${wanted}`;
  }
  if (issue.code === 'invalid_value') {
    const known = issue.values.map(String);
    const near = nearestWord(String(found), known);
    return near === undefined
      ? `"${String(found)}" is not known; known: ${known.join(', ')}`
      : `"${String(found)}" is not known; did you mean "${near}"?`;
  }
  if (issue.code === 'invalid_union') {
    const wanted = issue.errors.flatMap((errors) =>
      errors.flatMap((error) =>
        error.code === 'invalid_type' ? [kinds[error.expected] ?? error.expected] : [],
      ),
    );
    return wanted.length > 0 ? `is ${kindOf(found)}; it must be ${wanted.join(' or ')}` : issue.message;
  }
  if (issue.code === 'invalid_key') return 'is not a good name; use letters, digits, "-" and "_"';
  return issue.message;
};
