import fc from 'fast-check'
import type { State, UserRecord } from '../../src/store/state-file.js'
import { anyText } from '../any-text.js'

const word = anyText().filter((text) => !text.includes('\0'))
const name = word.filter((text) => text.length > 0)
const id = fc.stringMatching(/^[\w.:@-]{1,8}$/)
const time = fc
  .date({ min: new Date(0), max: new Date('2100'), noInvalidDate: true })
  .map((d) => d.toISOString())
const unique = <T>(item: fc.Arbitrary<T>, ...keys: ((value: T) => unknown)[]) =>
  fc
    .array(item, { maxLength: 8 })
    .map((items) =>
      items.filter((each, i) =>
        keys.every((key) => items.findIndex((other) => key(other) === key(each)) === i),
      ),
    )
const record = <T>(fields: { [Key in keyof T]: fc.Arbitrary<T[Key]> }) =>
  fc.record(fields, { noNullPrototype: true })
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const defined = <T extends object>(record: T) =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T
const users = unique(
  record({
    ...{ id, email: word, givenName: word, familyName: word, picture: word },
    identity: optional(record({ issuer: name, subject: name })),
  }).map(({ identity, ...rest }): UserRecord => ({ ...rest, ...identity })),
  (each) => each.id,
  ({ id, issuer, subject }) => (issuer === undefined ? id : JSON.stringify([issuer, subject])),
)
/** Random states with a few records of each kind: any text that can be stored, and valid references. */
export const anyState: fc.Arbitrary<State> = fc
  .tuple(
    unique(
      record({ id, name, orgCode: name }),
      (team) => team.id,
      (team) => team.orgCode,
    ),
    users,
    unique(
      record({
        ...{ id, permissions: fc.array(word), orgCode: optional(name), role: optional(name) },
        ...{
          note: optional(word),
          createdAt: optional(time),
          revokedAt: optional(time),
          sid: optional(name),
        },
      }),
      (each) => each.id,
    ),
    unique(
      record({ id, name, description: fc.option(word), status: name, createdAt: time }),
      (each) => each.id,
    ),
    unique(record({ email: name, createdAt: time }), (entry) => entry.email),
    fc.nat(),
  )
  .map(([teams, users, sessions, projects, waitlist, pick]): State => {
    const of = (records: { id: string }[], i: number) => records[(pick + i) % records.length]?.id ?? ''
    return {
      version: 1,
      ...{ teams, users, waitlist },
      sessions: users.length ? sessions.map((s, i) => defined({ ...s, userId: of(users, i) })) : [],
      projects: teams.length ? projects.map((p, i) => ({ ...p, teamId: of(teams, i) })) : [],
    }
  })
