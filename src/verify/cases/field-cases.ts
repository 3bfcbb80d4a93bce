import type { Case, Expectation } from './case.js'
import { lists, step, table, words } from './case-table.js'
import { detailsFor, failure, validationFailure } from './expectations.js'
import { bodyLimit, create, own, update, utf8, withBytes } from './requests.js'
import type { Requirement } from './requirements.js'

// The fields of the two project bodies and the values that they refuse. A refused update changes nothing.

type Operation = 'create' | 'update'

/** A case for a body that an operation refuses. @param json the body, or an object that is written as JSON */
const refused = (
  operation: Operation,
  title: string,
  requirement: Requirement,
  json: string | object,
  expect: Expectation = validationFailure(detailsFor([], true)),
): Case[] => {
  const bytes = utf8(typeof json === 'string' ? json : JSON.stringify(json))
  return operation === 'create'
    ? table(requirement, { [`A creation ${title}`]: step(withBytes(create('acme-owner'), bytes), expect) })
    : table(requirement, {
        [`An update ${title}`]: [
          step(withBytes(update('acme-owner', own), bytes), expect),
          lists('acme-owner'),
        ],
      })
}

const fields = {
  create: ['name', 'description'],
  update: ['name', 'description', 'status'],
}

const coerced = 'bodies: nothing is coerced'
const unstorable = 'bodies: U+0000 and lone surrogates are refused'
const unknown = 'bodies: unknown properties are refused'

/** What no field takes. */
const values: [title: string, requirement: Requirement, value: unknown][] = [
  ['null', coerced, null],
  ['a number', coerced, 5],
  ['zero', coerced, 0],
  ['true', coerced, true],
  ['false', coerced, false],
  ['an array', coerced, ['x']],
  ['an empty array', coerced, []],
  ['an object', coerced, { toString: 'x' }],
  ['U+0000', unstorable, 'a\u0000b'],
  ['a lone high surrogate', unstorable, 'a\ud83d'],
  ['a lone low surrogate', unstorable, '\ude00a'],
]

const unknownProperties = {
  create: [
    '',
    'name ',
    ...words('id teamId createdAt status Name NAME constructor toString __proto__ session orgCode title'),
  ],
  update: words('id teamId createdAt Name projectId constructor __proto__ session orgCode archived'),
}

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const many = Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`p${i}`, i]))
const invalid = (...names: string[]) => validationFailure(detailsFor(names))

const ofBoth = (operation: Operation): Case[] => [
  ...unknownProperties[operation].flatMap((name) =>
    refused(
      operation,
      `with the unknown property "${name}" is refused`,
      unknown,
      `{"name":"Fresh",${JSON.stringify(name)}:"x"}`,
    ),
  ),
  ...refused(
    operation,
    'with an unknown property that is deeply nested is refused',
    unknown,
    `{"name":"Fresh","x":${nested(10_000)}}`,
  ),
  ...refused(
    operation,
    'with a deeply nested description is refused',
    coerced,
    `{"name":"Fresh","description":${nested(10_000)}}`,
    invalid('description'),
  ),
  ...refused(operation, 'with thousands of unknown properties is refused', unknown, {
    name: 'Fresh',
    ...many,
  }),
  ...refused(
    operation,
    'reports every invalid field and unknown properties',
    '2.5 the validation error body',
    { name: '', description: null, title: 'x' },
    validationFailure(detailsFor(['name', 'description'], true)),
  ),
  ...refused(
    operation,
    'with an empty name is refused',
    '8 names have at least one character and no maximum',
    { name: '' },
    invalid('name'),
  ),
  ...values.flatMap(([what, requirement, value]) =>
    fields[operation].flatMap((field) =>
      refused(
        operation,
        `refuses ${what} as ${field}`,
        requirement,
        { ...(operation === 'create' && { name: 'Fresh' }), [field]: value },
        invalid(field),
      ),
    ),
  ),
]

export const fieldCases: Case[] = [
  ...ofBoth('create'),
  ...ofBoth('update'),
  ...refused(
    'update',
    'with an object as __proto__ sets no fields',
    unknown,
    '{"__proto__":{"status":"archived"}}',
  ),
  ...refused('create', 'without a name is refused', '4.1 create a project', {}, invalid('name')),
  ...refused(
    'create',
    'without a name and with an unknown property reports both',
    '2.5 the validation error body',
    { title: 'x' },
    validationFailure(detailsFor(['name'], true)),
  ),
  ...refused(
    'update',
    'with an empty status is refused',
    'bodies: status is a free string',
    { status: '' },
    invalid('status'),
  ),
  ...refused(
    'create',
    'is measured in bytes, not in characters',
    'bodies: content type and size',
    { name: '€'.repeat(bodyLimit / 3) },
    failure('VALIDATION_FAILED', 413),
  ),
]
