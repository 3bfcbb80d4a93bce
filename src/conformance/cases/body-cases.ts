import { operations } from '../../contract/operations.js'
import type { Case, CaseRequest, Expectation } from './case.js'
import { bodyLimit, create, failure, invalid, join, own, table, update, utf8, words } from './steps.js'

// Request bodies: media type, size, encoding, JSON, and the fields. A refused body changes nothing.

type Content = Pick<CaseRequest, 'bytes' | 'type' | 'chunked'>

const notJson =
  `{"name":"Fresh"|{"name":"Fresh"} {}|{"name":"Fresh",}|{'name':'Fresh'}|name=Fresh|{"name":"Fresh"/**/}|{"name":"a\u0001b"}
\uFEFF{"name":"Fresh"}| \t|{"name":NaN}|\0|{\0"\0n\0a\0m\0e\0"\0:\0"\0a\0"\0}\0|{"name":"a\tb"}|{name:"Fresh"}|{"name":"Fresh"}//
{"name":"Fresh"}]|{"name":"a\\x41"}|{"name":"a\rb"}|name: Fresh|\u00A0{"name":"Fresh"}|\f{"name":"Fresh"}|{"name":"Fresh"}\0`.split(
    /[|\n]/,
  )

const notUtf8 = ['80', 'c0 af', 'ed a0 80', 'e2 82', 'ff', 'f4 90 80 80'].map((hex) => {
  const part = hex.split(' ').map((byte) => Number.parseInt(byte, 16))
  return { bytes: Uint8Array.of(...utf8('{"name":"'), ...part, ...utf8('"}')) }
})

const otherTypes = `text/plain|text/plain; charset=utf-8|application/x-www-form-urlencoded
multipart/form-data; boundary=x|application/octet-stream|application/json-seq|application/json, text/plain
application/vnd.api+json|application/merge-patch+json|text/json|json|text/plain; a=application/json
application/x-www-form-urlencoded; charset=utf-8|`.split(/[|\n]/)

const jsonTypes = `application/json; charset=utf-8|application/json;charset=UTF-8|APPLICATION/JSON;
Application/Json ; charset="utf-8"|application/json; version=1; a="b;c"`.split(/[|\n]/)

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const notObjects = [nested(20_000), ...words('[] 5 null true "name" [{"name":"x"}]')]

/** No properties of a body, or those of another operation. */
const unknownNames =
  words(`id teamId createdAt status Name NAME projectId constructor toString __proto__ session
  orgCode archived email _id $schema x-note @type //`).concat('', 'name ')
const many = Array.from({ length: 2000 }, (_, i) => `"p${i}":${i}`).join()
const unknownProperties = words(
  '"id":null "archived":false "x":"" "tags":[] "__proto__":{"status":"archived"}',
).concat(`"x":${nested(10_000)}`, '"description":"d","status":"s","x":-1e999', many)
const withName = (rest: string) => `{"name":"x",${rest}}`

const noDetails = 'bodies: details are null where there is no object'
const typeAndSize = 'bodies: content type and size'
const json = '4 bodies are application/json'
const details = '2.5 the validation error body'
const unknown = 'bodies: unknown properties are refused'

/** What a field does not take. Only a description may be empty. */
const values = (field: string): [requirement: string, values: unknown[]][] => [
  ['bodies: nothing is coerced', [null, 5, 0, ['ada@example.com'], true, false, [], { toString: 'x' }]],
  ['bodies: U+0000 and lone surrogates are refused', ['a\0@a.test', 'a\0', '\ude00a', '\ud83d@a.test']],
  ['8 names have at least one character and no maximum', field === 'description' ? [] : ['']],
]

/** Valid bodies in other words, each made from one in JSON. */
type Ways = Record<string, (valid: string) => Content>
const ways: Ways = {
  'white space': (valid) => ({ bytes: `\n\t ${valid.replace(':', ' \r\n: ')} \n` }),
  'escapes: / @ \ue000 \uffff \u{1f600}': (valid) => ({
    bytes: valid.replaceAll('/', '\\/').replace(/(?<!\\)[a-z@\ud800-\uffff]/g, (char) => {
      const code = char.charCodeAt(0).toString(16).toUpperCase()
      return `\\u${code.padStart(4, '0')}`
    }),
  }),
  'a duplicate key, whose last value counts': (valid) => ({
    bytes: valid.replace('{', `${valid.replace(/:".*/, ':"an earlier one"')},`),
  }),
}

const ofType = (type: string) => [type, (bytes: string) => ({ bytes, type })]
const ofOtherTypes = (bytes: string) => [null, ...otherTypes].map((type) => ({ bytes, type }))

// Bytes are counted, and not characters.
const padded = (valid: string, length: number) => valid.padEnd(length + valid.length - utf8(valid).length)
const longest: Ways = {
  'all at once': (valid) => ({ bytes: padded(valid, bodyLimit) }),
  'in chunks, with a ü': (valid) => ({ bytes: padded(valid, bodyLimit), chunked: true }),
}
const tooLarge = (valid: string): (Content | string)[] => [
  { bytes: padded(valid, 1024 * 1024), chunked: true },
  `{"name":"${'€'.repeat(bodyLimit / 3)}"}`,
  { bytes: padded(valid, bodyLimit + 1), chunked: true },
  { bytes: padded(valid, bodyLimit + 1) },
]

const twice = (field = '') => `{"${field}":"ada@example.com","${field}":5}`

type Row = [
  requirement: string,
  what: string,
  expect: Expectation,
  ofJoin: number,
  bodies: (Content | string)[],
]

/** What is refused, with the status that the waitlist has for it. @param valid a body without a fault */
const refusals = (valid: string, fields: string[]): Row[] => [
  [noDetails, 'What is not JSON', invalid(null), 400, notJson],
  [noDetails, 'Invalid UTF-8, which is not replaced,', invalid(null), 400, notUtf8],
  [noDetails, 'A missing body', invalid(null), 400, [{}]],
  [noDetails, 'An empty body', invalid(null), 400, ['', { bytes: '', chunked: true }]],
  [details, 'JSON that is not an object', invalid([], true), 400, notObjects],
  [typeAndSize, 'Another media type', failure('VALIDATION_FAILED', 415), 400, ofOtherTypes(valid)],
  [typeAndSize, 'What is too large', failure('VALIDATION_FAILED', 413), 413, tooLarge(valid)],
  [json, 'A duplicate key with a number last', invalid(fields.slice(0, 1)), 422, [twice(fields[0])]],
  ...fields.flatMap((field) =>
    values(field).map(([requirement, all]): Row => {
      const bodies = all.map((value) => JSON.stringify({ ...JSON.parse(valid), [field]: value }))
      return [requirement, `${field} as one of ${JSON.stringify(all)}`, invalid([field]), 422, bodies]
    }),
  ),
]

const noName: Row = [details, 'A missing name', invalid(['name']), 0, ['{}']]
/** What the operations refuse that do not ignore unknown properties. */
const ofUnknown = (fields: string[]): Row[] => {
  const names = unknownNames.filter((name) => !fields.includes(name))
  const rests = [...names.map((name) => `${JSON.stringify(name)}:"x"`), ...unknownProperties]
  const deep = withName(`"description":${nested(10_000)}`)
  return [
    [unknown, 'An unknown property', invalid([], true), 0, rests.map(withName)],
    [unknown, 'One beside an invalid field', invalid(['name'], true), 0, ['{"name":"","x":1}']],
    [details, 'A field that is deeply nested', invalid(['description']), 0, [deep]],
    ...(fields.includes('status') ? [] : [noName]),
    [details, 'Several fields', invalid(['description', 'name']), 0, ['{"name":"","description":null}']],
  ]
}

/** The operations that take a body, and a valid body with a name. */
const receivers = {
  create: [operations.createProject, create('acme-owner'), (name: string) => ({ name })],
  update: [operations.updateProject, update('acme-owner', own), () => ({ status: 'active' })],
  join: [operations.joinWaitlist, join(), () => ({ email: 'new@example.com' })],
} as const

export const bodyCases: Case[] = (['create', 'update', 'join'] as const).flatMap((name) => {
  const [operation, request, bodyNamed] = receivers[name]
  const isJoin = name === 'join'
  /** Of the waitlist every third suffices: a client may join only so often in a minute. */
  const some = <Item>(items: readonly Item[]) => items.filter((_, i) => !isJoin || i % 3 === 0)
  const fields = Object.keys(operation.body.schema.shape)
  const valid = JSON.stringify(isJoin ? bodyNamed('') : { name: 'Fresh' })
  const rows = [...refusals(valid, fields), ...(isJoin ? [] : ofUnknown(fields))]
  const takes = (requirement: string, what: string, all: Ways) => {
    // Names differ, so that creations do not meet.
    const sent = Object.entries(all).map(([way, content]) => content(JSON.stringify(bodyNamed(way))))
    const steps = sent.map((content) => ({ ...request, ...content }))
    return table(requirement, { [`${what} is accepted (${name})`]: [steps] })
  }
  return [
    ...rows.flatMap(([requirement, what, full, ofJoin, bodies]) => {
      const expect = isJoin ? { status: ofJoin } : full
      const contents = some(bodies).map((body) => (typeof body === 'string' ? { bytes: body } : body))
      const steps = contents.map((content) => ({ ...request, ...content, expect }))
      const title = `${what} is refused (${name})`
      return steps.length > 0 ? table(isJoin ? 'responses: waitlist' : requirement, { [title]: [steps] }) : []
    }),
    ...takes(json, 'JSON in other words', ways),
    ...takes(json, 'JSON under other names', Object.fromEntries(some(jsonTypes).map(ofType))),
    ...takes(typeAndSize, `A body of ${bodyLimit} bytes`, longest),
  ]
})
