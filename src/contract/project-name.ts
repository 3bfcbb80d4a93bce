/**
 * The key under which a project's name is unique in its team: two names are the same when their keys are.
 * Upper-casing first folds what lower-casing alone keeps apart (`straße` and `STRASSE`, final and medial
 * sigma); neither depends on the machine's locale. Section 4.1, rule 1.
 */
export const nameKey = (name: string): string => name.normalize('NFC').toUpperCase().toLowerCase()
