import type { Case, Expectation } from './case.js'
import { allProjects, detailsFor, failure, validationFailure } from './expectations.js'
import { bodyLimit, create, given, list, own, step, update, utf8, withBytes } from './requests.js'
import type { Requirement } from './requirements.js'

// The fields of the two project bodies and the values that they refuse. A refused update changes nothing.

const refusals = {
  create: (title: string, requirement: Requirement, json: string, expect: Expectation): Case =>
    given(`A creation ${title}`, requirement, step(withBytes(create('acme-owner'), utf8(json)), expect)),
  update: (title: string, requirement: Requirement, json: string, expect: Expectation): Case =>
    given(
      `An update ${title}`,
      requirement,
      step(withBytes(update('acme-owner', own), utf8(json)), expect),
      step(list('acme-owner'), allProjects()),
    ),
}

/** A case for each operation that has the field. */
const perField = (title: string, requirement: Requirement, value: unknown): Case[] =>
  (['create', 'update'] as const).flatMap((operation) =>
    (operation === 'create' ? ['name', 'description'] : ['name', 'description', 'status']).map((field) =>
      refusals[operation](
        `refuses ${title} as ${field}`,
        requirement,
        JSON.stringify({ ...(operation === 'create' && { name: 'Fresh' }), [field]: value }),
        validationFailure(detailsFor([field])),
      ),
    ),
  )

const coerced = 'bodies: nothing is coerced'
const unstorable = 'bodies: U+0000 and lone surrogates are refused'
const unknown = 'bodies: unknown properties are refused'
const formError = validationFailure(detailsFor([], true))

const unknownProperties = {
  create: [
    'id',
    'teamId',
    'createdAt',
    'status',
    'Name',
    'NAME',
    '',
    'constructor',
    'toString',
    '__proto__',
    'session',
    'orgCode',
    'name ',
    'title',
  ],
  update: [
    'id',
    'teamId',
    'createdAt',
    'Name',
    'projectId',
    'constructor',
    '__proto__',
    'session',
    'orgCode',
    'archived',
  ],
}

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const many = JSON.stringify(Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`p${i}`, i])))

export const fieldCases: Case[] = [
  ...(['create', 'update'] as const).flatMap((operation) => [
    ...unknownProperties[operation].map((name) =>
      refusals[operation](
        `with the unknown property "${name}" is refused`,
        unknown,
        `{"name":"Fresh",${JSON.stringify(name)}:"x"}`,
        formError,
      ),
    ),
    refusals[operation](
      'with an unknown property that is deeply nested is refused',
      unknown,
      `{"name":"Fresh","x":${nested(10_000)}}`,
      formError,
    ),
    refusals[operation](
      'with a deeply nested description is refused',
      coerced,
      `{"name":"Fresh","description":${nested(10_000)}}`,
      validationFailure(detailsFor(['description'])),
    ),
    refusals[operation](
      'with thousands of unknown properties is refused',
      unknown,
      many.replace('{', '{"name":"Fresh",'),
      formError,
    ),
    refusals[operation](
      'reports every invalid field and unknown properties',
      '2.5 the validation error body',
      '{"name":"","description":null,"title":"x"}',
      validationFailure(detailsFor(['name', 'description'], true)),
    ),
    refusals[operation](
      'with an empty name is refused',
      '8 names have at least one character and no maximum',
      '{"name":""}',
      validationFailure(detailsFor(['name'])),
    ),
  ]),
  refusals.update(
    'with an object as __proto__ sets no fields',
    unknown,
    '{"__proto__":{"status":"archived"}}',
    formError,
  ),
  refusals.create(
    'without a name is refused',
    '4.1 create a project',
    '{}',
    validationFailure(detailsFor(['name'])),
  ),
  refusals.create(
    'without a name and with an unknown property reports both',
    '2.5 the validation error body',
    '{"title":"x"}',
    validationFailure(detailsFor(['name'], true)),
  ),
  refusals.update(
    'with an empty status is refused',
    'bodies: status is a free string',
    '{"status":""}',
    validationFailure(detailsFor(['status'])),
  ),
  ...perField('null', coerced, null),
  ...perField('a number', coerced, 5),
  ...perField('zero', coerced, 0),
  ...perField('true', coerced, true),
  ...perField('false', coerced, false),
  ...perField('an array', coerced, ['x']),
  ...perField('an empty array', coerced, []),
  ...perField('an object', coerced, { toString: 'x' }),
  ...perField('U+0000', unstorable, 'a\u0000b'),
  ...perField('a lone high surrogate', unstorable, 'a\ud83d'),
  ...perField('a lone low surrogate', unstorable, '\ude00a'),
  refusals.create(
    'is measured in bytes, not in characters',
    'bodies: content type and size',
    JSON.stringify({ name: '€'.repeat(bodyLimit / 3) }),
    failure('VALIDATION_FAILED', 413),
  ),
]
