/**
 * The key by which names of projects are compared in a team (4.1, rule 1). Neither lower-casing nor upper-casing alone unites
 * `straße`, `STRASSE` and `STRAẞE`, or the two small sigmas. Both can decompose accents, so the text is normalised again. The
 * result does not depend on the locale.
 */
export const nameKey = (name: string): string => (ascii.test(name) ? name.toLowerCase() : fullKey(name))

/** Most names: the normalisation would not change them. */
const ascii = /^[\0-\x7f]*$/

const fullKey = (name: string): string =>
  streamSafe(name).normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC')

/**
 * Limits each run of combining marks to 30 by U+034F, as the Stream-Safe Text Format does (UAX #15, section 13):
 * normalisation sorts a run in quadratic time.
 */
const streamSafe = (name: string): string => name.replace(/\p{M}{30}(?=\p{M})/gu, '$&\u034f')
