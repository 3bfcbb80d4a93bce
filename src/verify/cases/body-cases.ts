import * as z from 'zod'
import type { Case, Expectation } from './case.js'
import { step, table } from './case-table.js'
import {
  created,
  detailsFor,
  emailRequired,
  failure,
  joined,
  shortFailure,
  updated,
  validationFailure,
} from './expectations.js'
import { bodyLimit, create, join, own, update, utf8, withBytes } from './requests.js'
import type { Requirement } from './requirements.js'

// The body before its fields are validated: media type, size, encoding, JSON.

/** The operations that take a body, with a valid body. Names differ, so that creations do not meet. */
const withBody = (name: string) => ({
  create: { request: create('acme-owner'), valid: { name }, success: created({ name }) },
  update: {
    request: update('acme-owner', own),
    valid: { status: 'active' },
    success: updated({ status: 'active' }),
  },
  join: { request: join(), valid: { email: 'new@example.com' }, success: joined },
})

type Failures = { full: Expectation; waitlist: Expectation }

/** What is sent; `type` null is no content type. */
type Content = { bytes?: Uint8Array; type?: string | null; chunked?: true }

/**
 * For each content a case for each operation that takes a body. A client may join the waitlist only so often in a
 * minute.
 * @param contents by title, made from a valid body in JSON
 * @param isSparing whether the waitlist gets every other one
 */
const perOperation = (
  requirement: Requirement,
  expect: Failures | 'success',
  contents: Record<string, (valid: string) => Content>,
  isSparing = false,
): Case[] =>
  Object.entries(contents).flatMap(([title, content], i) =>
    Object.entries(withBody(title)).flatMap(([name, { request, valid, success }]) => {
      const isJoin = name === 'join'
      if (isJoin && isSparing && i % 2 === 1) return []
      const { bytes, type, chunked } = content(JSON.stringify(valid))
      const sent = { ...(bytes ? withBytes(request, bytes, type) : request), ...(chunked && { chunked }) }
      const expected = expect === 'success' ? success : expect[isJoin ? 'waitlist' : 'full']
      return table(
        isJoin && expect !== 'success' ? 'responses: waitlist' : requirement,
        { [`${title} (${name})`]: step(sent, expected) },
        { addsOnly: true },
      )
    }),
  )

/** Contents that do not depend on the operation: their bytes or text by title. */
const fixed = (before: string, contents: Record<string, Uint8Array | string>) =>
  Object.fromEntries(
    Object.entries(contents).map(([what, content]) => {
      const bytes = typeof content === 'string' ? utf8(content) : content
      return [`${before}${what}`, () => ({ bytes })]
    }),
  )

/** A valid body with a content type, by title. */
const typed = (title: (type: string) => string, types: readonly string[]) =>
  Object.fromEntries(types.map((type) => [title(type), (valid: string) => ({ bytes: utf8(valid), type })]))

/** 422 with null details; 400 from the waitlist. */
const unreadable: Failures = { full: validationFailure(z.null()), waitlist: emailRequired(400) }
const notAnObject: Failures = { full: validationFailure(detailsFor([], true)), waitlist: emailRequired(400) }
const wrongType: Failures = { full: failure('VALIDATION_FAILED', 415), waitlist: emailRequired(400) }
const tooLarge: Failures = { full: failure('VALIDATION_FAILED', 413), waitlist: shortFailure(413) }

const noDetails = 'bodies: details are null where there is no object'
const typeAndSize = 'bodies: content type and size'
const json = '4 bodies are application/json'

/** A JSON body padded with white space to a number of bytes. */
const padded = (bytes: number, chunked?: true) => (valid: string) => ({
  bytes: utf8(valid.padEnd(bytes)),
  ...(chunked && { chunked }),
})

const inString = (...bytes: number[]) => Uint8Array.of(...utf8('{"name":"'), ...bytes, ...utf8('"}'))

const notJson = {
  'that is cut off': '{"name":"Fresh"',
  'followed by more': '{"name":"Fresh"} {}',
  'with a trailing comma': '{"name":"Fresh",}',
  'in single quotes': "{'name':'Fresh'}",
  'of form data': 'name=Fresh',
  'with a comment': '{"name":"Fresh"/**/}',
  'with a raw control character in a string': '{"name":"a\u0001b"}',
  'with a byte order mark': '\uFEFF{"name":"Fresh"}',
  'of white space only': ' \n',
  'of NaN': 'NaN',
  'of a NUL byte': '\0',
  'in UTF-16': [...'{"name":"a"}'].join('\0').concat('\0'),
}

const notUtf8 = {
  'a lone continuation byte': inString(0x80),
  'an overlong form': inString(0xc0, 0xaf),
  'a surrogate in UTF-8': inString(0xed, 0xa0, 0x80),
  'a truncated sequence': inString(0xe2, 0x82),
  'a byte that UTF-8 never uses': inString(0xff),
}

const otherTypes = `text/plain|text/plain; charset=utf-8|application/x-www-form-urlencoded
multipart/form-data; boundary=x|application/octet-stream|application/json-seq|application/jsonp
application/vnd.api+json|application/merge-patch+json|text/json|json`.split(/[|\n]/)

const jsonTypes = [
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'APPLICATION/JSON',
  'Application/Json ; charset="utf-8"',
]

const listed = (...texts: string[]) => Object.fromEntries(texts.map((text) => [text, text]))

export const bodyCases: Case[] = [
  ...perOperation(noDetails, unreadable, fixed('Not JSON: a body ', notJson), true),
  ...perOperation(noDetails, unreadable, fixed('Invalid UTF-8 is refused, not replaced: ', notUtf8), true),
  ...perOperation(noDetails, unreadable, {
    'A missing body is unreadable': () => ({}),
    'An empty body is unreadable': () => ({ bytes: new Uint8Array() }),
  }),
  ...perOperation(
    '2.5 the validation error body',
    notAnObject,
    fixed(
      'JSON that is not an object is refused: ',
      listed('[]', '[{"name":"Fresh"}]', '5', 'null', 'true', '"name"'),
    ),
    true,
  ),
  ...perOperation(
    '2.5 the validation error body',
    notAnObject,
    fixed('', {
      'Deeply nested JSON is no error of the service': '['.repeat(20_000) + ']'.repeat(20_000),
    }),
  ),
  ...perOperation(
    typeAndSize,
    wrongType,
    typed((type) => `The media type ${type} is refused`, otherTypes),
    true,
  ),
  ...perOperation(typeAndSize, wrongType, {
    'A body without a content type is refused': (valid) => ({ bytes: utf8(valid), type: null }),
  }),
  ...perOperation(
    json,
    'success',
    typed((type) => `The content type ${type} is accepted`, jsonTypes),
  ),
  ...perOperation(json, 'success', {
    'JSON may be written with white space': (valid) => ({
      bytes: utf8(`\n\t ${valid.replace(':', ' \r\n: ')} \n`),
    }),
    'JSON may be written with escapes': (valid) => ({
      bytes: utf8(valid.replace(/"(\w)/g, (_, char: string) => `"\\u00${char.charCodeAt(0).toString(16)}`)),
    }),
    'JSON may be written with a duplicate key, whose last value counts': (valid) => ({
      bytes: utf8(valid.replace('{', `${valid.replace(/:".*/, ':"an earlier one"')},`)),
    }),
  }),
  ...perOperation(typeAndSize, 'success', {
    [`A body of ${bodyLimit} bytes is accepted`]: padded(bodyLimit),
    'A body may be sent in chunks': padded(bodyLimit, true),
  }),
  ...[bodyLimit + 1, 1024 * 1024].flatMap((bytes) =>
    perOperation(typeAndSize, tooLarge, {
      [`A body of ${bytes} bytes is too large`]: padded(bytes),
      [`A body of ${bytes} bytes in chunks is too large`]: padded(bytes, true),
    }),
  ),
]
