/**
 * Advises a custom response where an operation has no outcome with a status. The contract has statuses without an error code, such
 * as 413. Empty for an outcome that is no status.
 */
export const customAdvice = (outcome: unknown): string =>
  /^[2-5]\d\d$/.test(String(outcome))
    ? ' As a custom response it can, with unchecked if the contract lacks the status.'
    : ''
