import { type ErrorCode, errorDocsPath, operationalErrors } from '../../contract/errors.js'
import { type Operation, operations } from '../../contract/operations.js'
import { errorFormAt, route } from '../../contract/route.js'
import { ErrorBody, ProjectReply, ShortErrorBody, ValidationErrorBody } from '../../contract/schemas.js'
import type { CaseRequest, Mode, ReceivedResponse } from '../cases/case.js'
import { checkDocsPage } from './docs-pages.js'
import { resolveRequest, type Target } from './target.js'

/**
 * Checks what every response below /v1/ must satisfy in any case, and of others that a redirect has a target. Returns
 * the violations, one sentence each.
 */
export async function checkInvariants(
  target: Target,
  request: CaseRequest,
  response: ReceivedResponse,
): Promise<string[]> {
  const path = request.path.split('?', 1)[0] ?? ''
  if (!path.startsWith('/v1/')) return redirectFaults(response)
  const { operation } = route(request.method, path)
  const success: Operation['success'] | undefined = operation && operations[operation].success
  if (success && !success.schema && response.status === success.status)
    return response.text === '' ? [] : [`a success without a body has one: ${response.text}`]
  const faults = [...typeFaults(response, target.interfaceOnly)]
  if (!target.interfaceOnly)
    faults.push(...headerFaults(response, request, target), ...leaks(target, request, response))
  if (request.method === 'HEAD')
    return response.text === '' ? faults : [...faults, 'the response to HEAD has a body']
  faults.push(
    ...(response.status < 400
      ? successFaults(response, request.method, path, target)
      : errorFaults(response, request.method, path)),
  )
  const { data } = ErrorBody.loose().safeParse(response.json)
  if (target.interfaceOnly || response.status < 400 || !data) return faults
  if (!data.docsUrl.endsWith(errorDocsPath(data.code as ErrorCode))) faults.push(`docsUrl is ${data.docsUrl}`)
  const checkDocs = target.checkDocs ?? ((docsUrl, code) => checkDocsPage(target.fetch, docsUrl, code))
  return [...faults, ...(await checkDocs(data.docsUrl, data.code))]
}

const redirectFaults = ({ status, headers }: ReceivedResponse): string[] =>
  status > 300 && status < 304 && !('location' in headers) ? ['the redirect has no location'] : []

/** Every body is JSON (section 4). */
function* typeFaults({ headers }: ReceivedResponse, interfaceOnly = false): Generator<string> {
  const expected = interfaceOnly ? /^application\/json\b/ : /^application\/json; charset=utf-8$/
  if (!expected.test(headers['content-type'] ?? '')) yield `content-type is ${headers['content-type']}`
}

/** The security headers of a server. A mock that answers the requests of its own page or process has none. */
const securityHeaders: Record<string, RegExp> = {
  'x-content-type-options': /^nosniff$/,
  'cross-origin-resource-policy': /^same-origin$/,
  'content-security-policy': /default-src 'none'.*frame-ancestors 'none'/,
}

/** Caches must not store a caller's data, and pages of other sites must not read it. */
function* headerFaults(
  { headers }: ReceivedResponse,
  request: CaseRequest,
  { raw: isServer }: Target,
): Generator<string> {
  if (headers['cache-control'] !== 'no-store') yield `cache-control is ${headers['cache-control']}`
  for (const [name, expected] of Object.entries(isServer ? securityHeaders : {})) {
    if (!expected.test(headers[name] ?? '')) yield `${name} is ${headers[name]}`
  }
  const isOwnPage = request.headers?.origin === '{origin}'
  for (const name of ['access-control-allow-origin', 'www-authenticate']) {
    if (name in headers && !(isOwnPage && name === 'access-control-allow-origin'))
      yield `there is a header ${name}: ${headers[name]}`
  }
  if (/\bsession=/.test(headers['set-cookie'] ?? '')) yield 'the response sets the session cookie'
}

/** A response does not repeat a session: it ends up in logs and links. */
function* leaks(
  target: Target,
  request: CaseRequest,
  { text, headers }: ReceivedResponse,
): Generator<string> {
  for (const [name, cookie] of resolveRequest(target, request).headers) {
    const session = name === 'cookie' ? cookie.replace('session=', '') : ''
    // A shorter one is a word, as `expired` is in the mock.
    if (session.length < 10) continue
    if (text.includes(session)) yield 'the body has the session'
    for (const [header, value] of Object.entries(headers)) {
      if (value.includes(session)) yield `the header ${header} has the session`
    }
  }
}

/** A success has the status and schema of the operation. */
function* successFaults(
  { status, json, text, headers }: ReceivedResponse,
  method: string,
  path: string,
  { mode, interfaceOnly }: Target,
): Generator<string> {
  if (json === undefined) yield `the body is not JSON: ${text.slice(0, 300)}`
  const { operation } = route(method, path)
  if (!operation) return
  const { success }: Operation = operations[operation]
  if (status !== success.status) yield `success has the status ${status}`
  const { error } = success.schema?.safeParse(json) ?? {}
  if (error) yield `the success body breaks its schema: ${error.message}`
  if (operation === 'getSession') yield* mockFieldFaults(Object(json), mode)
  if (operation === 'createProject') yield* timeFaults(json, headers.date, interfaceOnly)
}

/** The mock emits devMode and role together, production emits neither (sections 2.2, 5.4). */
function* mockFieldFaults(bundle: object, mode: Mode): Generator<string> {
  for (const field of ['devMode', 'role']) {
    if (field in bundle !== (mode === 'mock'))
      yield `the bundle has ${field in bundle ? 'a' : 'no'} ${field} in ${mode} mode`
  }
}

/** In milliseconds; clocks of nodes and databases may differ. */
const clockTolerance = 60_000

/** A new project was created now (section 2.1), and its id has the same time. */
function* timeFaults(json: unknown, date: string | undefined, interfaceOnly = false): Generator<string> {
  const { id = '', createdAt = '' } = ProjectReply.safeParse(json).data?.project ?? {}
  const now = date === undefined ? Date.now() : Date.parse(date)
  const isNow = (ms: number) => Math.abs(ms - now) <= clockTolerance
  if (!isNow(Date.parse(createdAt))) yield `createdAt is ${createdAt} at ${new Date(now).toISOString()}`
  const idTime = Number.parseInt(id.replace('-', '').slice(0, 12), 16)
  if (!interfaceOnly && !isNow(idTime))
    yield `the id ${id} has another time than ${new Date(now).toISOString()}`
}

/** A failure has the error body of its path and status (section 7), with a code that the operation declares. */
function* errorFaults(
  { status, json, text }: ReceivedResponse,
  method: string,
  path: string,
): Generator<string> {
  if (json === undefined) yield `the body is not JSON: ${text.slice(0, 300)}`
  const schema =
    errorFormAt(path) === 'short' ? ShortErrorBody : status === 422 ? ValidationErrorBody : ErrorBody
  if (!schema.safeParse(json).success) yield `the form of the error is wrong: ${text.slice(0, 300)}`
  const { operation } = route(method, path)
  const { code } = Object(json) as { code?: string }
  const declared: readonly string[] = [
    ...(operation ? operations[operation].errors : []),
    ...Object.keys(operationalErrors),
  ]
  if (operation && code !== undefined && !declared.includes(code)) yield `the code ${code} is not declared`
}
