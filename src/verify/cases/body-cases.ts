import * as z from 'zod'
import { operations } from '../../contract/operations.js'
import type { Case, CaseRequest, Expectation } from './case.js'
import { lists, step, table, words } from './case-table.js'
import * as expected from './expectations.js'
import { bodyLimit, create, join, own, update, utf8, withBytes } from './requests.js'

// Request bodies: media type, size, encoding, JSON, and the fields. A refused body changes nothing.

type Name = 'create' | 'update' | 'join'
type Receiver = {
  request: CaseRequest
  valid: Record<string, string>
  success: Expectation
  fields: string[]
}

/** The operations that take a body, with a valid one. Names differ, so that creations do not meet. */
const receivers = (name: string): Record<Name, Receiver> => ({
  create: {
    request: create('acme-owner'),
    valid: { name },
    success: expected.created({ name }),
    fields: Object.keys(operations.createProject.body.schema.shape),
  },
  update: {
    request: update('acme-owner', own),
    valid: { status: 'active' },
    success: expected.updated({ status: 'active' }),
    fields: Object.keys(operations.updateProject.body.schema.shape),
  },
  join: {
    request: join(),
    valid: { email: 'new@example.com' },
    success: expected.joined,
    fields: Object.keys(operations.joinWaitlist.body.schema.shape),
  },
})
const all: Name[] = ['create', 'update', 'join']
const both: Name[] = ['create', 'update']

/** What is sent; `type` null is no content type. */
type Content = { bytes?: Uint8Array | string; type?: string | null; chunked?: true }
/** What is sent by title, made from a valid body in JSON. */
type Contents = Record<string, string | Uint8Array | ((valid: string) => Content)>

/** What a refusal is for creations and updates, and for the waitlist, which tells less. */
type Refusal = [full: Expectation, waitlist: Expectation]

type Row = [requirement: string, outcome: Refusal | 'success', contents: Contents, to?: Name[]]

const titled = <Item>(
  before: string,
  items: readonly Item[],
  make: (item: Item) => Contents[string],
): Contents =>
  Object.fromEntries(items.map((item) => [before + JSON.stringify(item).replace(/^"|"$/g, ''), make(item)]))

const { failure, validationFailure, detailsFor, shortFailure, emailRequired } = expected
const unreadable: Refusal = [validationFailure(z.null()), emailRequired(400)]
const notAnObject: Refusal = [validationFailure(detailsFor([], true)), emailRequired(400)]
const wrongType: Refusal = [failure('VALIDATION_FAILED', 415), emailRequired(400)]
const tooLarge: Refusal = [failure('VALIDATION_FAILED', 413), shortFailure(413)]
/** Details for exactly these fields; `form`: and for the body as a whole. */
const invalid = (fields: string[], form = false): Refusal => [
  validationFailure(detailsFor(fields, form)),
  emailRequired(422),
]

const noDetails = 'bodies: details are null where there is no object'
const typeAndSize = 'bodies: content type and size'
const json = '4 bodies are application/json'
const details = '2.5 the validation error body'
const unknown = 'bodies: unknown properties are refused'

const notJson =
  `{"name":"Fresh"|{"name":"Fresh"} {}|{"name":"Fresh",}|{'name':'Fresh'}|name=Fresh|{"name":"Fresh"/**/}
{"name":"a\u0001b"}|\uFEFF{"name":"Fresh"}| \t|NaN|\0|{\0"\0n\0a\0m\0e\0"\0:\0"\0a\0"\0}\0`.split(/[|\n]/)

const notUtf8 = [[0x80], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xe2, 0x82], [0xff]]

const otherTypes = `text/plain|text/plain; charset=utf-8|application/x-www-form-urlencoded
multipart/form-data; boundary=x|application/octet-stream|application/json-seq|application/jsonp
application/vnd.api+json|application/merge-patch+json|text/json|json`.split(/[|\n]/)

const jsonTypes = `application/json; charset=utf-8|application/json;charset=UTF-8|APPLICATION/JSON
Application/Json ; charset="utf-8"`.split(/[|\n]/)

/** What no field takes. */
const values: [requirement: string, values: unknown[]][] = [
  ['bodies: nothing is coerced', [null, 5, 0, true, false, ['x'], [], { toString: 'x' }]],
  ['bodies: U+0000 and lone surrogates are refused', ['a\u0000b', 'a\ud83d', '\ude00a']],
]

const unknownNames = [
  '',
  'name ',
  ...words('id teamId createdAt Name NAME projectId constructor toString __proto__ session orgCode archived'),
]

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const many = JSON.stringify(Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`p${i}`, i])))

/** A JSON body padded with white space to a number of bytes. */
const padded = (length: number, chunked?: true) => (valid: string) => ({
  bytes: valid.padEnd(length),
  ...(chunked && { chunked }),
})

const rows: Row[] = [
  [noDetails, unreadable, titled('Not JSON: ', notJson, (text) => text)],
  [
    noDetails,
    unreadable,
    titled('Invalid UTF-8 is refused, not replaced: ', notUtf8, (bytes) =>
      Uint8Array.of(...utf8('{"name":"'), ...bytes, ...utf8('"}')),
    ),
  ],
  [noDetails, unreadable, { 'A missing body is unreadable': () => ({}) }],
  [noDetails, unreadable, { 'An empty body is unreadable': '' }],
  [
    details,
    notAnObject,
    titled('Not an object: ', words('[] [{"name":"x"}] 5 null true "name"'), (text) => text),
  ],
  [details, notAnObject, { 'Deeply nested JSON is no error of the service': nested(20_000) }],
  [
    typeAndSize,
    wrongType,
    titled('Another media type: ', otherTypes, (type) => (bytes) => ({ bytes, type })),
  ],
  [
    typeAndSize,
    wrongType,
    { 'A body without a content type is refused': (bytes) => ({ bytes, type: null }) },
  ],
  [
    json,
    'success',
    titled('The content type is that of JSON: ', jsonTypes, (type) => (bytes) => ({ bytes, type })),
  ],
  [
    json,
    'success',
    {
      'JSON may be written with white space': (valid) => ({
        bytes: `\n\t ${valid.replace(':', ' \r\n: ')} \n`,
      }),
      'JSON may be written with escapes': (valid) => ({
        bytes: valid.replace(/"(\w)/g, (_, char: string) => `"\\u00${char.charCodeAt(0).toString(16)}`),
      }),
      'JSON may be written with a duplicate key, whose last value counts': (valid) => ({
        bytes: valid.replace('{', `${valid.replace(/:".*/, ':"an earlier one"')},`),
      }),
    },
  ],
  [typeAndSize, 'success', { [`A body of ${bodyLimit} bytes is accepted`]: padded(bodyLimit) }],
  [typeAndSize, 'success', { 'A body may be sent in chunks': padded(bodyLimit, true) }],
  ...[bodyLimit + 1, 1024 * 1024].flatMap((bytes): Row[] => [
    [typeAndSize, tooLarge, { [`A body of ${bytes} bytes is too large`]: padded(bytes) }],
    [typeAndSize, tooLarge, { [`A body of ${bytes} bytes in chunks is too large`]: padded(bytes, true) }],
  ]),
  ...Object.entries(receivers('Fresh')).flatMap(([name, { valid, fields }]) =>
    fields.flatMap((field) =>
      values.map(
        ([requirement, values]): Row => [
          requirement,
          invalid([field]),
          titled(`${field} is no text: `, values, (value) => JSON.stringify({ ...valid, [field]: value })),
          [name as Name],
        ],
      ),
    ),
  ),
  [
    unknown,
    invalid([], true),
    titled(
      'The unknown property is refused: ',
      unknownNames,
      (name) => `{"name":"x",${JSON.stringify(name)}:"x"}`,
    ),
    both,
  ],
  [unknown, invalid([], true), { 'status is an unknown property': '{"name":"x","status":"x"}' }, ['create']],
  [
    unknown,
    invalid([], true),
    { '__proto__ sets no fields': '{"__proto__":{"status":"archived"}}' },
    ['update'],
  ],
  [
    unknown,
    invalid([], true),
    { 'Unknown properties may be nested': `{"name":"x","y":${nested(10_000)}}` },
    both,
  ],
  [unknown, invalid([], true), { 'Unknown properties may be many': many.replace('{', '{"name":"x",') }, both],
  [
    'bodies: nothing is coerced',
    invalid(['description']),
    { 'description is no text: deeply nested': `{"name":"x","description":${nested(10_000)}}` },
    both,
  ],
  [
    details,
    invalid(['name', 'description'], true),
    {
      'Every invalid field and unknown properties are reported': '{"name":"","description":null,"title":"x"}',
    },
    both,
  ],
  [
    details,
    invalid(['name'], true),
    { 'A missing name and an unknown property': '{"title":"x"}' },
    ['create'],
  ],
  ['4.1 create a project', invalid(['name']), { 'A missing name is refused': '{}' }, ['create']],
  [
    '8 names have at least one character and no maximum',
    invalid(['name']),
    { 'No characters': '{"name":""}' },
    both,
  ],
  ['bodies: status is a free string', invalid(['status']), { 'No characters ': '{"status":""}' }, ['update']],
  [
    typeAndSize,
    tooLarge,
    { 'Bytes are counted, not characters': `{"name":"${'€'.repeat(bodyLimit / 3)}"}` },
    both,
  ],
]

/** A client may join the waitlist only so often in a minute: of several contents it gets every other one. */
export const bodyCases: Case[] = rows.flatMap(([requirement, outcome, contents, to = all]) =>
  Object.entries(contents).flatMap(([title, content], i) =>
    to
      .filter((name) => name !== 'join' || i % 2 === 0 || Object.keys(contents).length < 4)
      .flatMap((name) => {
        const { request, valid, success } = receivers(title)[name]
        const { bytes, type, chunked } =
          typeof content === 'function' ? content(JSON.stringify(valid)) : { bytes: content }
        const body = typeof bytes === 'string' ? utf8(bytes) : bytes
        const sent = { ...(body ? withBytes(request, body, type) : request), ...(chunked && { chunked }) }
        const expect = outcome === 'success' ? success : outcome[name === 'join' ? 1 : 0]
        return table(
          name === 'join' && outcome !== 'success' ? 'responses: waitlist' : requirement,
          {
            [`${title} (${name})`]: [
              step(sent, expect),
              ...(name === 'update' && outcome !== 'success' ? [lists('acme-owner')] : []),
            ],
          },
          { addsOnly: true },
        )
      }),
  ),
)
