import { jsonOf, type ProxyRequest, withJson, withRequestJson } from '../broken-server-proxy.js'
import {
  codeOf,
  fieldsOf,
  hasFields,
  type Misbehaviour,
  projectsFor,
  withCookie,
  withType,
} from '../misbehaviours/misbehaviour.js'
import { isBundle, isBy, isCreate, isSignUp, isUpdate, withoutOrigin } from './replies.js'
import {
  both,
  type Effect,
  field,
  isChange,
  mutant,
  pathOf,
  type When,
  withHeader,
} from './request-mutant.js'

// What a refused request leads to all the same, and how frameworks refuse requests by themselves.

/** A server that does what it refuses. */
const doesAllTheSame = (
  name: string,
  status: number,
  code: string,
  edit: (request: ProxyRequest, context: Parameters<Effect>[2]) => ProxyRequest,
  when: When = isChange,
) =>
  mutant(name, when, async (request, send, context) => {
    const response = await send(request)
    if (response.status === status && (codeOf(response) ?? '') === code) await send(edit(request, context))
    return response
  })
const changed = (request: ProxyRequest, fields: object): ProxyRequest =>
  withRequestJson(withType(request, 'application/json'), fields)
const someFields = (request: ProxyRequest) => ({
  ...(request.method === 'POST' && { name: `Refused ${crypto.randomUUID()}` }),
  description: `refused ${crypto.randomUUID()}`,
})
/** Errors of a status have another body where a framework makes them. */
const frameworkError = (
  name: string,
  when: When,
  status: number,
  edit: (json: Record<string, unknown>, request: ProxyRequest) => object,
) =>
  mutant(name, when, async (request, send) => {
    const response = await send(request)
    return response.status === status && response.text !== ''
      ? withJson(response, edit(Object(jsonOf(response)), request))
      : response
  })
const anywhere: When = ({ path }) => path.startsWith('/v1/')
const lacks = (name: string, header: string, status: number, value?: string) =>
  mutant(name, anywhere, async (request, send, context) => {
    const response = await send(request)
    return response.status === status
      ? withHeader(header, value)(request, async () => response, context)
      : response
  })

export const refusals: Misbehaviour[] = [
  doesAllTheSame(
    'what a caller without permission changes is refused, and done',
    403,
    'INSUFFICIENT_PERMISSIONS',
    (request, context) => changed(withCookie(request, context.cookieOf('acme-owner')), someFields(request)),
  ),
  doesAllTheSame('what nobody changes is refused, and done', 401, 'AUTH_REQUIRED', (request, context) =>
    changed(withCookie(request, context.cookieOf('acme-owner')), someFields(request)),
  ),
  doesAllTheSame(
    'what another site changes is refused, and done',
    403,
    'CROSS_SITE_REFUSED',
    (request, context) =>
      changed(withoutOrigin(withCookie(request, context.cookieOf('acme-owner'))), someFields(request)),
  ),
  doesAllTheSame(
    'what another team changes is refused, and done',
    404,
    'PROJECT_NOT_FOUND',
    (request, context) =>
      changed(
        withCookie(
          request,
          context.cookieOf(isBy('globex-owner')(request, context) ? 'acme-owner' : 'globex-owner'),
        ),
        someFields(request),
      ),
    isUpdate,
  ),
  doesAllTheSame('a body of another type is refused, and used', 415, 'VALIDATION_FAILED', (request) =>
    changed(request, someFields(request)),
  ),
  doesAllTheSame('a body that is too large is refused, and used', 413, 'VALIDATION_FAILED', (request) =>
    changed(request, someFields(request)),
  ),
  doesAllTheSame(
    'an unknown property is refused, and the others are used',
    422,
    'VALIDATION_FAILED',
    (request) => changed(request, someFields(request)),
    both(hasFields, (request) =>
      Object.keys(fieldsOf(request)).some((key) => !/^(name|description|status)$/.test(key)),
    ),
  ),
  doesAllTheSame(
    'a taken name is refused, and the description is used',
    409,
    'PROJECT_NAME_TAKEN',
    (request) => changed(request, { description: 'used' }),
    isUpdate,
  ),
  mutant(
    'a taken name is refused, and the project that has it is changed',
    isCreate,
    async (request, send) => {
      const response = await send(request)
      const other =
        response.status === 409 &&
        (await projectsFor(request, send)).find(
          ({ name }) => name.toLowerCase() === field(request, 'name').toLowerCase(),
        )
      if (other)
        await send({
          ...withRequestJson(request, { description: 'taken' }),
          method: 'PATCH',
          path: `/v1/projects/${other.id}`,
        })
      return response
    },
  ),
  mutant('an unknown id is refused, and a project is created', isUpdate, async (request, send) => {
    const response = await send(request)
    if (codeOf(response) === 'PROJECT_NOT_FOUND')
      await send({
        ...withRequestJson(request, { name: `Upserted ${crypto.randomUUID()}` }),
        method: 'POST',
        path: '/v1/projects',
      })
    return response
  }),
  frameworkError(
    'an unknown path has the time and the path, as in Spring',
    anywhere,
    404,
    (json, { path }) => ('code' in json && json.code === 'NOT_FOUND' ? { ...json, path } : json),
  ),
  frameworkError('a method that is not allowed has a detail, as in Django', anywhere, 405, (json) => ({
    detail: json.error,
  })),
  frameworkError(
    'a method that is not allowed at the session has a code',
    (request) => pathOf(request) === '/v1/auth/me',
    405,
    (json) => ({ ...json, code: 'METHOD_NOT_ALLOWED', docsUrl: 'https://example.com/METHOD_NOT_ALLOWED' }),
  ),
  frameworkError('another media type has a status in its body, as in Nest', isChange, 415, (json) => ({
    ...json,
    statusCode: 415,
  })),
  frameworkError('what is too large has the limit in its body, as in Express', isChange, 413, (json) => ({
    ...json,
    limit: 65536,
  })),
  frameworkError('a malformed body says where, as in FastAPI', isChange, 422, (json) =>
    json.details === null ? { ...json, details: { formErrors: ['Malformed'], fieldErrors: {} } } : json,
  ),
  frameworkError('a sign-up that is too large has another text', isSignUp, 413, () => ({ error: '' })),
  frameworkError('a sign-up that is not JSON says so', isSignUp, 400, () => ({ error: 'invalid_json' })),
  frameworkError('who is not signed in is told by the session with a message', isBundle, 401, (json) => ({
    ...json,
    message: 'Unauthorized',
  })),
  frameworkError('a page about an error is that of another code', isChange, 409, (json) => ({
    ...json,
    docsUrl: String(json.docsUrl)
      .replace(/PROJECT_NAME_TAKEN/i, 'VALIDATION_FAILED')
      .replace(/project-name-taken/i, 'validation-failed'),
  })),
  frameworkError('codes are in lower case where there is no permission', isChange, 403, (json) => ({
    ...json,
    code: String(json.code).toLowerCase(),
  })),
  lacks('a 404 has no nosniff', 'x-content-type-options', 404),
  lacks('a 405 may be cached', 'cache-control', 405, 'public'),
  lacks('a 413 has no policy', 'content-security-policy', 413),
  lacks('a 401 has a charset of its own', 'content-type', 401, 'application/json'),
  lacks('a 201 says that any origin may read', 'access-control-allow-origin', 201, '*'),
]
