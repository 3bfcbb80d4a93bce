import * as z from 'zod'
import { type ErrorCode, errorDocsPath, operationalErrors } from '../contract/errors.js'
import { type Operation, operations } from '../contract/operations.js'
import { errorFormAt, route } from '../contract/route.js'
import { ErrorBody, Project, ShortErrorBody, ValidationDetails } from '../contract/schemas.js'
import type { CaseRequest, Reply } from './case.js'
import { Violation } from './expect.js'
import type { Target } from './target.js'

/** The operation that a request is for. */
export function operationOf({ method, path }: CaseRequest): Operation | undefined {
  const { operation } = route(method, path.split('?', 1)[0] ?? '')
  return operation && operations[operation]
}

/**
 * Checks what every response below /v1/ must satisfy, whatever the case: headers, and the form of its body (sections 2, 4
 * and 7).
 * @param sessions the values of the session cookies that were sent
 * @throws Violation
 */
export function checkEveryResponse(
  target: Target,
  request: CaseRequest,
  reply: Reply,
  sessions: readonly string[],
): void {
  const [path = ''] = request.path.split('?', 1)
  if (!path.startsWith('/v1/')) return
  const fail = (what: string): never => {
    throw new Violation(`${reply.to}: ${what}`)
  }
  const operation = operationOf(request)
  if (operation && reply.status === operation.success.status && !operation.success.schema) {
    if (reply.text !== '') fail(`a success without a body has one: ${reply.text}`)
    return
  }
  checkHeaders(target, request, reply, fail)
  // A session in a response ends up in logs and links. In the mock it is a name, which may be anywhere.
  const isRepeated = (session: string) => `${reply.text} ${Object.values(reply.headers)}`.includes(session)
  if (target.mode === 'production' && sessions.some(isRepeated)) fail('the response has the session')
  if (request.method === 'HEAD') {
    if (reply.text !== '') fail('the response to HEAD has a body')
    return
  }
  if (reply.json === undefined) fail(`the body is not JSON: ${reply.text.slice(0, 300)}`)
  if (reply.status < 400) checkSuccess(target, operation, reply, fail)
  else checkErrorBody(target, operation, path, reply, fail)
}

type Fail = (what: string) => never

/** The required values of headers; the empty text stands for an absent one. */
const interfaceHeaders = { 'content-type': /^application\/json\b/ }
const decidedHeaders = {
  'content-type': /^application\/json; charset=utf-8$/,
  // Caches must not store a caller's data.
  'cache-control': /^no-store$/,
  'clear-site-data': /^$/,
  'www-authenticate': /^$/,
  // No header names the software.
  'x-powered-by': /^$/,
  'set-cookie': /^(?!.*\bsession=)/,
}
/** Pages of other sites must not read a response. */
const noCors = { 'access-control-allow-origin': /^$/, 'access-control-allow-credentials': /^$/ }
/** Those of a server. A mock that answers the requests of its own page or process has none. */
const serverHeaders = {
  'x-content-type-options': /^nosniff$/,
  'cross-origin-resource-policy': /^same-origin$/,
  'content-security-policy': /default-src 'none'.*frame-ancestors 'none'/,
}

function checkHeaders(target: Target, { headers }: CaseRequest, reply: Reply, fail: Fail): void {
  const isOwnPage = headers?.origin === new URL(target.baseUrl).origin
  const rules = target.interfaceOnly
    ? interfaceHeaders
    : { ...decidedHeaders, ...(target.isServer && serverHeaders), ...(!isOwnPage && noCors) }
  for (const [name, rule] of Object.entries(rules)) {
    if (!rule.test(reply.headers[name] ?? '')) fail(`header ${name} is ${reply.headers[name] ?? 'absent'}`)
  }
}

/** A success has the status and schema of the operation. */
function checkSuccess(
  { mode, interfaceOnly }: Target,
  operation: Operation | undefined,
  { status, json, headers }: Reply,
  fail: Fail,
): void {
  if (!operation) return
  const { success } = operation
  if (status !== success.status) fail(`status ${status} of a success, expected ${success.status}`)
  const { error } = success.schema?.safeParse(json) ?? {}
  if (error) fail(`the body breaks its schema: ${error.message}`)
  // Only the mock emits devMode, and role together with it (sections 2.2, 5.4): the schema has the second rule.
  const isMarked = 'devMode' in Object(json)
  if (operation === operations.getSession && isMarked !== (mode === 'mock'))
    fail(`the bundle has ${isMarked ? 'a' : 'no'} devMode in ${mode} mode`)
  if (operation === operations.listProjects) checkOrder(Object(json).projects, fail)
  if (operation === operations.createProject && !interfaceOnly)
    checkNewProject(Object(json).project, headers.date, fail)
}

/** A list has each project once, the newest first (section 4.2). */
function checkOrder(projects: Project[], fail: Fail): void {
  const times = projects.map(({ createdAt }) => Date.parse(createdAt))
  if (!times.every((time, i) => time <= (times[i - 1] ?? time))) fail('the list is not newest first')
  if (new Set(projects.map(({ id }) => id)).size < projects.length) fail('the list has an id twice')
}

/** In milliseconds; clocks of nodes and databases may differ. */
const clockTolerance = 60_000

/** A new project was created now; its id is a UUID version 7, its time RFC 3339 in UTC with milliseconds. */
const NewProject = Project.extend({
  id: z.uuidv7(),
  createdAt: z.iso.datetime({ precision: 3, offset: false }),
})
function checkNewProject(project: Project, date: string | undefined, fail: Fail): void {
  const { id, createdAt } = project
  if (!NewProject.safeParse(project).success) fail(`id or createdAt has another form: ${id}, ${createdAt}`)
  const now = date === undefined ? Date.now() : Date.parse(date)
  const timeOfId = Number.parseInt(id.replace('-', '').slice(0, 12), 16)
  if ([Date.parse(createdAt), timeOfId].some((time) => Math.abs(time - now) > clockTolerance))
    fail(`the project ${id} of ${createdAt} was created at ${new Date(now).toISOString()}`)
}

/** Places in a program, queries and serialised objects, by which an error tells how the service is made. */
const internals =
  /[\r\n]|^\s*[[{]|:\d+:\d+|\bat [\w.<>$]+ \(|node_modules|\.(js|ts|py|rb|go|java|php):\d|\b(SELECT|INSERT INTO|UPDATE|DELETE FROM) .*\b(FROM|VALUES|SET|WHERE)\b|SQLITE_|Exception\b|\b[A-Z][a-z]+Error:/
// A message is for people (section 2.4): neither blank nor a stack.
const message = z
  .string()
  .regex(/\S/)
  .refine((text) => !internals.test(text), { error: 'no message for people' })
const FullError = ErrorBody.extend({ error: message })
const ShortError = ShortErrorBody.extend({ error: message })
const details = ValidationDetails.extend({
  formErrors: z.array(message),
  fieldErrors: z.record(z.string(), z.array(message).min(1)),
})
const ValidationError = FullError.extend({ details: details.nullable() })

/** A failure has the error body of its path and status (section 7), with a code or text that the operation declares. */
function checkErrorBody(
  { interfaceOnly }: Target,
  operation: Operation | undefined,
  path: string,
  { status, json, text }: Reply,
  fail: Fail,
): void {
  const isShort = errorFormAt(path) === 'short'
  const schema = isShort ? ShortError : status === 422 ? ValidationError : FullError
  const body: Record<string, string> = schema.safeParse(json).success
    ? Object(json)
    : fail(`the error has another form: ${text.slice(0, 300)}`)
  const fixed = operation?.errorTexts?.[status]
  if (fixed !== undefined && body.error !== fixed) fail(`the error is ${body.error}, expected ${fixed}`)
  if (isShort) return
  const { code = '', docsUrl = '' } = body
  const declared: readonly string[] = [...(operation?.errors ?? []), ...Object.keys(operationalErrors)]
  if (operation && !declared.includes(code)) fail(`the code ${code} is not declared`)
  if (!interfaceOnly && !docsUrl.endsWith(errorDocsPath(code as ErrorCode))) fail(`docsUrl is ${docsUrl}`)
}
