/**
 * The key under which a project's name is unique in its team: two names are the same when their keys are (4.1, rule 1).
 * Lower-casing alone does not unite `straße`, `STRASSE` and `STRAẞE`, or the two small sigmas; neither does upper-casing.
 * Both can leave accents decomposed, so the normal form is made again. The result does not depend on the locale.
 */
export const nameKey = (name: string): string => (ascii.test(name) ? name.toLowerCase() : fullKey(name))

/** Most names: all of what follows leaves them as they are. */
const ascii = /^[\0-\x7f]*$/

const fullKey = (name: string): string =>
  streamSafe(name).normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC')

/**
 * Bounds each run of combining marks to 30 by U+034F, as the Stream-Safe Text Format does (UAX #15, section 13).
 * Normalization sorts a run in quadratic time: 62 KB of marks take most of a second.
 */
const streamSafe = (name: string): string => name.replace(/\p{M}{30}(?=\p{M})/gu, '$&\u034f')
