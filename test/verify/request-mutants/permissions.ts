import { personas } from '../../../src/verify/cases/test-data.js'
import { cookieOf, type Misbehaviour, withCookie } from '../misbehaviours/misbehaviour.js'
import { is, mutant } from './request-mutant.js'

// Other rules than "the session has the permission of the operation".

type Rule = [what: string, allows: (permissions: readonly string[], needed: string, other: string) => boolean]

const rules: Rule[] = [
  ['any permission', ({ length }) => length > 0],
  ['the other permission', (has, _, other) => has.includes(other)],
  ['either permission', (has, needed, other) => has.includes(needed) || has.includes(other)],
  ['both permissions', (has, needed, other) => has.includes(needed) && has.includes(other)],
  ['the permission in any case', (has, needed) => has.some((name) => name.toLowerCase() === needed)],
  [
    'the action alone',
    (has, needed) => [needed, needed.split(':')[0]].some((name) => has.includes(name ?? '')),
  ],
  ['the resource alone', (has, needed) => [needed, 'projects'].some((name) => has.includes(name))],
  ['a permission that is a prefix of it', (has, needed) => has.some((name) => needed.startsWith(name))],
  ['a permission that begins like it', (has, needed) => has.some((name) => name.startsWith(needed))],
  ['a permission that contains it', (has, needed) => has.some((name) => name.includes(needed))],
  [
    'a permission of the action on anything',
    (has, needed) => has.some((name) => name.startsWith(`${needed.split(':')[0]}:`)),
  ],
  ['a permission of anything on projects', (has) => has.some((name) => name.endsWith(':projects'))],
  ['the singular', (has, needed) => has.includes(needed) || has.includes(needed.slice(0, -1))],
  ['white space around it', (has, needed) => has.some((name) => name.trim() === needed)],
  ['an empty permission', (has, needed) => has.includes(needed) || has.includes('')],
  ['an asterisk', (has, needed) => has.includes(needed) || has.includes('*')],
  [
    'the asterisk of the action',
    (has, needed) => has.includes(needed) || has.includes(`${needed.split(':')[0]}:*`),
  ],
  ['the permission "admin"', (has, needed) => has.includes(needed) || has.includes('admin')],
  [
    'a dot instead of the colon',
    (has, needed) => has.includes(needed) || has.includes(needed.replace(':', '.')),
  ],
  [
    'the words in the other order',
    (has, needed) => has.includes(needed) || has.includes(needed.split(':').reverse().join(':')),
  ],
  ['the permission at the first place', ([first], needed) => first === needed],
  ['the permission at the last place', (has, needed) => has.at(-1) === needed],
  ['exactly that permission', (has, needed) => has.length === 1 && has[0] === needed],
  ['"write:projects"', (has, needed) => has.includes(needed) || has.includes('write:projects')],
  [
    'the negated permission',
    (has, needed) => has.includes(needed) || has.includes(`!${needed}`) || has.includes(`-${needed}`),
  ],
]

export const permissionMutants: Misbehaviour[] = (
  [
    ['createProject', 'create:projects', 'update:projects'],
    ['updateProject', 'update:projects', 'create:projects'],
  ] as const
).flatMap(([operation, needed, other]) =>
  rules.map(([what, allows]) =>
    mutant(
      `${operation} needs ${what}`,
      (request, { cookieOf: of, data }) => {
        const caller = personas.find((persona) => persona !== 'expired' && of(persona) === cookieOf(request))
        if (!is(operation)(request) || !caller) return false
        const { permissions, teamId } = data.bundle(caller)
        return teamId !== '' && allows(permissions, needed, other) !== permissions.includes(needed)
      },
      (request, send, { cookieOf: of, data }) => {
        const caller = personas.find((persona) => persona !== 'expired' && of(persona) === cookieOf(request))
        const had = caller && data.bundle(caller).permissions.includes(needed)
        return send(withCookie(request, of(had ? 'acme-viewer' : 'acme-owner')))
      },
    ),
  ),
)
