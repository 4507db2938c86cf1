/** The output is of this format, but a part cannot be read: where, and the text that stands there. */
export class ParseError extends Error {
  readonly place: string;
  readonly text: string;

  /** `place` like `line 12` or `nodes[3].state`; `text` is cut to 120 characters when shown. */
  constructor(message: string, place: string, text: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ParseError';
    this.place = place;
    this.text = text;
  }
}

/** The input is not this format at all: `faultline parse` exits with 65. */
export class NotThisFormat extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'NotThisFormat';
  }
}

/** The command answered and reports its own failure: becomes a `command` failure of the source. */
export class CommandFailed extends Error {
  readonly code: string;

  /** `code` is the system's word for it (`controllerDown`); `message` one line for the screen. */
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CommandFailed';
    this.code = code;
  }
}
