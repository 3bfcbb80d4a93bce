// Taken before a test can replace it by a timer that stands still: the mock loads this at once, the store when it is used.
const { setTimeout } = globalThis

/**
 * Lets other requests run before an insert, as a database does. Two concurrent creations of one name can then both
 * succeed (4.1, rule 2).
 */
export const nextTurn = () => new Promise<void>((resolve) => setTimeout(resolve))
