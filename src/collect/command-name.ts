import type { Ask } from '../model/system.ts';
import { visible } from '../text/safe.ts';
import { cut } from '../text/width.ts';

/** What was asked, whole: for the evidence view. */
export const commandText = (ask: Ask): string => ('script' in ask ? ask.script : ask.lines.join('\n'));

const preamble = /^(?:export\b|set\b|printf\b|echo\b|true\b|\{|$)/;

/**
 * The command as a message names it: its first line that does something, without settings (`A=b`), `timeout` and `sudo -n` in
 * front, at most 40 columns.
 */
export const commandName = (ask: Ask): string => {
  const lines = 'script' in ask ? ask.script.split(/\n|;|&&|\|\|/) : [...ask.lines];
  const bare = lines.map((line) =>
    line
      .trim()
      .replace(/^(?:[A-Za-z_]\w*=(?:'[^']*'|\S*)\s+)+/, '')
      .replace(/^(?:(?:sudo -n|timeout(?: -\S+(?: \d+)?)* \d+s?)\s+)+/, '')
      .replace(/\s*\d?>\S*(?:\/dev\/null|&\d)/g, ''),
  );
  const chosen = bare.find((line) => !preamble.test(line)) ?? bare[0] ?? '';
  return cut(visible(chosen), 40);
};
