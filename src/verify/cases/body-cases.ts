import * as z from 'zod'
import type { Case, CaseRequest, ExpectedResponse } from './case.js'
import { created, detailsFor, emailRequired, failure, updated, validationFailure } from './expectations.js'
import { bodyLimit, create, join, own, step, update, utf8, withBytes } from './requests.js'
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
  join: {
    request: join(),
    valid: '{"email":"new@example.com"}',
    success: { status: 200, body: { status: 'ok' } },
  },
}

type Failures = { full: ExpectedResponse; waitlist: ExpectedResponse }

/** A case for each operation that takes a body. */
const forEachOperation = (
  title: string,
  requirement: Requirement,
  prepare: (request: CaseRequest, valid: string) => CaseRequest,
  expect: Failures | 'success',
): Case[] =>
  Object.entries(withBody).map(([name, { request, valid, success }]) => ({
    title: `${title} (${name})`,
    requirement: name === 'join' && expect !== 'success' ? 'responses: waitlist' : requirement,
    steps: [
      step(
        prepare(request, valid),
        expect === 'success' ? success : name === 'join' ? expect.waitlist : expect.full,
      ),
    ],
  }))

/** 422 with null details; 400 from the waitlist. */
const unreadable: Failures = { full: validationFailure(z.null()), waitlist: emailRequired(400) }
const notAnObject: Failures = { full: validationFailure(detailsFor([], true)), waitlist: emailRequired(400) }
const wrongType: Failures = { full: failure('VALIDATION_FAILED', 415), waitlist: emailRequired(400) }
const tooLarge: Failures = { full: failure('VALIDATION_FAILED', 413), waitlist: emailRequired(413) }

const noDetails = 'bodies: details are null where there is no object'
const typeAndSize = 'bodies: content type and size'

/** A JSON body padded with white space to a number of bytes. */
const padded = (valid: string, bytes: number) => utf8(valid + ' '.repeat(bytes - valid.length))

export const bodyCases: Case[] = [
  ...Object.entries({
    'that is cut off': utf8('{"name":"Fresh"'),
    'followed by more': utf8('{"name":"Fresh"} {}'),
    'with a trailing comma': utf8('{"name":"Fresh",}'),
    'in single quotes': utf8("{'name':'Fresh'}"),
    'of form data': utf8('name=Fresh'),
    'with a raw control character in a string': utf8('{"name":"a\u0001b"}'),
    'with a byte order mark': utf8('\uFEFF{"name":"Fresh"}'),
    'of white space only': utf8(' \n'),
    'of NaN': utf8('NaN'),
    'of a NUL byte': Uint8Array.of(0),
    'in UTF-16': Uint8Array.from([...'{"name":"a"}'].flatMap((char) => [char.charCodeAt(0), 0])),
  }).flatMap(([what, bytes]) =>
    forEachOperation(
      `Not JSON: a body ${what}`,
      noDetails,
      (request) => withBytes(request, bytes),
      unreadable,
    ),
  ),
  ...Object.entries({
    'a lone continuation byte': [0x80],
    'an overlong form': [0xc0, 0xaf],
    'a surrogate in UTF-8': [0xed, 0xa0, 0x80],
    'a truncated sequence': [0xe2, 0x82],
    'a byte that UTF-8 never uses': [0xff],
  }).flatMap(([what, wrong]) =>
    forEachOperation(
      `Invalid UTF-8 is refused, not replaced: ${what}`,
      noDetails,
      (request) => withBytes(request, Uint8Array.of(...utf8('{"name":"'), ...wrong, ...utf8('"}'))),
      unreadable,
    ),
  ),
  ...forEachOperation('A missing body is unreadable', noDetails, (request) => request, unreadable),
  ...forEachOperation(
    'An empty body is unreadable',
    noDetails,
    (request) => withBytes(request, new Uint8Array()),
    unreadable,
  ),
  ...['[]', '[{"name":"Fresh"}]', '5', 'null', 'true', '"name"'].flatMap((text) =>
    forEachOperation(
      `JSON that is not an object is refused: ${text}`,
      '2.5 the validation error body',
      (request) => withBytes(request, utf8(text)),
      notAnObject,
    ),
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
    'text/json',
    'json',
  ].flatMap((type) =>
    forEachOperation(
      `The media type ${type} is refused`,
      typeAndSize,
      (request, valid) => withBytes(request, utf8(valid), type),
      wrongType,
    ),
  ),
  ...forEachOperation(
    'A body without a content type is refused',
    typeAndSize,
    (request, valid) => withBytes(request, utf8(valid), null),
    wrongType,
  ),
  ...[
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'APPLICATION/JSON',
    'Application/Json ; charset="utf-8"',
  ].flatMap((type) =>
    forEachOperation(
      `The content type ${type} is accepted`,
      '4 bodies are application/json',
      (request, valid) => withBytes(request, utf8(valid), type),
      'success',
    ),
  ),
  ...forEachOperation(
    `A body of ${bodyLimit} bytes is accepted`,
    typeAndSize,
    (request, valid) => withBytes(request, padded(valid, bodyLimit)),
    'success',
  ),
  ...[bodyLimit + 1, 1024 * 1024].flatMap((bytes) => [
    ...forEachOperation(
      `A body of ${bytes} bytes is too large`,
      typeAndSize,
      (request, valid) => withBytes(request, padded(valid, bytes)),
      tooLarge,
    ),
    ...forEachOperation(
      `A body of ${bytes} bytes in chunks is too large`,
      typeAndSize,
      (request, valid) => ({ ...withBytes(request, padded(valid, bytes)), chunked: true }),
      tooLarge,
    ),
  ]),
  ...forEachOperation(
    'A body may be sent in chunks',
    typeAndSize,
    (request, valid) => ({ ...withBytes(request, padded(valid, bodyLimit)), chunked: true }),
    'success',
  ),
]
