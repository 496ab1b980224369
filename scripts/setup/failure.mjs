/** What can go wrong in a set-up: one line that says what failed and one that says what to do. */

export class SetupError extends Error {
  constructor(message, fix) {
    super(message);
    this.fix = fix;
  }
}
