import * as z from 'zod'
import { type ErrorCode, errorDocsPath, operationalErrors } from '../../contract/errors.js'
import { operations } from '../../contract/operations.js'
import { errorFormAt } from '../../contract/route.js'
import { ErrorBody, Project, ShortErrorBody, ValidationDetails } from '../../contract/schemas.js'
import type { Observed } from './observe.js'
import type { Target } from './target.js'

/**
 * Checks what every response below /v1/ must satisfy in any case, and of others that a redirect has a target. Yields
 * the violations, one sentence each. Where an error links to its page is added to the target.
 */
export function* checkInvariants(target: Target, observed: Observed): Generator<string> {
  const { request, path, operation, isSuccess, response } = observed
  const { status, headers, text } = response
  if (!path.startsWith('/v1/')) {
    if (status > 300 && status < 304 && !('location' in headers)) yield 'the redirect has no location'
    return
  }
  if (isSuccess && !operation?.success.schema) {
    if (text !== '') yield `a success without a body has one: ${text}`
    return
  }
  yield* headerFaults(target, observed)
  if (!target.interfaceOnly) yield* leaks(observed)
  if (request.method === 'HEAD') {
    if (text !== '') yield 'the response to HEAD has a body'
    return
  }
  if (response.json === undefined) yield `the body is not JSON, or has a key twice: ${text.slice(0, 300)}`
  if (status < 400) yield* successFaults(target, observed)
  else yield* errorFaults(target, observed)
}

/** What headers have to be; the empty text stands for one that is absent. Every body is JSON (section 4). */
const jsonType = { 'content-type': /^application\/json\b/ }
const decidedHeaders = {
  'content-type': /^application\/json; charset=utf-8$/,
  // Caches must not store a caller's data, and pages of other sites must not read it.
  'cache-control': /^no-store$/,
  'access-control-allow-origin': /^$/,
  'access-control-allow-credentials': /^$/,
  'access-control-expose-headers': /^$/,
  'clear-site-data': /^$/,
  'www-authenticate': /^$/,
  'set-cookie': /^(?!.*\bsession=)/,
}
/** Those of a server. A mock that answers the requests of its own page or process has none. */
const serverHeaders = {
  ...decidedHeaders,
  'x-content-type-options': /^nosniff$/,
  'cross-origin-resource-policy': /^same-origin$/,
  'content-security-policy': /default-src 'none'.*frame-ancestors 'none'/,
}

function* headerFaults({ isServer, interfaceOnly }: Target, observed: Observed): Generator<string> {
  const { request, response } = observed
  const { headers } = response
  const isOwnPage = request.headers?.origin === '{origin}'
  const rules = interfaceOnly ? jsonType : isServer ? serverHeaders : decidedHeaders
  for (const [name, rule] of Object.entries(rules)) {
    if (isOwnPage && name.startsWith('access-control-')) continue
    if (!rule.test(headers[name] ?? '')) yield `${name} is ${headers[name] ?? 'absent'}`
  }
}

/** A response does not repeat a session: it ends up in logs and links. */
function* leaks({ sent, response: { text, headers } }: Observed): Generator<string> {
  for (const [name, cookie] of sent.headers) {
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
  { mode, interfaceOnly }: Target,
  { operation, response }: Observed,
): Generator<string> {
  if (!operation) return
  const { status, json, headers } = response
  const { success } = operation
  if (status !== success.status) yield `success has the status ${status}`
  const { error } = success.schema?.safeParse(json) ?? {}
  if (error) return yield `the success body breaks its schema: ${error.message}`
  // Only the mock emits devMode, and role together with it (sections 2.2, 5.4): the schema has the second rule.
  const isMarked = 'devMode' in Object(json)
  if (operation === operations.getSession && isMarked !== (mode === 'mock'))
    yield `the bundle has ${isMarked ? 'a' : 'no'} devMode in ${mode} mode`
  if (operation === operations.listProjects) yield* listFaults(Object(json).projects)
  if (operation === operations.createProject)
    yield* timeFaults(Object(json).project, headers.date, interfaceOnly)
}

/** A list has each project once, the newest first (section 4.2). */
function* listFaults(projects: Project[]): Generator<string> {
  const times = projects.map(({ createdAt }) => Date.parse(createdAt))
  if (!times.every((time, i) => time <= (times[i - 1] ?? time))) yield 'the list is not newest first'
  const ids = new Set(projects.map(({ id }) => id))
  if (ids.size < projects.length || ids.has('')) yield 'the list has no id or the same one twice'
}

/** In milliseconds; clocks of nodes and databases may differ. */
const clockTolerance = 60_000

/** A project whose id is a UUID version 7 and whose time is RFC 3339 in UTC with milliseconds. */
const NewProject = Project.extend({
  id: z.uuidv7(),
  createdAt: z.iso.datetime({ precision: 3, offset: false }),
})

/** A new project was created now (section 2.1), and its id has the same time. */
function* timeFaults(project: Project, date: string | undefined, interfaceOnly = false): Generator<string> {
  const { id, createdAt } = project
  const now = date === undefined ? Date.now() : Date.parse(date)
  const timeOfId = Number.parseInt(id.replace('-', '').slice(0, 12), 16)
  const times = interfaceOnly ? [Date.parse(createdAt)] : [Date.parse(createdAt), timeOfId]
  if (!times.every((time) => Math.abs(time - now) <= clockTolerance))
    yield `the project ${id} of ${createdAt} was created at ${new Date(now).toISOString()}`
  if (!interfaceOnly && !NewProject.safeParse(project).success)
    yield `id or createdAt is of another form: ${id}, ${createdAt}`
}

// No message is blank.
const message = z.string().regex(/\S/)
const FullError = ErrorBody.extend({ error: message })
const ShortError = ShortErrorBody.extend({ error: message })
const details = ValidationDetails.extend({
  formErrors: z.array(message),
  fieldErrors: z.record(z.string(), z.array(message).min(1)),
})
const ValidationError = FullError.extend({ details: details.nullable() })

/** A failure has the error body of its path and status (section 7), with a code or text that the operation declares. */
function* errorFaults({ interfaceOnly, docsBases }: Target, observed: Observed): Generator<string> {
  const { operation, path, response } = observed
  const { status, json, text } = response
  const isShort = errorFormAt(path) === 'short'
  const schema = isShort ? ShortError : status === 422 ? ValidationError : FullError
  const body = schema.safeParse(json).data as z.infer<typeof FullError | typeof ShortError> | undefined
  if (!body) return yield `the form of the error is wrong: ${text.slice(0, 300)}`
  const fixed = operation?.errorTexts?.[status]
  if (fixed !== undefined && body.error !== fixed) yield `the error is ${body.error}, and not ${fixed}`
  if (!('code' in body)) return
  const declared: readonly string[] = [...(operation?.errors ?? []), ...Object.keys(operationalErrors)]
  if (operation && !declared.includes(body.code)) yield `the code ${body.code} is not declared`
  if (interfaceOnly) return
  const page = errorDocsPath(body.code as ErrorCode)
  if (!body.docsUrl.endsWith(page)) return yield `docsUrl is ${body.docsUrl}`
  docsBases.add(body.docsUrl.slice(0, -page.length))
}
