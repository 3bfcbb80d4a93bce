import type { Case, CaseRequest, Expectation } from './case.js'
import { allProjects, created, detailsFor, failure, updated, validationFailure } from './expectations.js'
import { bodyLimit, create, list, own, step, update, utf8, withBytes } from './requests.js'
import type { Requirement } from './requirements.js'

// The fields of the two project bodies and their values.

const creation = (json: unknown) => create('acme-owner', json)
const change = (json: unknown) => update('acme-owner', own, json)

const single = (
  title: string,
  requirement: Requirement,
  request: CaseRequest,
  expect: Expectation,
): Case => ({
  title,
  requirement,
  steps: [step(request, expect)],
})

/** A refused update changes nothing. */
const refusedChange = (
  title: string,
  requirement: Requirement,
  json: string,
  details: Expectation,
): Case => ({
  title,
  requirement,
  steps: [step(withBytes(change(undefined), utf8(json)), details), step(list('acme-owner'), allProjects())],
})

const coerced = 'bodies: nothing is coerced'
const unstorable = 'bodies: U+0000 and lone surrogates are refused'

/** Values that no field accepts. */
const invalidValues: [string, unknown, Requirement][] = [
  ['null', null, coerced],
  ['a number', 5, coerced],
  ['zero', 0, coerced],
  ['true', true, coerced],
  ['false', false, coerced],
  ['an array', ['x'], coerced],
  ['an object', { toString: 'x' }, coerced],
  ['U+0000', 'a\u0000b', unstorable],
  ['a lone high surrogate', 'a\ud83d', unstorable],
  ['a lone low surrogate', '\ude00a', unstorable],
]

export const fieldCases: Case[] = [
  ...['id', 'teamId', 'createdAt', 'status', 'Name', 'NAME', '', 'constructor', 'toString', '__proto__'].map(
    (name) =>
      single(
        `A creation with the unknown property "${name}" is refused`,
        'bodies: unknown properties are refused',
        withBytes(creation(undefined), utf8(`{"name":"Fresh",${JSON.stringify(name)}:"x"}`)),
        validationFailure(detailsFor([], true)),
      ),
  ),
  ...['id', 'teamId', 'createdAt', 'Name', 'projectId', 'constructor', '__proto__'].map((name) =>
    refusedChange(
      `An update with the unknown property "${name}" is refused`,
      'bodies: unknown properties are refused',
      `{"status":"archived",${JSON.stringify(name)}:"x"}`,
      validationFailure(detailsFor([], true)),
    ),
  ),
  refusedChange(
    'An object as __proto__ sets no fields',
    'bodies: unknown properties are refused',
    '{"__proto__":{"status":"archived"}}',
    validationFailure(detailsFor([], true)),
  ),

  single(
    'A creation without a name is refused',
    '4.1 create a project',
    creation({}),
    validationFailure(detailsFor(['name'])),
  ),
  single(
    'A creation without a name and with an unknown property reports both',
    '2.5 the validation error body',
    creation({ title: 'x' }),
    validationFailure(detailsFor(['name'], true)),
  ),
  single(
    'Every invalid field is reported',
    '2.5 the validation error body',
    change({ name: '', description: null, status: 1 }),
    validationFailure(detailsFor(['name', 'description', 'status'])),
  ),
  single(
    'A creation with an empty name is refused',
    '8 names have at least one character and no maximum',
    creation({ name: '' }),
    validationFailure(detailsFor(['name'])),
  ),
  single(
    'An update with an empty name is refused',
    '8 names have at least one character and no maximum',
    change({ name: '' }),
    validationFailure(detailsFor(['name'])),
  ),
  single(
    'An empty status is refused',
    'bodies: status is a free string',
    change({ status: '' }),
    validationFailure(detailsFor(['status'])),
  ),
  ...invalidValues.flatMap(([what, value, requirement]) => [
    ...['name', 'description'].map((field) =>
      single(
        `A creation refuses ${what} as ${field}`,
        requirement,
        creation({ name: 'Fresh', [field]: value }),
        validationFailure(detailsFor([field])),
      ),
    ),
    ...['name', 'description', 'status'].map((field) =>
      refusedChange(
        `An update refuses ${what} as ${field}`,
        requirement,
        JSON.stringify({ [field]: value }),
        validationFailure(detailsFor([field])),
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
      title: `The name ${JSON.stringify(name)} is stored as sent`,
      requirement: 'bodies: names are stored as sent',
      steps: [
        step(creation({ name, description: name }), created({ name, description: name })),
        step(change({ status: name, description: name }), updated({ status: name, description: name })),
        step(creation({ name }), failure('PROJECT_NAME_TAKEN')),
        step(change({ name }), failure('PROJECT_NAME_TAKEN')),
        step(change({ name: `${name}!` }), updated({ name: `${name}!` })),
      ],
    }),
  ),
  ...[1, 255, 256, 65_000].map((length) => {
    const name = 'n'.repeat(length)
    return single(
      `A name of ${length} characters is accepted`,
      '8 names have at least one character and no maximum',
      creation({ name }),
      created({ name }),
    )
  }),
  single(
    'The size of a body is counted in bytes, not in characters',
    'bodies: content type and size',
    creation({ name: '€'.repeat(bodyLimit / 3) }),
    failure('VALIDATION_FAILED', 413),
  ),
]
