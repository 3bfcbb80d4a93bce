import { operations } from '../../contract/operations.js'
import type { Case, Expectation } from './case.js'
import { lists, step, table, words } from './case-table.js'
import * as expected from './expectations.js'
import { bodyLimit, create, join, own, update, utf8, withBytes } from './requests.js'

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
const values: [requirement: string, values: unknown[]][] = [
  ['bodies: nothing is coerced', [null, 5, 0, true, false, ['x'], [], { toString: 'x' }]],
  ['bodies: U+0000 and lone surrogates are refused', ['a\u0000b', 'a\ud83d', '\ude00a']],
  ['8 names have at least one character and no maximum', ['']],
]

/** No fields, or those of another operation. */
const unknownNames =
  words(`id teamId createdAt status Name NAME projectId constructor toString __proto__ session
  orgCode archived email _id`).concat('', 'name ')

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const many = JSON.stringify(Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`p${i}`, i])))

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

type Content = { bytes?: Uint8Array | string; type?: string | null; chunked?: true }

function casesOf(operation: keyof typeof receivers): Case[] {
  const { request, schema } = receivers[operation]
  const fields = Object.keys(schema.shape)
  const isJoin = operation === 'join'
  const some = <Item>(items: readonly Item[]) => items.filter((_, i) => !isJoin || i % 2 === 0)
  const refusal = (full: Expectation, status: number) => (isJoin ? { status } : full)
  const unreadable = refusal(expected.invalid(null), 400)
  const notAnObject = refusal(expected.invalid([], true), 400)
  const wrongType = refusal(expected.failure('VALIDATION_FAILED', 415), 400)
  const tooLarge = refusal(expected.failure('VALIDATION_FAILED', 413), 413)
  /** Messages for exactly these fields; `form`: and for the body as a whole. */
  const invalid = (names: string[], form?: boolean) => refusal(expected.invalid(names, form), 422)

  const sent = ({ bytes, type, chunked }: Content, expect: Expectation) =>
    step(
      { ...(bytes === undefined ? request : withBytes(request, bytes, type)), ...(chunked && { chunked }) },
      expect,
    )
  const refuses = (requirement: string, expect: Expectation, title: string, content: Content | string) =>
    table(isJoin ? 'responses: waitlist' : requirement, {
      [`${title} (${operation})`]: [
        sent(typeof content === 'string' ? { bytes: content } : content, expect),
        ...(isJoin ? [] : [lists('acme-owner')]),
      ],
    })
  /** @param content made from a valid body in JSON; names differ, so that creations do not meet */
  const takes = (requirement: string, title: string, content: (valid: string) => Content) => {
    const [valid, success] = {
      create: [{ name: title }, expected.created({ name: title })],
      update: [{ status: 'active' }, expected.updated({ status: 'active' })],
      join: [{ email: 'new@example.com' }, expected.joined],
    }[operation] as [object, Expectation]
    const steps = sent(content(JSON.stringify(valid)), success)
    return table(requirement, { [`${title} (${operation})`]: steps }, { addsOnly: true })
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
    ...some(otherTypes).flatMap((type) =>
      refuses(typeAndSize, wrongType, `The media type ${type} is refused`, { bytes: valid, type }),
    ),
    ...refuses(typeAndSize, wrongType, 'A body without a content type is refused', {
      bytes: valid,
      type: null,
    }),
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
        ...[bodyLimit + 1, 1024 * 1024].flatMap((length) =>
          refuses(typeAndSize, tooLarge, `A body of ${length} ${what} is too large`, {
            bytes: valid.padEnd(length),
            ...how,
          }),
        ),
      ],
    ),
    ...refuses(
      typeAndSize,
      tooLarge,
      'Bytes are counted, not characters',
      `{"name":"${'€'.repeat(bodyLimit / 3)}"}`,
    ),
    ...fields.flatMap((field) =>
      values.flatMap(([requirement, values]) =>
        values
          .filter((value) => value !== '' || field !== 'description')
          .flatMap((value) =>
            refuses(
              requirement,
              invalid([field]),
              `${field} cannot be ${JSON.stringify(value)}`,
              JSON.stringify({ ...JSON.parse(valid), [field]: value }),
            ),
          ),
      ),
    ),
    ...(isJoin ? [] : ofProjects()),
  ]

  /** What the waitlist does not refuse, or cannot tell. */
  function ofProjects(): Case[] {
    const withName = (rest: string) => `{"name":"x",${rest}}`
    const refusesUnknown = (title: string, rest: string) =>
      refuses(unknown, invalid([], true), title, withName(rest))
    return [
      ...unknownNames
        .filter((name) => !fields.includes(name))
        .flatMap((name) => refusesUnknown(`The unknown property "${name}"`, `${JSON.stringify(name)}:"x"`)),
      ...refusesUnknown('An unknown property that is an object', '"__proto__":{"status":"archived"}'),
      ...refusesUnknown('An unknown property that is null', '"id":null'),
      ...refusesUnknown('An unknown property beside all fields', '"description":"d","status":"s","x":1'),
      ...refusesUnknown('An unknown property that is deeply nested', `"x":${nested(10_000)}`),
      ...refusesUnknown('Thousands of unknown properties', many.slice(1, -1)),
      ...refuses(
        details,
        invalid(['description']),
        'A description that is deeply nested',
        withName(`"description":${nested(10_000)}`),
      ),
      ...refuses(
        details,
        invalid(['name', 'description'], true),
        'Every invalid field and unknown properties are reported',
        '{"name":"","description":null,"title":"x"}',
      ),
      ...(operation === 'create'
        ? refuses(details, invalid(['name']), 'A missing name is refused', '{}')
        : []),
    ]
  }
}

export const bodyCases: Case[] = (['create', 'update', 'join'] as const).flatMap(casesOf)
