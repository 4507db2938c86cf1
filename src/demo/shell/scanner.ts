import { Incomplete, SyntaxFault, type Node, type Part, type Redirect, type Word } from './syntax.ts';

const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const ENDS_WORD = /[\s;&|<>()]/;

/** Reads words, operators and redirections of sh from a text, one after the other. */
export class Scanner {
  readonly text: string;
  at = 0;
  private readonly parseBody: (scanner: Scanner, end: string) => Node;
  private readonly waiting: { delimiter: string; redirect: { target: Word } }[] = [];

  /** `parseBody` parses what stands in `$( )` up to its end: the grammar is in parse.ts. */
  constructor(text: string, parseBody: (scanner: Scanner, end: string) => Node) {
    this.text = text;
    this.parseBody = parseBody;
  }

  isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  peek(): string {
    return this.text[this.at] ?? '';
  }

  /** Blanks, joined lines and comments; not line ends. */
  skipBlanks(): void {
    for (;;) {
      const char = this.peek();
      if (char === ' ' || char === '\t') this.at += 1;
      else if (char === '\\' && this.text[this.at + 1] === '\n') this.at += 2;
      else if (char === '#') while (!this.isAtEnd() && this.peek() !== '\n') this.at += 1;
      else return;
    }
  }

  /** Blanks, comments and line ends. */
  skipLines(): void {
    this.skipBlanks();
    while (this.takeNewline()) this.skipBlanks();
  }

  /** A line end; the here-documents begun on the line are read behind it. */
  takeNewline(): boolean {
    if (this.peek() !== '\n') return false;
    this.at += 1;
    for (const { delimiter, redirect } of this.waiting.splice(0)) {
      const end = this.text.indexOf(`\n${delimiter}\n`, this.at - 1);
      if (end < 0) throw new Incomplete('here-document');
      redirect.target = [{ type: 'text', text: this.text.slice(this.at, end + 1), quoted: true }];
      this.at = end + delimiter.length + 2;
    }
    return true;
  }

  take(operator: string): boolean {
    if (!this.text.startsWith(operator, this.at)) return false;
    this.at += operator.length;
    return true;
  }

  /** True when the bare word stands here; it is not consumed. */
  sees(word: string): boolean {
    if (!this.text.startsWith(word, this.at)) return false;
    const after = this.text[this.at + word.length];
    return after === undefined || ENDS_WORD.test(after);
  }

  takeKeyword(word: string): boolean {
    if (!this.sees(word)) return false;
    this.at += word.length;
    return true;
  }

  /** `NAME=` of a setting, or undefined. */
  takeSettingName(): string | undefined {
    NAME.lastIndex = this.at;
    const name = NAME.exec(this.text)?.[0];
    if (name === undefined || this.text[this.at + name.length] !== '=') return undefined;
    this.at += name.length + 1;
    return name;
  }

  /** `NAME()` of a function definition, or undefined. */
  takeFunctionName(): string | undefined {
    const match = /^([A-Za-z_][A-Za-z0-9_]*)[ \t]*\([ \t]*\)/.exec(this.text.slice(this.at, this.at + 200));
    if (match) this.at += match[0].length;
    return match?.[1];
  }

  takeRedirect(): Redirect | undefined {
    const match = /^(\d?)(>>|>&|>\||<<|<&|>|<)/.exec(this.text.slice(this.at, this.at + 4));
    if (!match) return undefined;
    this.at += match[0].length;
    const operator = match[2] ?? '';
    const fd = match[1] ? Number(match[1]) : operator.startsWith('<') ? 0 : 1;
    this.skipBlanks();
    const target = this.takeWord();
    if (!target) throw this.fault();
    if (operator === '<<') {
      const redirect: Redirect = { fd, kind: 'here', target };
      const delimiter = target.map((part) => (part.type === 'text' ? part.text : '')).join('');
      this.waiting.push({ delimiter, redirect });
      return redirect;
    }
    const kinds = { '>': 'write', '>|': 'write', '>>': 'append', '<': 'read' } as const;
    const kind = operator in kinds ? kinds[operator as keyof typeof kinds] : 'duplicate';
    return { fd, kind, target };
  }

  /** One word with its quotes, variables and command outputs; undefined when none stands here. */
  takeWord(): Word | undefined {
    const parts: Part[] = [];
    while (!this.isAtEnd() && !ENDS_WORD.test(this.peek())) this.takePart(parts, false);
    return parts.length > 0 ? parts : undefined;
  }

  private takePart(parts: Part[], quoted: boolean): void {
    const char = this.peek();
    if (!quoted && char === "'") parts.push(this.readSingleQuoted());
    else if (!quoted && char === '"') this.doubleQuoted(parts);
    else if (char === '\\') parts.push(this.escaped(quoted));
    else if (char === '$') parts.push(this.dollar(quoted));
    else if (char === '`') throw new SyntaxFault('backquotes are not supported');
    else {
      this.at += 1;
      const last = parts.at(-1);
      if (last?.type === 'text' && last.quoted === quoted) last.text += char;
      else parts.push({ type: 'text', text: char, quoted });
    }
  }

  private readSingleQuoted(): Part {
    const end = this.text.indexOf("'", this.at + 1);
    if (end < 0) throw new Incomplete('single quote');
    const text = this.text.slice(this.at + 1, end);
    this.at = end + 1;
    return { type: 'text', text, quoted: true };
  }

  private doubleQuoted(parts: Part[]): void {
    this.at += 1;
    parts.push({ type: 'text', text: '', quoted: true });
    while (this.peek() !== '"') {
      if (this.isAtEnd()) throw new Incomplete('double quote');
      this.takePart(parts, true);
    }
    this.at += 1;
  }

  private escaped(quoted: boolean): Part {
    const next = this.text[this.at + 1];
    if (next === undefined) throw new Incomplete('backslash');
    this.at += 2;
    if (next === '\n') return { type: 'text', text: '', quoted: true };
    const kept = quoted && !'$`"\\'.includes(next);
    return { type: 'text', text: kept ? `\\${next}` : next, quoted: true };
  }

  private dollar(quoted: boolean): Part {
    if (this.take('$(')) return { type: 'output', body: this.parseBody(this, ')'), quoted };
    if (this.take('${')) return this.braced(quoted);
    this.at += 1;
    NAME.lastIndex = this.at;
    const name = NAME.exec(this.text)?.[0] ?? (/[0-9?$#@*!]/.test(this.peek()) ? this.peek() : '');
    this.at += name.length;
    return name === '' ? { type: 'text', text: '$', quoted: true } : { type: 'variable', name, quoted };
  }

  private braced(quoted: boolean): Part {
    const match = /^([A-Za-z_][A-Za-z0-9_]*|[0-9?$#@*!])(:?-)?/.exec(this.text.slice(this.at, this.at + 200));
    if (!match) throw this.fault();
    this.at += match[0].length;
    const word: Part[] = [];
    while (this.peek() !== '}') {
      if (this.isAtEnd()) throw new Incomplete('${');
      if (match[2] === undefined) throw this.fault();
      this.takePart(word, quoted);
    }
    this.at += 1;
    const name = match[1] ?? '';
    if (match[2] === undefined) return { type: 'variable', name, quoted };
    return {
      type: 'variable',
      name,
      fallback: { word, when: match[2] === ':-' ? 'empty' : 'unset' },
      quoted,
    };
  }

  /** What sh says of a word that may not stand here. */
  fault(): Error {
    if (this.isAtEnd()) return new Incomplete('end of file');
    const shown =
      this.peek() === '\n'
        ? 'newline'
        : (/^\S+?(?=[\s;&|<>()]|$)|^\S/.exec(this.text.slice(this.at))?.[0] ?? this.peek());
    return new SyntaxFault(`"${shown}" unexpected`);
  }
}
