/**
 * The key under which a project's name is unique in its team (section 4.1, rule 1). Names with equal keys are the same.
 * Both conversions are needed: neither lower case nor upper case alone unifies `straße`, `STRASSE` and `STRAẞE`, or the
 * two forms of the small sigma. Both can decompose accents, so the text is normalised again. Independent of the locale.
 */
export const nameKey = (name: string): string =>
  name.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC')
