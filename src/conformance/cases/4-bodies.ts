import type { Case, CaseRequest, Service } from '../case.js'
import { expectEqual, expectError, expectInvalid, expectStatus } from '../expect.js'
import { create, join, update, utf8 } from '../requests.js'

// 4. All bodies are application/json. A refused request changes nothing.

/** The largest body in bytes. Not imported from the contract: the suite must notice if the limit changes. */
const bodyLimit = 65_536

const notJson = [
  '{"name":"Fresh"',
  '{"name":"Fresh"} {}',
  '{"name":"Fresh",}',
  "{'name':'Fresh'}",
  '{name:"Fresh"}',
  'name=Fresh',
  '{"name":"Fresh"/**/}',
  '{"name":"a\u0001b"}',
  '{"name":"a\tb"}',
  '{"name":"a\\x41"}',
  '{"name":NaN}',
  '\ufeff{"name":"Fresh"}',
  '\u00a0{"name":"Fresh"}',
  '{"name":"Fresh"}\0',
  ' \t',
]

const notUtf8 = [
  [0x80],
  [0xc0, 0xaf],
  [0xed, 0xa0, 0x80],
  [0xe2, 0x82],
  [0xff],
  [0xf4, 0x90, 0x80, 0x80],
].map((part) => Uint8Array.of(...utf8('{"name":"'), ...part, ...utf8('"}')))

const otherTypes = [
  'text/plain',
  'text/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/octet-stream',
  'application/merge-patch+json',
  'application/vnd.api+json',
  'application/json, text/plain',
  'text/plain; a=application/json',
  '',
  null,
]

const jsonTypes = [
  'application/json; charset=utf-8',
  'APPLICATION/JSON;',
  'Application/Json ; charset="utf-8"',
  'application/json; version=1; a="b;c"',
]

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const notObjects = ['[]', '5', 'null', 'true', '"name"', '[{"name":"x"}]', nested(20_000)]

/** A creation, and an update of a new project. */
async function changesBy({ newProject }: Service): Promise<CaseRequest[]> {
  return [create('owner'), update('owner', (await newProject()).id)]
}

/** A text in white space, of as many bytes. */
const padded = (text: string, bytes: number) => text + ' '.repeat(bytes - utf8(text).length)

export const bodyCases: Case[] = [
  {
    title: 'What is not JSON is refused, without details',
    requirement: 'bodies: details are null where there is no object',
    write: true,
    async play(service) {
      for (const request of await changesBy(service))
        for (const bytes of notJson) expectInvalid(await service.send({ ...request, bytes }), null)
    },
  },
  {
    title: 'Invalid UTF-8 is refused, and not replaced',
    requirement: 'bodies: details are null where there is no object',
    write: true,
    async play(service) {
      for (const request of await changesBy(service))
        for (const bytes of notUtf8) expectInvalid(await service.send({ ...request, bytes }), null)
    },
  },
  {
    title: 'A body that is missing or empty is refused, without details',
    requirement: 'bodies: details are null where there is no object',
    write: true,
    async play(service) {
      for (const request of await changesBy(service)) {
        expectInvalid(await service.send(request), null)
        expectInvalid(await service.send({ ...request, bytes: '' }), null)
        expectInvalid(await service.send({ ...request, bytes: '', chunked: true }), null)
      }
    },
  },
  {
    title: 'JSON that is not an object has an error of the body as a whole',
    requirement: '2.5 the validation error body',
    write: true,
    async play(service) {
      for (const request of await changesBy(service))
        for (const bytes of notObjects) expectInvalid(await service.send({ ...request, bytes }), [], true)
    },
  },
  {
    title: 'Another media type, or none, is 415',
    requirement: 'bodies: content type and size',
    write: true,
    async play(service) {
      for (const request of await changesBy(service))
        for (const type of otherTypes)
          expectError(
            await service.send({ ...request, bytes: '{"name":"Fresh"}', type }),
            'VALIDATION_FAILED',
            415,
          )
    },
  },
  {
    title: 'JSON may have parameters and capitals in its media type',
    requirement: '4 bodies are application/json',
    write: true,
    async play({ send, newName, newProject }) {
      const { id } = await newProject()
      for (const type of jsonTypes) {
        expectStatus(await send({ ...create('owner', { name: newName() }), type }), 201)
        expectStatus(await send({ ...update('owner', id, { status: 'x' }), type }), 200)
      }
    },
  },
  {
    title: 'JSON may have white space and escapes',
    requirement: '4 bodies are application/json',
    write: true,
    async play({ send, newName, projectsOf }) {
      const name = newName('é/😀')
      const escaped = [...name].map((char) =>
        Array.from(
          { length: char.length },
          (_, i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`,
        ).join(''),
      )
      expectStatus(
        await send({ ...create('owner'), bytes: `\n\t {"name" \r\n:"${escaped.join('')}"} \n` }),
        201,
      )
      expectEqual((await projectsOf('owner'))[0]?.name, name, 'the name of the first project')
    },
  },
  {
    title: `A body may have ${bodyLimit} bytes, all at once and in chunks, and not one more`,
    requirement: 'bodies: content type and size',
    write: true,
    async play({ send, newName }) {
      for (const chunked of [false, true]) {
        const text = JSON.stringify({ name: newName('ü') })
        const longer = JSON.stringify({ name: newName('ü') })
        expectStatus(await send({ ...create('owner'), bytes: padded(text, bodyLimit), chunked }), 201)
        const tooLong = { ...create('owner'), bytes: padded(longer, bodyLimit + 1), chunked }
        expectError(await send(tooLong), 'VALIDATION_FAILED', 413)
      }
      // Bytes are counted, and not characters.
      const euros = create('owner', { name: '€'.repeat(bodyLimit / 3) })
      expectError(await send(euros), 'VALIDATION_FAILED', 413)
      expectError(
        await send({ ...create('owner'), bytes: ' '.repeat(1024 * 1024), chunked: true }),
        'VALIDATION_FAILED',
        413,
      )
    },
  },
  {
    title: 'Nothing is coerced: what is not a string is refused, by the name of its field',
    requirement: 'bodies: nothing is coerced',
    write: true,
    async play({ send, newName, newProject }) {
      const { id } = await newProject()
      for (const value of [null, 5, 0, true, false, [], ['x'], { toString: 'x' }]) {
        expectInvalid(await send(create('owner', { name: value })), ['name'])
        expectInvalid(await send(create('owner', { name: newName(), description: value })), ['description'])
        for (const field of ['name', 'description', 'status'])
          expectInvalid(await send(update('owner', id, { [field]: value })), [field])
      }
    },
  },
  {
    title: 'Texts with U+0000 or a lone surrogate are refused',
    requirement: 'bodies: U+0000 and lone surrogates are refused',
    write: true,
    async play({ send, newName, newProject }) {
      const { id } = await newProject()
      for (const value of ['a\0', '\ude00a', '\ud83d']) {
        expectInvalid(await send(create('owner', { name: value })), ['name'])
        expectInvalid(await send(create('owner', { name: newName(), description: value })), ['description'])
        for (const field of ['name', 'description', 'status'])
          expectInvalid(await send(update('owner', id, { [field]: value })), [field])
      }
    },
  },
  {
    title: 'Every field with an error is named',
    requirement: '2.5 the validation error body',
    write: true,
    async play({ send, newProject }) {
      const { id } = await newProject()
      expectInvalid(await send(create('owner', {})), ['name'])
      expectInvalid(await send(create('owner', { name: '', description: null })), ['name', 'description'])
      expectInvalid(await send(update('owner', id, { name: '', status: 1 })), ['name', 'status'])
      expectInvalid(
        await send({ ...create('owner'), bytes: `{"name":"x","description":${nested(10_000)}}` }),
        ['description'],
      )
    },
  },
  {
    title: 'The last of two equal keys counts',
    requirement: '4 bodies are application/json',
    write: true,
    async play({ send, newProject }) {
      const { id } = await newProject()
      expectInvalid(await send({ ...create('owner'), bytes: '{"name":"Fresh","name":5}' }), ['name'])
      expectStatus(await send({ ...update('owner', id), bytes: '{"status":5,"status":"x"}' }), 200)
    },
  },
  {
    title: 'A sign-up whose body is no JSON object is 400, another media type too',
    requirement: 'responses: waitlist',
    write: true,
    async play({ send }) {
      const valid = '{"email":"ada@example.com"}'
      for (const bytes of [...notJson.slice(0, 4), ...notObjects.slice(0, 3), ''])
        expectStatus(await send({ ...join(), bytes }), 400)
      for (const bytes of notUtf8.slice(0, 2)) expectStatus(await send({ ...join(), bytes }), 400)
      for (const type of ['text/plain', '', null])
        expectStatus(await send({ ...join(), bytes: valid, type }), 400)
      expectStatus(await send({ ...join(), bytes: padded(valid, bodyLimit + 1) }), 413)
      expectStatus(await send({ ...join(), bytes: padded(valid, bodyLimit) }), 200)
    },
  },
]
