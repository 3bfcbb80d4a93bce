import type { Case, Expected, Request } from './case.js'
import { created, everyProject, faultsIn, invalid, refused, updated } from './expectations.js'
import { bodyLimit, create, list, mine, step, update, utf8, withBytes } from './requests.js'
import type { Requirement } from './requirements.js'

// The fields of the two project bodies: which there are, and what each may hold.

const creation = (json: unknown) => create('acme-owner', json)
const change = (json: unknown) => update('acme-owner', mine, json)

const one = (title: string, requirement: Requirement, request: Request, expect: Expected): Case => ({
  title,
  requirement,
  steps: [step(request, expect)],
})

/** A body that is refused changes nothing. */
const refusedChange = (title: string, requirement: Requirement, json: string, details: Expected): Case => ({
  title,
  requirement,
  steps: [step(withBytes(change(undefined), utf8(json)), details), step(list('acme-owner'), everyProject())],
})

const notStrings: Record<string, unknown> = {
  null: null,
  'a number': 5,
  zero: 0,
  true: true,
  false: false,
  'an array': ['x'],
  'an object': { toString: 'x' },
}

const unstorable = {
  'U+0000': 'a\u0000b',
  'a high surrogate alone': 'a\ud83d',
  'a low surrogate alone': '\ude00a',
}

export const fieldCases: Case[] = [
  ...['id', 'teamId', 'createdAt', 'status', 'Name', 'NAME', '', 'constructor', 'toString', '__proto__'].map(
    (name) =>
      one(
        `A creation with the unknown property "${name}" is refused`,
        'bodies: unknown properties are refused',
        withBytes(creation(undefined), utf8(`{"name":"Fresh",${JSON.stringify(name)}:"x"}`)),
        invalid(faultsIn([], true)),
      ),
  ),
  ...['id', 'teamId', 'createdAt', 'Name', 'projectId', 'constructor', '__proto__'].map((name) =>
    refusedChange(
      `An update with the unknown property "${name}" is refused`,
      'bodies: unknown properties are refused',
      `{"status":"archived",${JSON.stringify(name)}:"x"}`,
      invalid(faultsIn([], true)),
    ),
  ),
  refusedChange(
    'An object as __proto__ does not smuggle fields in',
    'bodies: unknown properties are refused',
    '{"__proto__":{"status":"archived"}}',
    invalid(faultsIn([], true)),
  ),

  one(
    'A creation without a name is refused',
    '4.1 create a project',
    creation({}),
    invalid(faultsIn(['name'])),
  ),
  one(
    'A creation without a name and with an unknown property names both',
    '2.5 the validation error body',
    creation({ title: 'x' }),
    invalid(faultsIn(['name'], true)),
  ),
  one(
    'Every field at fault is named',
    '2.5 the validation error body',
    change({ name: '', description: null, status: 1 }),
    invalid(faultsIn(['name', 'description', 'status'])),
  ),
  one(
    'A creation with an empty name is refused',
    '8 names need a character and have no maximum',
    creation({ name: '' }),
    invalid(faultsIn(['name'])),
  ),
  one(
    'An update with an empty name is refused',
    '8 names need a character and have no maximum',
    change({ name: '' }),
    invalid(faultsIn(['name'])),
  ),
  one(
    'An empty status is refused',
    'bodies: status is a free string',
    change({ status: '' }),
    invalid(faultsIn(['status'])),
  ),
  ...Object.entries(notStrings).flatMap(([what, value]) => [
    ...['name', 'description'].map((field) =>
      one(
        `A creation does not take ${what} for ${field}`,
        'bodies: nothing is coerced',
        creation({ name: 'Fresh', [field]: value }),
        invalid(faultsIn([field])),
      ),
    ),
    ...['name', 'description', 'status'].map((field) =>
      refusedChange(
        `An update does not take ${what} for ${field}`,
        'bodies: nothing is coerced',
        JSON.stringify({ [field]: value }),
        invalid(faultsIn([field])),
      ),
    ),
  ]),
  ...Object.entries(unstorable).flatMap(([what, value]) => [
    ...['name', 'description'].map((field) =>
      one(
        `A creation does not take ${what} in ${field}`,
        'bodies: text that a store cannot hold',
        creation({ name: 'Fresh', [field]: value }),
        invalid(faultsIn([field])),
      ),
    ),
    ...['name', 'description', 'status'].map((field) =>
      one(
        `An update does not take ${what} in ${field}`,
        'bodies: text that a store cannot hold',
        change({ [field]: value }),
        invalid(faultsIn([field])),
      ),
    ),
  ]),

  ...[
    ' ',
    '  Fresh  ',
    '\t',
    'a\nb',
    '\u0001\u007f',
    '\u00a0\u2028\u2029',
    '\ufeff',
    '\u202eright to left',
    '👩‍👩‍👧‍👦 🏳️‍🌈',
    "Robert'); DROP TABLE projects;--",
    '%_\\',
    '{"name":"x"}',
    '<script>alert(1)</script>',
    '__proto__',
    'null',
    '\uffff\ufffe',
    '𝒳',
  ].map(
    (name): Case => ({
      title: `The name ${JSON.stringify(name)} is kept as sent`,
      requirement: 'bodies: names are kept as sent',
      steps: [
        step(creation({ name, description: name }), created({ name, description: name })),
        step(change({ status: name, description: name }), updated({ status: name, description: name })),
        step(creation({ name }), refused('PROJECT_NAME_TAKEN')),
        step(change({ name }), refused('PROJECT_NAME_TAKEN')),
        step(change({ name: `${name}!` }), updated({ name: `${name}!` })),
      ],
    }),
  ),
  ...[1, 255, 256, 65_000].map((length) => {
    const name = 'n'.repeat(length)
    return one(
      `A name of ${length} characters is taken`,
      '8 names need a character and have no maximum',
      creation({ name }),
      created({ name }),
    )
  }),
  one(
    'The size of a body is counted in bytes and not in characters',
    'bodies: content type and size',
    creation({ name: '€'.repeat(bodyLimit / 3) }),
    refused('VALIDATION_FAILED', 413),
  ),
]
