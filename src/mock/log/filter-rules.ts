/** How long a wait for requests may take, in milliseconds: setTimeout counts to 24 days. */
export const maxTimeout = 300_000

/** How long the call of a control waits by its own will, in milliseconds. */
export const waitOf = (input: unknown): number => Math.min(Number(Object(input).timeout) || 0, maxTimeout)

export const statusPattern = /^(\d{3}|[1-5]xx|0)$/i

/** What is said of an invalid filter. The schemas of the controls say the same. */
export const faults = {
  status: 'Expected a status: one such as 409, 4xx for all from 400 to 499, or 0 for no response.',
  count: 'Expected a whole number from 0.',
  limit: 'Expected a whole number from 1.',
  timeout: `Expected a whole number from 0 to ${maxTimeout}.`,
}
