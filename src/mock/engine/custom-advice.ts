/**
 * What is said of an outcome that an operation does not have: of a status, that a custom response can have it. The contract has
 * statuses without a code of their own, such as 413.
 */
export const customAdvice = (outcome: unknown): string =>
  /^[2-5]\d\d$/.test(String(outcome))
    ? ' As a custom response it can, with unchecked if the contract lacks the status.'
    : ''
