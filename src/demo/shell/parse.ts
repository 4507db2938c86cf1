import { Scanner } from './scanner.ts';
import type { Node, Redirect, Word } from './syntax.ts';

const CLOSING = ['}', 'then', 'else', 'elif', 'fi', 'do', 'done'];

const isClosing = (scanner: Scanner): boolean =>
  scanner.peek() === ')' || CLOSING.some((word) => scanner.sees(word));

/** A whole script. Throws `Incomplete` when it ends inside a construct, `SyntaxFault` when it can't be sh. */
export const parseScript = (text: string): Node => {
  const scanner = new Scanner(text, body);
  const node = list(scanner);
  if (!scanner.isAtEnd()) throw scanner.fault();
  return node;
};

/**
 * The first complete line of commands of a text that is still coming in, and what is behind it; undefined when there are
 * only blanks. Throws as `parseScript`.
 */
export const parseLine = (text: string): { node: Node; rest: string } | undefined => {
  const scanner = new Scanner(text, body);
  scanner.skipLines();
  if (scanner.isAtEnd()) return undefined;
  const node = line(scanner);
  if (!scanner.takeNewline() && !scanner.isAtEnd()) throw scanner.fault();
  return { node, rest: text.slice(scanner.at) };
};

const body = (scanner: Scanner, end: string): Node => {
  const node = list(scanner);
  if (!scanner.take(end)) throw scanner.fault();
  return node;
};

const list = (scanner: Scanner): Node => {
  const items: Node[] = [];
  scanner.skipLines();
  while (!scanner.isAtEnd() && !isClosing(scanner)) {
    items.push(line(scanner));
    scanner.skipLines();
  }
  return { type: 'list', items };
};

/** Commands up to the end of the line. */
const line = (scanner: Scanner): Node => {
  const items = [andOr(scanner)];
  for (;;) {
    scanner.skipBlanks();
    if (!scanner.take(';')) return { type: 'list', items };
    scanner.skipBlanks();
    if (scanner.isAtEnd() || scanner.peek() === '\n' || isClosing(scanner)) {
      return { type: 'list', items };
    }
    items.push(andOr(scanner));
  }
};

const andOr = (scanner: Scanner): Node => {
  let left = pipe(scanner);
  for (;;) {
    scanner.skipBlanks();
    const type = scanner.take('&&') ? 'and' : scanner.take('||') ? 'or' : undefined;
    if (!type) return left;
    scanner.skipLines();
    left = { type, left, right: pipe(scanner) };
  }
};

const pipe = (scanner: Scanner): Node => {
  scanner.skipBlanks();
  const negate = scanner.takeKeyword('!');
  scanner.skipBlanks();
  const commands = [command(scanner)];
  for (;;) {
    scanner.skipBlanks();
    if (scanner.text.startsWith('||', scanner.at) || !scanner.take('|')) break;
    scanner.skipLines();
    commands.push(command(scanner));
  }
  const [only] = commands;
  return only && commands.length === 1 && !negate ? only : { type: 'pipe', negate, commands };
};

const command = (scanner: Scanner): Node => {
  if (scanner.takeKeyword('{')) return group(scanner, '}', false);
  if (scanner.take('(')) return group(scanner, ')', true);
  if (scanner.takeKeyword('if')) return condition(scanner);
  if (scanner.takeKeyword('while')) return loop(scanner, false);
  if (scanner.takeKeyword('until')) return loop(scanner, true);
  if (scanner.takeKeyword('for')) return forEach(scanner);
  const name = scanner.takeFunctionName();
  if (name !== undefined) {
    scanner.skipLines();
    return { type: 'function', name, body: command(scanner) };
  }
  return parseSimple(scanner);
};

const group = (scanner: Scanner, end: string, subshell: boolean): Node => {
  const inner = body(scanner, end);
  return { type: 'group', subshell, body: inner, redirects: redirects(scanner) };
};

const redirects = (scanner: Scanner): Redirect[] => {
  const found: Redirect[] = [];
  for (;;) {
    scanner.skipBlanks();
    const redirect = scanner.takeRedirect();
    if (!redirect) return found;
    found.push(redirect);
  }
};

const expect = (scanner: Scanner, word: string): void => {
  if (!scanner.takeKeyword(word)) throw scanner.fault();
};

const condition = (scanner: Scanner): Node => {
  const branches: { condition: Node; body: Node }[] = [];
  do {
    const test = list(scanner);
    expect(scanner, 'then');
    branches.push({ condition: test, body: list(scanner) });
  } while (scanner.takeKeyword('elif'));
  const otherwise = scanner.takeKeyword('else') ? list(scanner) : undefined;
  expect(scanner, 'fi');
  return { type: 'if', branches, ...(otherwise && { otherwise }) };
};

const doBody = (scanner: Scanner): Node => {
  expect(scanner, 'do');
  const inner = list(scanner);
  expect(scanner, 'done');
  return inner;
};

const loop = (scanner: Scanner, until: boolean): Node => ({
  type: 'loop',
  until,
  condition: list(scanner),
  body: doBody(scanner),
});

const forEach = (scanner: Scanner): Node => {
  scanner.skipBlanks();
  const name = scanner.takeWord()?.[0];
  if (name?.type !== 'text') throw scanner.fault();
  scanner.skipBlanks();
  expect(scanner, 'in');
  const words: Word[] = [];
  for (;;) {
    scanner.skipBlanks();
    const word = scanner.takeWord();
    if (!word) break;
    words.push(word);
  }
  scanner.take(';');
  scanner.skipLines();
  return { type: 'for', name: name.text, words, body: doBody(scanner) };
};

const parseSimple = (scanner: Scanner): Node => {
  const settings: { name: string; value: Word }[] = [];
  const words: Word[] = [];
  const found: Redirect[] = [];
  for (;;) {
    scanner.skipBlanks();
    const redirect = scanner.takeRedirect();
    if (redirect) {
      found.push(redirect);
      continue;
    }
    const name = words.length === 0 ? scanner.takeSettingName() : undefined;
    if (name !== undefined) {
      settings.push({ name, value: scanner.takeWord() ?? [] });
      continue;
    }
    const word = scanner.takeWord();
    if (!word) break;
    words.push(word);
  }
  if (settings.length + words.length + found.length === 0) throw scanner.fault();
  return { type: 'simple', settings, words, redirects: found };
};
