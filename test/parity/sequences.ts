import fc from 'fast-check'
import demo from '../../fixtures/demo.json' with { type: 'json' }
import type { Caller } from '../../src/conformance/callers.js'
import type { CaseRequest } from '../../src/conformance/case.js'
import { bundle, create, join, list, update, utf8 } from '../../src/conformance/requests.js'

/** A call of a generated sequence. Its request may use the ids of the projects that the sequence has created. */
export type Call = { description: string; request: (createdIds: readonly string[]) => CaseRequest }

// Half of the callers have all permissions, so that many calls succeed.
const caller: fc.Arbitrary<Caller | undefined> = fc.oneof(
  fc.constantFrom<Caller>('owner', 'member', 'other-owner'),
  fc.constantFrom<Caller | undefined>('owner', 'viewer', 'no-organization', 'no-team', 'expired', undefined),
)

/** A few names, so that conflicts occur, and any strings, including lone surrogates and U+0000. */
const text = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('a', 'A', 'ä', 'A\u0308', 'straße', 'STRASSE', 'οδος', 'ΟΔΟΣ', 'ı', 'I'),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom('Mobile app', 'WEBSITE RELAUNCH', 'reactor safety', ' ', '__proto__'),
  },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }) },
  {
    weight: 1,
    arbitrary: fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)), maxLength: 4 }),
  },
  { weight: 1, arbitrary: fc.constantFrom('', '\u0000', '\ud800') },
)

const value = fc.oneof(
  { weight: 6, arbitrary: text },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) },
)

/** A body, most often of the right shape. */
const body = (fields: string[]): fc.Arbitrary<unknown> =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record(Object.fromEntries(fields.map((name) => [name, text])), {
        requiredKeys: fields.slice(0, 1),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.dictionary(fc.constantFrom(...fields, 'id', 'teamId', '__proto__', ''), value),
    },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  )

const id = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .nat(7)
      .map((i) => (createdIds: readonly string[]) => createdIds[i % createdIds.length] ?? 'none yet'),
  },
  { weight: 4, arbitrary: fc.constantFrom(...demo.projects.map((project) => () => project.id)) },
  {
    weight: 2,
    arbitrary: fc
      .oneof(fc.constantFrom('', ' ', '\t', 'unknown', 'a/b', '__proto__'), fc.string({ unit: 'grapheme' }))
      // A URL has no segments of dots only.
      .filter((segment) => segment !== '.' && segment !== '..')
      .map((segment) => () => encodeURIComponent(segment)),
  },
)

const email = fc.oneof(
  fc.emailAddress().map((address) => ({ email: address })),
  fc
    .constantFrom(' Grace@Example.com ', 'grace@example.com', 'new@example.com', 'nobody')
    .map((address) => ({ email: address })),
  body(['email']),
)

const contentType = fc.constantFrom('application/json', 'Application/JSON; charset=utf-8', 'text/plain', null)
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 12 }),
  fc.constantFrom('', '{', '{}', '[]', '{"name":"x"}', '{"email":"x@example.com"}', '\ufeff{}').map(utf8),
)

const constant = (request: CaseRequest) => () => request

const request: fc.Arbitrary<Call['request']> = fc.oneof(
  { weight: 2, arbitrary: caller.map((as) => constant(list(as))) },
  { weight: 2, arbitrary: caller.map((as) => constant(bundle(as))) },
  {
    weight: 5,
    arbitrary: fc
      .tuple(caller, body(['name', 'description']))
      .map(([as, json]) => constant(create(as, json))),
  },
  {
    weight: 5,
    arbitrary: fc.tuple(caller, id, body(['name', 'description', 'status'])).map(
      ([as, of, json]) =>
        (createdIds: readonly string[]) =>
          update(as, of(createdIds), json),
    ),
  },
  { weight: 2, arbitrary: email.map((json) => constant(join(json))) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom(create('owner'), update('owner', demo.projects[0]?.id ?? ''), join()),
        bytes,
        contentType,
      )
      .map(([to, bytes, type]) => constant({ ...to, bytes, type })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'),
        fc
          .webPath()
          .map((path) => `/v1${path || '/'}`)
          // Dots may lead out of /v1/, where not every target responds.
          .filter((path) => new URL(path, 'http://any').pathname.startsWith('/v1/')),
        caller,
      )
      .map(([method, path, as]) => constant({ method, path, as })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom('HEAD', 'PUT', 'DELETE'),
        fc.constantFrom('/v1/projects', '/v1/projects/1', '/v1/auth/me', '/v1/waitlist'),
        caller,
      )
      .map(([method, path, as]) => constant({ method, path, as })),
  },
)

/** A call, described by its request before any project was created. */
export const call: fc.Arbitrary<Call> = request.map((makeRequest) => ({
  description: JSON.stringify(makeRequest([])),
  request: makeRequest,
}))
