import { patchPlugin, type Changes } from './patch.ts';

/** What libraries do at the start and nothing of ours needs. Each piece gives what it gave before. Decision 0177 has the figures. */
export const startChanges: Changes = {
  // Every thread measures text, almost none of it emoji; to make and first use this expression takes 45 ms. Each of its sequences
  // holds a character that is an emoji by itself (Unicode TS 51, ED-27 builds them of ED-1), which is asked in no time.
  'string-width/index.js': [
    {
      from: 'const emojiPrefixRegex = /^(?:\\p{RGI_Emoji}|\\p{Regional_Indicator}{1,2}|[\\d#*]\\u{FE0F})/v;',
      to: `const anyEmojiRegex = /\\p{Emoji}/u;
let madeEmojiPrefixRegex;
const emojiPrefixRegex = {
	exec: text => anyEmojiRegex.test(text)
		? (madeEmojiPrefixRegex ??= new RegExp('^(?:\\\\p{RGI_Emoji}|\\\\p{Regional_Indicator}{1,2}|[\\\\d#*]\\\\u{FE0F})', 'v')).exec(text)
		: null,
	test: text => emojiPrefixRegex.exec(text) !== null,
};`,
    },
  ],
  // The WASM stands in the file as a data URL: to "fetch" it loads Node's whole HTTP client, 40 ms.
  'yoga-layout/dist/binaries/yoga-wasm-base64-esm.js': [
    {
      from: 'return w||"function"!=typeof fetch?Promise.resolve()',
      to: 'return true?Promise.resolve()',
    },
  ],
};

export const startPatch = patchPlugin('start-patch', startChanges);
