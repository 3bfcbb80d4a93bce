/**
 * The key under which a project's name is unique in its team: two names are the same when their keys are.
 * Upper and lower case go both ways, for neither alone brings together what differs in case only: `straße`,
 * `STRASSE` and `STRAẞE`, or the two small sigmas. Both leave accents apart that they found composed, so that
 * the normal form is made again. Nothing depends on the machine's locale. Section 4.1, rule 1.
 */
export const nameKey = (name: string): string =>
  name.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC')
