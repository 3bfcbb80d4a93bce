import type { RecordChange } from '../../store/memory/record-changes.js'

export const nameOf = (record: object | undefined): string =>
  String(['name', 'email', 'id'].map((field) => Reflect.get(Object(record), field)).find(Boolean))

const nouns: Record<RecordChange['kind'], string> = {
  ...{ projects: '', teams: 'the team ', users: 'the user ', sessions: 'the persona ', waitlist: '' },
}

/** E.g. `Roadmap was created`, `Roadmap was renamed to Atlas`, `3 records were changed`. */
export function changesText(changes: readonly RecordChange[]): string {
  const [only, ...others] = changes
  if (!only) return 'the order of the records was changed'
  if (others.length > 0) return `${changes.length} records were changed`
  const { kind, before, after } = only
  if (kind === 'waitlist') return `${nameOf(after ?? before)} ${after ? 'joined' : 'left'} the waitlist`
  const name = `${nouns[kind]}${nameOf(before ?? after)}`
  if (!before) return `${name} was created`
  if (!after) return `${name} was removed`
  return nameOf(before) === nameOf(after) ? `${name} was changed` : `${name} was renamed to ${nameOf(after)}`
}
