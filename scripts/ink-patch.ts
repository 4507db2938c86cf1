import { patchPlugin, type Changes } from './patch.ts';

/**
 * Ink takes every character of the screen apart in every frame and forgets it again. Here it keeps what the frame before
 * needed (so nothing grows with time), and takes a line as it was when all its cells are the same objects. What it draws is
 * the same: a test holds it against Ink's own. Decision 0150.
 */
export const inkChanges: Changes = {
  'ink/build/output.js': [
    {
      from: 'export default class Output {',
      to: `const blank = Object.freeze({ type: 'char', value: ' ', fullWidth: false, styles: [] });
const sharedCaches = new OutputCaches();
let linesBefore = [];
const isSameLine = (a, b) => {
    if (a === undefined || a.length !== b.length) return false;
    for (let x = 0; x < b.length; x++) if (a[x] !== b[x]) return false;
    return true;
};
export default class Output {`,
    },
    { from: '    caches = new OutputCaches();', to: '    caches = sharedCaches;' },
    {
      from: '    getStyledChars(line) {\n        let cached = this.styledChars.get(line);',
      to: `    lines = new Map();
    olderLines = new Map();
    olderChars = new Map();
    /** What neither this frame nor the one before needed is let go. */
    nextFrame() {
        this.olderLines = this.lines;
        this.lines = new Map();
        this.olderChars = this.styledChars;
        this.styledChars = new Map();
        if (this.widths.size > 4096) this.widths.clear();
        if (this.blockWidths.size > 4096) this.blockWidths.clear();
    }
    getLines(text) {
        let cached = this.lines.get(text);
        if (cached === undefined) {
            cached = this.olderLines.get(text);
            if (cached === undefined) {
                const characterLines = [[]];
                for (const character of this.getStyledChars(text)) {
                    if (character.value === '\\n') characterLines.push([]);
                    else characterLines.at(-1).push(character);
                }
                cached = characterLines.map(line => styledCharsToString(line));
            }
            this.lines.set(text, cached);
        }
        return cached;
    }
    getStyledChars(line) {
        let cached = this.styledChars.get(line);
        if (cached === undefined) {
            cached = this.olderChars.get(line);
            if (cached !== undefined) this.styledChars.set(line, cached);
        }`,
    },
    {
      from: '    getStringWidth(text) {',
      to: `    getStringWidth(text) {
        if (text.length === 1 && text >= ' ' && text <= '~') return 1;`,
    },
    {
      from: `        const characterLines = [[]];
        for (const character of this.caches.getStyledChars(text)) {
            if (character.value === '\\n') {
                characterLines.push([]);
            }
            else {
                characterLines.at(-1).push(character);
            }
        }
        let lines = characterLines.map(line => styledCharsToString(line));`,
      to: '        let lines = this.caches.getLines(text);',
    },
    {
      from: `            const row = [];
            for (let x = 0; x < this.width; x++) {
                row.push({
                    type: 'char',
                    value: ' ',
                    fullWidth: false,
                    styles: [],
                });
            }
            output.push(row);`,
      to: `            const row = [];
            for (let x = 0; x < this.width; x++) row.push(blank);
            output.push(row);`,
    },
    {
      from: `        const generatedOutput = output
            .map(line => {`,
      to: `        const linesNow = output.map((cells, y) => isSameLine(linesBefore[y]?.cells, cells) ? linesBefore[y] : { cells });
        linesBefore = linesNow;
        this.caches.nextFrame();
        const generatedOutput = linesNow
            .map(known => {
            if (known.text !== undefined) return known.text;
            const line = known.cells;`,
    },
    {
      from: 'return styledCharsToString(lineWithoutEmptyItems).trimEnd();',
      to: 'return (known.text = styledCharsToString(lineWithoutEmptyItems).trimEnd());',
    },
  ],
  // A key is answered in few bytes: lines that stay are passed in one step, and blanks on what was just erased are not written.
  'ink/build/log-update.js': [
    {
      from: 'const createIncremental = ',
      to: `const passLines = (count) => count === 0 ? '' : count === 1 ? ansiEscapes.cursorNextLine : '\\u001B[' + count + 'E';
// Colours of letters, bold and dim: under these alone a blank looks like what is erased.
const plainStyles = /^(?:[^\\u001B]|\\u001B\\[(?:[0-2]|22|24|27|3[0-79]|49|9[0-7])m|\\u001B\\[\\d*[GK])*$/u;
const passBlanks = (line) => plainStyles.test(line)
    ? line.replace(/ {6,}(?! *$)/g, blanks => '\\u001B[' + blanks.length + 'C')
    : line;
// Codes with which a piece of a line begins are those of all that stands before it: only what they leave switched on is written.
const kinds = [/^(?:[12]|22)$/u, /^(?:3[0-79]|9[0-7]|38;.*)$/u, /^(?:4[0-79]|10[0-7]|48;.*)$/u, /^2?3$/u, /^2?4$/u, /^2?7$/u];
const leftOn = (codes) => {
    const on = new Map();
    for (const [, code] of codes.matchAll(/\\u001B\\[([\\d;]*)m/gu)) {
        const kind = kinds.findIndex(of => of.test(code));
        if (kind < 0) return codes;
        if (/^(?:2[23479]|39|49)$/u.test(code)) on.delete(kind);
        else on.set(kind, kind === 0 ? (on.get(kind) ?? '') + '\\u001B[' + code + 'm' : '\\u001B[' + code + 'm');
    }
    return [...on.values()].join('');
};
const foldStyles = (line) =>
    line.replace(/^((?:\\u001B\\[\\d*[GK])*)((?:\\u001B\\[[\\d;]*m){2,})/u, (_, head, codes) => head + leftOn(codes));
const createIncremental = `,
    },
    {
      from: '        buffer.push(returnPrefix);',
      to: '        buffer.push(returnPrefix);\n        let skipped = 0;',
    },
    {
      from: '                    buffer.push(ansiEscapes.cursorNextLine);',
      to: '                    skipped += 1;',
    },
    {
      from: `            const nextLine = nextLines[i];
            const changedLine =`,
      to: `            buffer.push(passLines(skipped));
            skipped = 0;
            const nextLine = nextLines[i];
            const changedLine =`,
    },
    {
      from: '            buffer.push(changedLine +',
      to: '            buffer.push(passBlanks(foldStyles(changedLine)) +',
    },
    {
      from: `        const cursorSuffix = buildCursorSuffix(nextLines.length - 1, activeCursor);
        buffer.push(cursorSuffix);`,
      to: `        buffer.push(passLines(skipped));
        const cursorSuffix = buildCursorSuffix(nextLines.length - 1, activeCursor);
        buffer.push(cursorSuffix);`,
    },
  ],
  'ink/build/render-node-to-output.js': [
    { from: "import widestLine from 'widest-line';", to: "import measureText from './measure-text.js';" },
    { from: 'const currentWidth = widestLine(text);', to: 'const currentWidth = measureText(text).width;' },
  ],
};

/** Of Ink 8.0.0. */
export const inkPatch = patchPlugin('ink-patch', inkChanges);
