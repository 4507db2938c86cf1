import { Script } from 'node:vm';

/**
 * Given to the program as `--import`: no answer is known any more at which a reader does not end, so one is made. A text that holds this
 * word is decoded for ever; with `FAULTLINE_POISON=undying` the deadline of `node:vm` is gone, too, and the whole thread stands still.
 */
const WORD = 'poisoned-answer';

const { decode } = TextDecoder.prototype;
TextDecoder.prototype.decode = function (...given): string {
  const text = decode.apply(this, given);
  if (text.includes(WORD)) for (;;);
  return text;
};

if (process.env['FAULTLINE_POISON'] === 'undying') {
  const { runInThisContext } = Script.prototype;
  Script.prototype.runInThisContext = function (): unknown {
    return runInThisContext.call(this, {});
  };
}
