import { nameKey } from '../../../src/contract/project-name.js'
import { jsonOf, withJson, withRequestJson } from '../broken-server-proxy.js'
import {
  fieldsOf,
  hasFields,
  invalidName,
  type Misbehaviour,
  nameTaken,
  projectsFor,
  text,
  typeOf,
  withText,
} from '../misbehaviours/misbehaviour.js'
import { idOf, isCreate, isSignUp, isUpdate, refuse, reply, whenStatus, withBody } from './replies.js'
import { both, field, isChange, mutant, onProject, sends, type When, withHeader } from './request-mutant.js'

// What body parsers accept or refuse, and what error handlers say.

const parses = (body: string) => {
  try {
    JSON.parse(body)
    return true
  } catch {
    return false
  }
}
const unreadable: When = (request) => isChange(request) && !parses(text(request.body))
const bodyMatches =
  (pattern: RegExp): When =>
  (request) =>
    (isChange(request) || isSignUp(request)) &&
    pattern.test(new TextDecoder('utf-8', { ignoreBOM: true }).decode(request.body))
const onError = (status: number, edit: (json: Record<string, unknown>) => object) =>
  mutant(`errors of status ${status} are changed`, isChange, async (request, send) => {
    const response = await send(request)
    return response.status === status ? withJson(response, edit(JSON.parse(response.text || '{}'))) : response
  })
const named = (name: string, misbehaviour: Misbehaviour): Misbehaviour => ({ ...misbehaviour, name })
const large =
  (bytes: number): When =>
  (request) =>
    (request.body?.length ?? 0) > bytes

export const parsersAndErrorHandlers: Misbehaviour[] = [
  mutant(
    'NaN and Infinity are numbers of JSON, as in Python',
    bodyMatches(/:\s*-?(NaN|Infinity)/),
    invalidName,
  ),
  mutant(
    'what follows the first value of a body is ignored, as by a Go decoder',
    both(unreadable, bodyMatches(/^\{[^{}]*\}\s*\S/)),
    withBody((body) => body.replace(/^(\{[^{}]*\}).*$/s, '$1')),
  ),
  mutant(
    'a comma before a closing brace is accepted',
    both(unreadable, bodyMatches(/,\s*\}/)),
    withBody((body) => body.replace(/,\s*\}/g, '}')),
  ),
  mutant(
    'comments in bodies are accepted, as by Newtonsoft',
    both(unreadable, bodyMatches(/\/\*|\/\//)),
    withBody((body) => body.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')),
  ),
  mutant(
    'single quotes in bodies are accepted',
    both(unreadable, bodyMatches(/^\{'/)),
    withBody((body) => body.replaceAll("'", '"')),
  ),
  mutant(
    'a byte order mark before a body is skipped',
    bodyMatches(/^\ufeff/),
    withBody((body) => body.replace(/^\ufeff/, '')),
  ),
  mutant(
    'invalid UTF-8 in a body is replaced',
    both(isChange, (request) => text(request.body).includes('\ufffd')),
    withBody((body) => body),
  ),
  mutant(
    'invalid UTF-8 in a sign-up is replaced',
    both(isSignUp, (request) => text(request.body).includes('\ufffd')),
    withBody((body) => body),
  ),
  mutant(
    'a lone surrogate is replaced, as in Go',
    both(isChange, bodyMatches(/\\ud[89ab]..(?!\\ud[c-f])|(?<!\\ud[89ab]..)\\ud[c-f]/i)),
    withBody((body) => body.replace(/\\ud[89ab]..(?!\\ud[c-f]..)|(?<!\\ud[89ab]..)\\ud[c-f]../gi, '\ufffd')),
  ),
  mutant(
    'U+0000 is removed from bodies',
    both(isChange, bodyMatches(/\\u0000/)),
    withBody((body) => body.replaceAll('\\u0000', '')),
  ),
  mutant(
    'an empty body of an update is an object without fields',
    both(isUpdate, bodyMatches(/^$/)),
    withBody(() => '{}'),
  ),
  mutant(
    'a body of blanks is an object without fields',
    both(isUpdate, bodyMatches(/^\s+$/)),
    withBody(() => '{}'),
  ),
  mutant(
    'an empty array is an object, as in PHP',
    both(isUpdate, bodyMatches(/^\s*\[\s*\]\s*$/)),
    withBody(() => '{}'),
  ),
  mutant(
    'null as a body is an object without fields',
    both(isUpdate, bodyMatches(/^\s*null\s*$/)),
    withBody(() => '{}'),
  ),
  mutant(
    'text/plain is read as JSON',
    sends('content-type', /^text\/plain/i),
    withBody((body) => body),
  ),
  mutant(
    'text/json is JSON',
    sends('content-type', /^text\/json/i),
    withBody((body) => body),
  ),
  mutant(
    'types that end in +json are JSON',
    sends('content-type', /\+json/i),
    withBody((body) => body),
  ),
  mutant(
    'types that contain application/json are JSON',
    sends('content-type', /.application\/json|application\/json[\w-]/i),
    withBody((body) => body),
  ),
  mutant(
    'a form is accepted',
    sends('content-type', /x-www-form-urlencoded/i),
    withBody((body) => (parses(body) ? body : JSON.stringify(Object.fromEntries(new URLSearchParams(body))))),
  ),
  mutant(
    'a body without a content type is JSON',
    (request) => typeOf(request) === undefined && large(0)(request, undefined as never),
    withBody((body) => body),
  ),
  mutant('a media type in capitals is 415', sends('content-type', /[A-Z].*\//), refuse(415)),
  mutant('a charset in quotes is 415', sends('content-type', /charset="/i), refuse(415)),
  mutant('a parameter other than charset is 415', sends('content-type', /;\s*(?!charset)\w+=/i), refuse(415)),
  mutant('a charset in capitals is 415', sends('content-type', /charset="?UTF/), refuse(415)),
  mutant('a semicolon without parameter is 415', sends('content-type', /;\s*$/), refuse(415)),
  mutant('a body of exactly 64 KiB is 413', (request) => request.body?.length === 65536, refuse(413)),
  mutant('a body of more than 32 KiB is 413', large(32768), refuse(413)),
  mutant(
    'the limit of a body holds only where its length is said',
    (request) => request.chunked && large(65536)(request, undefined as never),
    invalidName,
  ),
  mutant(
    'the limit of a body counts characters',
    (request) =>
      isChange(request) && large(65536)(request, undefined as never) && text(request.body).length <= 65536,
    invalidName,
  ),
  mutant(
    'a large body of another type is 413 before 415',
    (request) => large(65536)(request, undefined as never) && !/json/i.test(typeOf(request) ?? ''),
    refuse(413),
  ),
  mutant('a chunked body is refused with 411', (request) => request.chunked, refuse(411)),
  mutant('a compressed body is 415', sends('content-encoding'), refuse(415)),
  mutant(
    'a body that is deeper than 512 is 500',
    bodyMatches(/(\[|\{"[^"]*":){513}/),
    refuse(500, 'INTERNAL_ERROR'),
  ),
  mutant(
    'a number above the range of a double is 500',
    bodyMatches(/:\s*-?\d+e\d{3}|\d{309}/i),
    refuse(500, 'INTERNAL_ERROR'),
  ),
  mutant(
    'a body with a key twice is 422',
    bodyMatches(/^\{\s*("[^"]*")\s*:\s*"[^"]*"\s*,\s*\1\s*:/),
    refuse(422),
  ),
  mutant('a slash that is escaped is refused', bodyMatches(/\\\//), refuse(422)),
  mutant('an emoji as two escapes is refused', both(isChange, bodyMatches(/\\ud8..\\ud[c-f]/i)), refuse(422)),
  named(
    'a 422 has no formErrors if a field is wrong',
    onError(422, ({ details, ...json }) => ({
      ...json,
      details:
        details && Object.keys(Object(details).fieldErrors).length > 0
          ? { fieldErrors: Object(details).fieldErrors }
          : details,
    })),
  ),
  named(
    'a 422 says unknown properties as fields',
    onError(422, ({ details, ...json }) => ({
      ...json,
      details:
        details &&
        Object(details).formErrors.length > 0 &&
        /nrecognized|nknown/.test(String(Object(details).formErrors))
          ? { formErrors: [], fieldErrors: { owner: ['Unknown'] } }
          : details,
    })),
  ),
  named(
    'a 422 has the code of its field',
    onError(422, (json) => ({ ...json, code: 'INVALID_BODY' })),
  ),
  named(
    'a 409 has details',
    onError(409, (json) => ({ ...json, details: null })),
  ),
  named(
    'a 404 repeats the id in its message',
    onError(404, (json) => ({ ...json, error: `No project ${Math.random()}` })),
  ),
  named(
    'a 413 has no code',
    onError(413, ({ code: _, ...json }) => json),
  ),
  named(
    'a 415 has details of null',
    onError(415, (json) => ({ ...json, details: null })),
  ),
  mutant('errors of changes are problem+json', isChange, async (request, send, context) => {
    const response = await send(request)
    return response.status === 409
      ? withHeader('content-type', 'application/problem+json')(request, async () => response, context)
      : response
  }),
  mutant('a 413 is a page of the proxy', large(65536), async (request, send) => {
    const response = await send(request)
    return response.status === 413
      ? { ...response, headers: { 'content-type': 'text/html' }, text: '<h1>413</h1>' }
      : response
  }),
  mutant(
    'a malformed sign-up is 422, as by FastAPI',
    both(isSignUp, (request) => !parses(text(request.body))),
    reply(422, { error: 'email_required' }),
  ),
  mutant(
    'an array as a sign-up is 422',
    both(isSignUp, bodyMatches(/^\s*\[/)),
    reply(422, { error: 'email_required' }),
  ),
  mutant('a sign-up that is too large has an error body', both(isSignUp, large(65536)), refuse(413)),
  mutant(
    'the first media type of several in one header counts',
    sends('content-type', /,/),
    withBody((body) => body),
  ),
  mutant(
    'an update as merge-patch is 415 for a type with a version',
    both(isUpdate, sends('content-type', /version=/)),
    refuse(415),
  ),
  mutant(
    'a creation with a type of JSON Patch is accepted',
    both(isCreate, sends('content-type', /json-patch|merge-patch/)),
    withBody((body) => body),
  ),
  mutant(
    'a body with white space before it is malformed',
    both(isChange, (request) => /^\s+\{/.test(text(request.body))),
    refuse(422),
  ),
  mutant(
    'a key with an escape is unknown',
    both(isChange, (request) => /\\u00/.test(text(request.body).split(':')[0] ?? '')),
    refuse(422),
  ),
  mutant(
    'an escaped U+FFFE or private letter is 422',
    both(isChange, (request) => /\\u(fffe|ffff|e000)/i.test(text(request.body))),
    refuse(422),
  ),
  mutant(
    'a description before the name is lost',
    both(isCreate, (request) => Object.keys(fieldsOf(request))[0] === 'description'),
    onProject((p) => ({ ...p, description: null })),
  ),
  mutant(
    'an update of a status before other fields loses these',
    both(
      isUpdate,
      (request) =>
        Object.keys(fieldsOf(request))[0] === 'status' && Object.keys(fieldsOf(request)).length > 1,
    ),
    (request, send) => send(withRequestJson(request, { status: fieldsOf(request).status })),
  ),
  whenStatus(
    both(isChange, (request) => (request.body?.length ?? 0) > 65536),
    413,
    (response, request) => {
      try {
        JSON.parse(text(request.body))
        return response
      } catch {
        return { ...response, status: 422 }
      }
    },
    'a large malformed body is 422 before 413',
  ),
  whenStatus(
    isChange,
    422,
    (response) =>
      withJson(response, {
        ...Object(jsonOf(response)),
        details:
          Object(Object(jsonOf(response)).details).fieldErrors &&
          Object.keys(Object(jsonOf(response)).details.fieldErrors).length === 0
            ? { ...Object(jsonOf(response)).details, fieldErrors: [] }
            : Object(jsonOf(response)).details,
      }),
    'fieldErrors without a field is an array, as in PHP',
  ),
  whenStatus(
    isChange,
    422,
    (response) => {
      const json = Object(jsonOf(response))
      return withJson(response, {
        ...json,
        details: json.details && {
          ...json.details,
          fieldErrors: Object.fromEntries(Object.entries(json.details.fieldErrors).slice(0, 1)),
        },
      })
    },
    'a 422 names the first wrong field alone',
  ),
  whenStatus(
    both(isCreate, (request) => 'description' in fieldsOf(request)),
    409,
    (response) => ({ ...response, status: 422 }),
    'a taken name with a description is 422',
  ),
  mutant(
    'a taken name is found before an unknown property',
    both(isCreate, hasFields),
    async (request, send) => {
      const response = await send(request)
      if (response.status !== 422 || typeof fieldsOf(request).name !== 'string') return response
      const taken = (await projectsFor(request, send)).some(
        ({ name }) => nameKey(name) === nameKey(field(request, 'name')),
      )
      return taken ? nameTaken(request, send) : response
    },
  ),
  mutant(
    'an unknown id is found before an invalid body',
    both(isUpdate, (request) => idOf(request) !== ''),
    async (request, send) => {
      const response = await send(request)
      if (response.status !== 422) return response
      const probe = await send(
        withText(
          {
            ...request,
            headers: [
              ...request.headers.filter(([n]) => n.toLowerCase() !== 'content-type'),
              ['content-type', 'application/json'],
            ],
          },
          '{}',
        ),
      )
      return probe.status === 404 ? probe : response
    },
  ),
  mutant(
    'an unsupported type is found before a blank id',
    both(
      isUpdate,
      (request) => /^(%20|%09|)+$/.test(idOf(request)),
      (request) => !/json/i.test(typeOf(request) ?? ''),
    ),
    refuse(415),
  ),
]
