import { expect, test } from 'vitest';
import { createMouseReader } from '../../components/mouse.ts';

const click = '\u001B[<0;12;7M';

/** All that a reader makes of chunks; the last word of each is what is given up when nothing comes after it. */
const readAll = (chunks: readonly string[], giveUp = false) => {
  const reader = createMouseReader();
  let keys = '';
  const events = chunks.flatMap((chunk) => {
    const taken = reader.take(chunk);
    keys += taken.keys;
    if (giveUp && reader.isWaiting()) keys += reader.giveUp();
    return taken.events;
  });
  return { keys, events: events.map(({ what, column, line }) => `${what} ${column},${line}`) };
};

test('a click is told with its cell, and the keys around it stay', () => {
  expect(readAll([`ab${click}\u001B[<0;12;7mc`])).toEqual({ keys: 'abc', events: ['click 11,6'] });
  expect(readAll(['\u001B[<64;1;1M\u001B[<65;200;50M'])).toEqual({
    keys: '',
    events: ['wheelUp 0,0', 'wheelDown 199,49'],
  });
});

test('other buttons, movement, and what is held with Shift, Alt or Ctrl do nothing', () => {
  const others = [1, 2, 3, 4, 8, 16, 32, 35, 66, 68, 128].map((code) => `\u001B[<${code};3;3M`);
  expect(readAll(others)).toEqual({ keys: '', events: [] });
});

test('keys that begin like it are keys', () => {
  for (const keys of ['\u001B[A', '\u001B[1;5C', '\u001BOP', '\u001B[Z', '\u001Bx', '<0;1;1M', '[<0;1;1M'])
    expect(readAll([keys])).toEqual({ keys, events: [] });
});

test('cut anywhere and completed in time it is a click', () => {
  for (let at = 1; at < click.length; at++)
    expect(readAll([`a${click.slice(0, at)}`, `${click.slice(at)}b`]), String(at)).toEqual({
      keys: 'ab',
      events: ['click 11,6'],
    });
});

test('cut anywhere and completed too late it is nothing: no click, no character', () => {
  for (let at = 1; at < click.length; at++) {
    const { keys, events } = readAll([click.slice(0, at), `${click.slice(at)}b`], true);
    // Behind ESC alone nothing says yet that it is no Esc.
    expect(keys, String(at)).toBe(`${at < 3 ? click.slice(0, at) : ''}b`);
    expect(events).toEqual([]);
  }
});

test('its begin without an end is nothing, and the next key is a key', () => {
  expect(readAll(['\u001B[<0;12', 'y'], true)).toEqual({ keys: 'y', events: [] });
  expect(readAll(['\u001B[<', '\u001B[A'], true)).toEqual({ keys: '\u001B[A', events: [] });
});

test('Esc is Esc, a moment later', () => {
  const reader = createMouseReader();
  expect(reader.take('\u001B').keys).toBe('');
  expect(reader.isWaiting()).toBe(true);
  expect(reader.giveUp()).toBe('\u001B');
  expect(reader.take('q').keys).toBe('q');
});

test('what a paste holds is no click, in one piece or in several', () => {
  const paste = `\u001B[200~x${click}y\u001B[201~`;
  expect(readAll([`${paste}${click}`])).toEqual({ keys: paste, events: ['click 11,6'] });
  for (let at = 1; at < paste.length; at++)
    expect(readAll([paste.slice(0, at), paste.slice(at)]), String(at)).toEqual({ keys: paste, events: [] });
});
