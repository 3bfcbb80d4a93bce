/** A record that the box can find. */
export type FoundRecord = {
  kind: string
  key: string
  name: string
  /** What tells records of the same name apart, such as their team. */
  detail?: string
}

/** A record of a kind as the box finds it. */
export function foundRecord(kind: string, record: object): FoundRecord {
  const { id, email, name, teamId, givenName, familyName, orgCode } = record as Record<string, string>
  const key = id ?? email ?? ''
  const detail = teamId ?? (givenName === undefined ? orgCode : `${givenName} ${familyName}`)
  return { kind, key, name: name ?? email ?? key, detail }
}

/** What a record is, and what tells it apart from others with its name. */
export function recordHint(
  { kind, key, name, detail }: FoundRecord,
  records: readonly FoundRecord[],
): string {
  const isAlone = records.filter((other) => other.kind === kind && other.name === name).length < 2
  return [kind, detail, !isAlone && key !== name && key].filter(Boolean).join(' · ')
}
