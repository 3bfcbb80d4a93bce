import * as z from 'zod'
import type { Case, Expected, Request } from './case.js'
import { created, emailRequired, faultsIn, invalid, refused, updated } from './expectations.js'
import { bodyLimit, create, join, mine, step, update, utf8, withBytes } from './requests.js'
import type { Requirement } from './requirements.js'

// What a body may be before its fields are looked at: media type, size, encoding, form.

/** The three operations that take a body. `good` is a body that each takes, in JSON. */
const takers = {
  create: { request: create('acme-owner'), good: '{"name":"Fresh"}', success: created({ name: 'Fresh' }) },
  update: {
    request: update('acme-owner', mine),
    good: '{"status":"active"}',
    success: updated({ status: 'active' }),
  },
  join: {
    request: join(),
    good: '{"email":"new@example.com"}',
    success: { status: 200, body: { status: 'ok' } },
  },
}

type Answers = { full: Expected; waitlist: Expected }

/** One case for each operation that takes a body. */
const each = (
  title: string,
  requirement: Requirement,
  ask: (request: Request, good: string) => Request,
  expect: Answers | 'success',
): Case[] =>
  Object.entries(takers).map(([name, { request, good, success }]) => ({
    title: `${title} (${name})`,
    requirement: name === 'join' && expect !== 'success' ? 'answers: waitlist' : requirement,
    steps: [
      step(
        ask(request, good),
        expect === 'success' ? success : name === 'join' ? expect.waitlist : expect.full,
      ),
    ],
  }))

/** 422 without details, 400 of the waitlist: there is no object to speak of. */
const unreadable: Answers = { full: invalid(z.null()), waitlist: emailRequired(400) }
const notAnObject: Answers = { full: invalid(faultsIn([], true)), waitlist: emailRequired(400) }
const wrongType: Answers = { full: refused('VALIDATION_FAILED', 415), waitlist: emailRequired(400) }
const tooLarge: Answers = { full: refused('VALIDATION_FAILED', 413), waitlist: emailRequired(413) }

const noDetails = 'bodies: details are null where there is no object'
const typeAndSize = 'bodies: content type and size'

/** A body padded with white space, which JSON allows, to a number of bytes. */
const padded = (good: string, bytes: number) => utf8(good + ' '.repeat(bytes - good.length))

export const bodyCases: Case[] = [
  ...Object.entries({
    'cut off': utf8('{"name":"Fresh"'),
    'followed by more': utf8('{"name":"Fresh"} {}'),
    'with a trailing comma': utf8('{"name":"Fresh",}'),
    'in single quotes': utf8("{'name':'Fresh'}"),
    'a form': utf8('name=Fresh'),
    'with a raw control character in a string': utf8('{"name":"a\u0001b"}'),
    'with a byte order mark': utf8('\uFEFF{"name":"Fresh"}'),
    'white space alone': utf8(' \n'),
    'not a number': utf8('NaN'),
    'a NUL byte': Uint8Array.of(0),
    'in UTF-16': Uint8Array.from([...'{"name":"a"}'].flatMap((char) => [char.charCodeAt(0), 0])),
  }).flatMap(([what, bytes]) =>
    each(`A body ${what} is not JSON`, noDetails, (request) => withBytes(request, bytes), unreadable),
  ),
  ...Object.entries({
    'a continuation byte alone': [0x80],
    'an overlong form': [0xc0, 0xaf],
    'a surrogate in UTF-8': [0xed, 0xa0, 0x80],
    'a sequence cut off': [0xe2, 0x82],
    'a byte that UTF-8 never has': [0xff],
  }).flatMap(([what, wrong]) =>
    each(
      `Invalid UTF-8 is refused and not mended: ${what}`,
      noDetails,
      (request) => withBytes(request, Uint8Array.of(...utf8('{"name":"'), ...wrong, ...utf8('"}'))),
      unreadable,
    ),
  ),
  ...each('No body at all is unreadable', noDetails, (request) => request, unreadable),
  ...each(
    'An empty body is unreadable',
    noDetails,
    (request) => withBytes(request, new Uint8Array()),
    unreadable,
  ),
  ...['[]', '[{"name":"Fresh"}]', '5', 'null', 'true', '"name"'].flatMap((text) =>
    each(
      `JSON that is no object is refused: ${text}`,
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
    each(
      `The media type ${type} is refused`,
      typeAndSize,
      (request, good) => withBytes(request, utf8(good), type),
      wrongType,
    ),
  ),
  ...each(
    'A body without a content type is refused',
    typeAndSize,
    (request, good) => withBytes(request, utf8(good), null),
    wrongType,
  ),
  ...[
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'APPLICATION/JSON',
    'Application/Json ; charset="utf-8"',
  ].flatMap((type) =>
    each(
      `The content type ${type} is JSON`,
      '4 bodies are application/json',
      (request, good) => withBytes(request, utf8(good), type),
      'success',
    ),
  ),
  ...each(
    `A body of ${bodyLimit} bytes is read`,
    typeAndSize,
    (request, good) => withBytes(request, padded(good, bodyLimit)),
    'success',
  ),
  ...[bodyLimit + 1, 1024 * 1024].flatMap((bytes) => [
    ...each(
      `A body of ${bytes} bytes is too large`,
      typeAndSize,
      (request, good) => withBytes(request, padded(good, bytes)),
      tooLarge,
    ),
    ...each(
      `A body of ${bytes} bytes in chunks is too large`,
      typeAndSize,
      (request, good) => ({ ...withBytes(request, padded(good, bytes)), chunked: true }),
      tooLarge,
    ),
  ]),
  ...each(
    'A body may come in chunks',
    typeAndSize,
    (request, good) => ({ ...withBytes(request, padded(good, bodyLimit)), chunked: true }),
    'success',
  ),
]
