import { operations } from '../contract/operations.js'
import { parseJson } from '../contract/parse-json.js'
import { ProjectListReply, ProjectReply, SessionBundle } from '../contract/schemas.js'
import { type Caller, callerNames } from './callers.js'
import type { Case, CaseRequest, Reply, Service } from './case.js'
import { checkEveryResponse, operationOf } from './every-response.js'
import { expectEqual, expectStatus, Violation } from './expect.js'
import { bundle, create, list, update, utf8 } from './requests.js'
import { type SentRequest, type Target, Unsendable } from './target.js'

/** The result of a case: `failure` has the expected and the received value, `skipped` the reason why it cannot be played. */
export type Outcome = { failure?: string; skipped?: string }

/** Is told of each response. */
export type Watch = (request: CaseRequest, reply: Reply) => void

/** Plays a case against a running service. */
export async function play(target: Target, testCase: Case, watch: Watch = () => {}): Promise<Outcome> {
  try {
    await testCase.play(createService(target, testCase, watch))
    return {}
  } catch (error) {
    if (error instanceof Unsendable) return { skipped: error.message }
    if (error instanceof Violation) return { failure: error.message }
    throw error
  }
}

function createService(target: Target, testCase: Case, watch: Watch): Service {
  const cookieOf = (as: Caller): string => {
    const cookie = target.cookieOf(as)
    if (cookie === undefined) throw new Unsendable(`no cookie of ${as} was given`)
    return cookie
  }
  const newName = (text = 'verify') => `${text} ${crypto.randomUUID()}`

  const send = async (request: CaseRequest): Promise<Reply> => {
    if (!testCase.write && !/^(GET|HEAD)$/.test(request.method))
      throw new Error(`"${testCase.title}" sends ${request.method} and is no case that writes`)
    const sent = toSent(target, request, cookieOf)
    const to = describe(target, request)
    const received = await target.send(sent).catch((error) => {
      if (error instanceof Unsendable) throw error
      throw new Violation(`${to}: no response: ${error.message}`)
    })
    const reply = { ...received, to }
    watch(request, reply)
    checkEveryResponse(target, request, reply, sessionsIn(sent))
    return reply
  }

  /** The body of a success. */
  const succeed = async (request: CaseRequest): Promise<{ reply: Reply; json: unknown }> => {
    const reply = await send(request)
    expectStatus(reply, operationOf(request)?.success.status ?? 200)
    return { reply, json: reply.json }
  }
  const projectsOf: Service['projectsOf'] = async (as) =>
    ProjectListReply.parse((await succeed(list(as))).json).projects

  return {
    mode: target.mode,
    baseUrl: target.baseUrl,
    origin: new URL(target.baseUrl).origin,
    cookieOf,
    send,
    newName,
    projectsOf,
    bundleOf: async (as) => SessionBundle.parse((await succeed(bundle(as))).json),
    async newProject(fields, as = 'owner') {
      const body = { name: newName(), ...fields }
      const { json, reply } = await succeed(create(as, body))
      const { project } = ProjectReply.parse(json)
      const { id, teamId, createdAt } = project
      const expected = { id, teamId, createdAt, description: null, status: 'active', ...body }
      expectEqual(project, expected, `${reply.to}: the project`)
      return project
    },
    async change(project, fields, as = 'owner') {
      const { json, reply } = await succeed(update(as, project.id, fields))
      const changed = ProjectReply.parse(json).project
      expectEqual(changed, { ...project, ...fields }, `${reply.to}: the project`)
      return changed
    },
  }
}

/** A request with all its headers. */
export function toSent(
  target: Pick<Target, 'baseUrl'>,
  request: CaseRequest,
  cookieOf: (as: Caller) => string,
): SentRequest {
  const { method, path, as, json, bytes, type = 'application/json', chunked = false, raw = false } = request
  const content = json === undefined ? bytes : JSON.stringify(json)
  const body = typeof content === 'string' ? utf8(content) : content
  const cookies = request.cookies ?? (as ? [cookieOf(as)] : [])
  const headers = { ...(body && type !== null && { 'content-type': type }), ...request.headers }
  return {
    method,
    url: target.baseUrl + path,
    path: new URL(target.baseUrl).pathname.replace(/\/$/, '') + path,
    headers: [...cookies.map((cookie): [string, string] => ['cookie', cookie]), ...Object.entries(headers)],
    ...(body && { body }),
    chunked,
    raw,
  }
}

/** The values of session cookies that were sent whole. */
const sessionsIn = ({ headers }: SentRequest): string[] =>
  headers.flatMap(([name, value]) => {
    const session = name === 'cookie' ? /^session=([^;]{20,})$/.exec(value)?.[1] : undefined
    return session ?? []
  })

/**
 * A request in a message: the caller, and the start of its body. Messages end up in the logs of a CI job: they have no
 * session. In the mock a session is a name.
 */
function describe({ mode, cookieOf }: Target, { method, path, as, json, bytes }: CaseRequest): string {
  const sessions = mode === 'mock' ? [] : callerNames.flatMap((name) => cookieOf(name) ?? [])
  const hide = (text: string) =>
    sessions.reduce((shown, session) => shown.replaceAll(session.replace('session=', ''), '…'), text)
  const body = json === undefined ? bytes : JSON.stringify(json)
  const sent = typeof body === 'string' ? ` with ${JSON.stringify(hide(body).slice(0, 80))}` : ''
  return `${method} ${hide(path).slice(0, 80)}${as ? ` as ${as}` : ''}${sent}`
}

/** The record that a response has created: a project, or an entry of the waitlist, whose address is trimmed and lower-cased. */
export function createdBy(request: CaseRequest, { status, json }: Reply) {
  const operation = operationOf(request)
  if (status !== operation?.success.status) return {}
  if (operation === operations.createProject) return { project: ProjectReply.safeParse(json).data?.project }
  if (operation !== operations.joinWaitlist) return {}
  const text = typeof request.bytes === 'string' ? request.bytes : JSON.stringify(request.json)
  return { address: `${Object(parseJson(text ?? '')).email}`.trim().toLowerCase() }
}
