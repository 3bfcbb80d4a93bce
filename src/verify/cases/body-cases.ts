import { operations } from '../../contract/operations.js'
import type { Case, CaseRequest, Expectation } from './case.js'
import { bodyLimit, create, join, own, update, utf8 } from './requests.js'
import { failure, invalid, step, table, words } from './steps.js'

// Request bodies: media type, size, encoding, JSON, and the fields. A refused body changes nothing.

/** The waitlist gets half of the first: a client may join only so often in a minute. */
const notJson = [
  `{"name":"Fresh"|{"name":"Fresh"} {}|{"name":"Fresh",}|{'name':'Fresh'}|name=Fresh|{"name":"Fresh"/**/}|{"name":"a\u0001b"}
\uFEFF{"name":"Fresh"}| \t|NaN|\0|{\0"\0n\0a\0m\0e\0"\0:\0"\0a\0"\0}\0`,
  `{"name":"a\tb"}|{name:"Fresh"}|{"name":"Fresh"}//|{"name":"Fresh"}]|{"name":"a\\x41"}|{"name":"a\rb"}|name: Fresh
\u00A0{"name":"Fresh"}|\f{"name":"Fresh"}|{"name":"Fresh"}\0`,
].map((texts) => texts.split(/[|\n]/))

const notUtf8 = [[0x80], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xe2, 0x82], [0xff]]

const otherTypes = `text/plain|text/plain; charset=utf-8|application/x-www-form-urlencoded
multipart/form-data; boundary=x|application/octet-stream|application/json-seq|application/jsonp
application/vnd.api+json|application/merge-patch+json|text/json|json
application/x-www-form-urlencoded; charset=utf-8`.split(/[|\n]/)

const jsonTypes = `application/json; charset=utf-8|application/json;charset=UTF-8|APPLICATION/JSON
Application/Json ; charset="utf-8"`.split(/[|\n]/)

/** What a field does not take. Only a description may be empty. */
const values: (readonly [requirement: string, value: unknown])[] = [
  ...[null, 5, 0, true, false, ['x'], [], { toString: 'x' }].map(
    (value) => ['bodies: nothing is coerced', value] as const,
  ),
  ...['a\u0000b', 'a\ud83d', '\ude00a'].map(
    (value) => ['bodies: U+0000 and lone surrogates are refused', value] as const,
  ),
  ['8 names have at least one character and no maximum', ''],
]

/** No fields, or those of another operation. */
const unknownNames =
  words(`id teamId createdAt status Name NAME projectId constructor toString __proto__ session
  orgCode archived email _id`).concat('', 'name ')

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const many = JSON.stringify(Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`p${i}`, i])))

const withName = (rest: string) => `{"name":"x",${rest}}`
const euros = `{"name":"${'€'.repeat(bodyLimit / 3)}"}`

const noDetails = 'bodies: details are null where there is no object'
const typeAndSize = 'bodies: content type and size'
const json = '4 bodies are application/json'
const details = '2.5 the validation error body'
const unknown = 'bodies: unknown properties are refused'

/** The operations that take a body. */
const receivers = {
  create: { request: create('acme-owner'), schema: operations.createProject.body.schema },
  update: { request: update('acme-owner', own), schema: operations.updateProject.body.schema },
  join: { request: join(), schema: operations.joinWaitlist.body.schema },
}

type Content = Pick<CaseRequest, 'bytes' | 'type' | 'chunked'>

function casesOf(operation: keyof typeof receivers): Case[] {
  const { request, schema } = receivers[operation]
  const fields = Object.keys(schema.shape)
  const isJoin = operation === 'join'
  const some = <Item>(items: readonly Item[]) => items.filter((_, i) => !isJoin || i % 2 === 0)
  const refusal = (full: Expectation, status: number) => (isJoin ? { status } : full)
  const unreadable = refusal(invalid(null), 400)
  const notAnObject = refusal(invalid([], true), 400)
  const wrongType = refusal(failure('VALIDATION_FAILED', 415), 400)
  const tooLarge = refusal(failure('VALIDATION_FAILED', 413), 413)

  const refuses = (requirement: string, expect: Expectation, title: string, content: Content | string) => {
    const refused = { ...request, ...(typeof content === 'string' ? { bytes: content } : content) }
    return table(isJoin ? 'responses: waitlist' : requirement, {
      [`${title} (${operation})`]: step(refused, expect),
    })
  }
  /** @param content made from a valid body in JSON; names differ, so that creations do not meet */
  const takes = (requirement: string, title: string, content: (valid: string) => Content) => {
    const bodies = {
      create: { name: title },
      update: { status: 'active' },
      join: { email: 'new@example.com' },
    }
    const steps = step({ ...request, ...content(JSON.stringify(bodies[operation])) })
    return table({ requirement, addsOnly: true }, { [`${title} (${operation})`]: steps })
  }
  const valid = JSON.stringify(isJoin ? { email: 'new@example.com' } : { name: 'Fresh' })

  return [
    ...some((isJoin ? notJson.slice(0, 1) : notJson).flat()).flatMap((text) =>
      refuses(noDetails, unreadable, `Not JSON: ${JSON.stringify(text).slice(1, -1)}`, text),
    ),
    ...some(notUtf8).flatMap((part) => {
      const bytes = Uint8Array.of(...utf8('{"name":"'), ...part, ...utf8('"}'))
      return refuses(noDetails, unreadable, `Invalid UTF-8 is refused, not replaced: ${part}`, { bytes })
    }),
    ...refuses(noDetails, unreadable, 'A missing body is unreadable', {}),
    ...refuses(noDetails, unreadable, 'An empty body is unreadable', ''),
    ...some(words('[] [{"name":"x"}] 5 null true "name"')).flatMap((text) =>
      refuses(details, notAnObject, `JSON that is not an object is refused: ${text}`, text),
    ),
    ...refuses(details, notAnObject, 'Deeply nested JSON is no error of the service', nested(20_000)),
    ...[null, ...some(otherTypes)].flatMap((type) =>
      refuses(typeAndSize, wrongType, `The media type ${type ?? 'of none'} is refused`, {
        bytes: valid,
        type,
      }),
    ),
    ...some(jsonTypes).flatMap((type) =>
      takes(json, `The content type ${type} is accepted`, (bytes) => ({ bytes, type })),
    ),
    ...takes(json, 'JSON may be written with white space', (valid) => ({
      bytes: `\n\t ${valid.replace(':', ' \r\n: ')} \n`,
    })),
    ...takes(json, 'JSON may be written with escapes: / and \u{1f600}', (valid) => ({
      bytes: valid.replaceAll('/', '\\/').replace(/(?<!\\)[a-z\ud800-\udfff]/g, (char) => {
        const code = char.charCodeAt(0).toString(16).toUpperCase()
        return `\\u${code.padStart(4, '0')}`
      }),
    })),
    ...takes(json, 'JSON may be written with a duplicate key, whose last value counts', (valid) => ({
      bytes: valid.replace('{', `${valid.replace(/:".*/, ':"an earlier one"')},`),
    })),
    ...[{ what: 'bytes' }, { what: 'bytes in chunks, with a ü', chunked: true as const }].flatMap(
      ({ what, ...how }) => [
        ...takes(typeAndSize, `A body of ${bodyLimit} ${what} is accepted`, (valid) => ({
          bytes: valid.padEnd(bodyLimit - utf8(valid).length + valid.length),
          ...how,
        })),
        ...[bodyLimit + 1, 1024 * 1024].flatMap((length) => {
          const content = { bytes: valid.padEnd(length), ...how }
          return refuses(typeAndSize, tooLarge, `A body of ${length} ${what} is too large`, content)
        }),
      ],
    ),
    ...refuses(typeAndSize, tooLarge, 'Bytes are counted, not characters', euros),
    ...fields.flatMap((field) =>
      values
        .filter(([, value]) => value !== '' || field !== 'description')
        .flatMap(([requirement, value]) => {
          const expect = refusal(invalid([field]), 422)
          const body = JSON.stringify({ ...JSON.parse(valid), [field]: value })
          return refuses(requirement, expect, `${field} cannot be ${JSON.stringify(value)}`, body)
        }),
    ),
    ...(isJoin ? [] : ofProjects()),
  ]

  /** What the waitlist does not refuse, or cannot tell. */
  function ofProjects(): Case[] {
    const refusesUnknown = (title: string, rest: string) =>
      refuses(unknown, invalid([], true), title, withName(rest))
    const reports = (title: string, fields: string[], text: string, form?: boolean) =>
      refuses(details, invalid(fields, form), title, text)
    return [
      ...unknownNames
        .filter((name) => !fields.includes(name))
        .flatMap((name) => refusesUnknown(`The unknown property "${name}"`, `${JSON.stringify(name)}:"x"`)),
      ...refusesUnknown('An unknown property that is an object', '"__proto__":{"status":"archived"}'),
      ...refusesUnknown('An unknown property that is null', '"id":null'),
      ...refusesUnknown('An unknown property beside all fields', '"description":"d","status":"s","x":1'),
      ...refusesUnknown('An unknown property that is deeply nested', `"x":${nested(10_000)}`),
      ...refusesUnknown('Thousands of unknown properties', many.slice(1, -1)),
      ...reports(
        'A description that is deeply nested',
        ['description'],
        withName(`"description":${nested(10_000)}`),
      ),
      ...reports(
        'Every invalid field is reported',
        ['name', 'description'],
        '{"name":"","description":null}',
      ),
      ...reports('An unknown property too', ['name'], '{"name":"","title":"x"}', true),
      ...(operation === 'create' ? reports('A missing name is refused', ['name'], '{}') : []),
    ]
  }
}

export const bodyCases: Case[] = (['create', 'update', 'join'] as const).flatMap(casesOf)
