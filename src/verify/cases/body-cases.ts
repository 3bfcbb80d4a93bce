import * as z from 'zod'
import type { Case, Expectation } from './case.js'
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
import { bodyLimit, create, given, join, own, step, update, utf8, withBytes } from './requests.js'
import type { Requirement } from './requirements.js'

// The body before its fields are validated: media type, size, encoding, JSON.

/** The operations that take a body, with a valid body in JSON. */
const withBody = {
  create: { request: create('acme-owner'), valid: '{"name":"Fresh"}', success: created({ name: 'Fresh' }) },
  update: {
    request: update('acme-owner', own),
    valid: '{"status":"active"}',
    success: updated({ status: 'active' }),
  },
  join: { request: join(), valid: '{"email":"new@example.com"}', success: joined },
}

type Failures = { full: Expectation; waitlist: Expectation }

type Content = { bytes?: Uint8Array; type?: string | null; chunked?: true }

/**
 * A case for each operation that takes a body. A client may join the waitlist only so often in a minute.
 * @param content may be made from a valid body
 * @param isForAll whether it is sent to the waitlist too
 */
const perOperation = (
  title: string,
  requirement: Requirement,
  content: Content | ((valid: string) => Content),
  expect: Failures | 'success',
  isForAll = true,
): Case[] =>
  Object.entries(withBody).flatMap(([name, { request, valid, success }]) => {
    if (name === 'join' && !isForAll) return []
    const { bytes, type, chunked } = typeof content === 'function' ? content(valid) : content
    const failure = name === 'join' ? 'waitlist' : 'full'
    return given(
      `${title} (${name})`,
      name === 'join' && expect !== 'success' ? 'responses: waitlist' : requirement,
      step(
        { ...(bytes ? withBytes(request, bytes, type) : request), ...(chunked && { chunked }) },
        expect === 'success' ? success : expect[failure],
      ),
    )
  })

/** 422 with null details; 400 from the waitlist. */
const unreadable: Failures = { full: validationFailure(z.null()), waitlist: emailRequired(400) }
const notAnObject: Failures = { full: validationFailure(detailsFor([], true)), waitlist: emailRequired(400) }
const wrongType: Failures = { full: failure('VALIDATION_FAILED', 415), waitlist: emailRequired(400) }
const tooLarge: Failures = { full: failure('VALIDATION_FAILED', 413), waitlist: shortFailure(413) }

const noDetails = 'bodies: details are null where there is no object'
const typeAndSize = 'bodies: content type and size'
const json = '4 bodies are application/json'

/** A JSON body padded with white space to a number of bytes. */
const padded = (valid: string, bytes: number) => utf8(valid + ' '.repeat(bytes - valid.length))

/** JSON that is read as a valid body. */
const sameJson: Record<string, (valid: string) => string> = {
  'with white space': (valid) => `\n\t ${valid.replace(':', ' \r\n: ')} \n`,
  'with escapes': (valid) =>
    valid.replace(/"(\w)/g, (_, char: string) => `"\\u00${char.charCodeAt(0).toString(16)}`),
  'with a duplicate key, whose last value counts': (valid) =>
    valid.replace('{', `${valid.replace(/:".*/, ':"an earlier one"')},`),
}

export const bodyCases: Case[] = [
  ...Object.entries({
    'that is cut off': utf8('{"name":"Fresh"'),
    'followed by more': utf8('{"name":"Fresh"} {}'),
    'with a trailing comma': utf8('{"name":"Fresh",}'),
    'in single quotes': utf8("{'name':'Fresh'}"),
    'of form data': utf8('name=Fresh'),
    'with a comment': utf8('{"name":"Fresh"/**/}'),
    'with a raw control character in a string': utf8('{"name":"a\u0001b"}'),
    'with a byte order mark': utf8('\uFEFF{"name":"Fresh"}'),
    'of white space only': utf8(' \n'),
    'of NaN': utf8('NaN'),
    'of a NUL byte': Uint8Array.of(0),
    'in UTF-16': Uint8Array.from([...'{"name":"a"}'].flatMap((char) => [char.charCodeAt(0), 0])),
  }).flatMap(([what, bytes], i) =>
    perOperation(`Not JSON: a body ${what}`, noDetails, { bytes }, unreadable, i % 2 === 0),
  ),
  ...Object.entries({
    'a lone continuation byte': [0x80],
    'an overlong form': [0xc0, 0xaf],
    'a surrogate in UTF-8': [0xed, 0xa0, 0x80],
    'a truncated sequence': [0xe2, 0x82],
    'a byte that UTF-8 never uses': [0xff],
  }).flatMap(([what, wrong], i) =>
    perOperation(
      `Invalid UTF-8 is refused, not replaced: ${what}`,
      noDetails,
      { bytes: Uint8Array.of(...utf8('{"name":"'), ...wrong, ...utf8('"}')) },
      unreadable,
      i % 2 === 0,
    ),
  ),
  ...perOperation('A missing body is unreadable', noDetails, {}, unreadable),
  ...perOperation('An empty body is unreadable', noDetails, { bytes: new Uint8Array() }, unreadable),
  ...['[]', '[{"name":"Fresh"}]', '5', 'null', 'true', '"name"'].flatMap((text, i) =>
    perOperation(
      `JSON that is not an object is refused: ${text}`,
      '2.5 the validation error body',
      { bytes: utf8(text) },
      notAnObject,
      i % 2 === 0,
    ),
  ),
  ...perOperation(
    'Deeply nested JSON is no error of the service',
    '2.5 the validation error body',
    { bytes: utf8('['.repeat(20_000) + ']'.repeat(20_000)) },
    notAnObject,
  ),

  ...[
    'text/plain',
    'text/plain; charset=utf-8',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    'application/json-seq',
    'application/jsonp',
    'application/vnd.api+json',
    'application/merge-patch+json',
    'text/json',
    'json',
  ].flatMap((type, i) =>
    perOperation(
      `The media type ${type} is refused`,
      typeAndSize,
      (valid) => ({ bytes: utf8(valid), type }),
      wrongType,
      i % 2 === 0,
    ),
  ),
  ...perOperation(
    'A body without a content type is refused',
    typeAndSize,
    (valid) => ({ bytes: utf8(valid), type: null }),
    wrongType,
  ),
  ...[
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'APPLICATION/JSON',
    'Application/Json ; charset="utf-8"',
  ].flatMap((type) =>
    perOperation(
      `The content type ${type} is accepted`,
      json,
      (valid) => ({ bytes: utf8(valid), type }),
      'success',
    ),
  ),
  ...Object.entries(sameJson).flatMap(([what, write]) =>
    perOperation(`JSON may be written ${what}`, json, (valid) => ({ bytes: utf8(write(valid)) }), 'success'),
  ),
  ...perOperation(
    `A body of ${bodyLimit} bytes is accepted`,
    typeAndSize,
    (valid) => ({ bytes: padded(valid, bodyLimit) }),
    'success',
  ),
  ...[bodyLimit + 1, 1024 * 1024].flatMap((bytes) => [
    ...perOperation(
      `A body of ${bytes} bytes is too large`,
      typeAndSize,
      (valid) => ({ bytes: padded(valid, bytes) }),
      tooLarge,
    ),
    ...perOperation(
      `A body of ${bytes} bytes in chunks is too large`,
      typeAndSize,
      (valid) => ({ bytes: padded(valid, bytes), chunked: true }),
      tooLarge,
    ),
  ]),
  ...perOperation(
    'A body may be sent in chunks',
    typeAndSize,
    (valid) => ({ bytes: padded(valid, bodyLimit), chunked: true }),
    'success',
  ),
]
