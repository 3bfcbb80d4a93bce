import { nameKey } from '../../../src/contract/project-name.js'
import { type ProxyRequest, type ProxyResponse, type Send, withJson } from '../broken-server-proxy.js'
import {
  type Context,
  cookieOf,
  get,
  nameTaken,
  projectsFor,
  withText,
} from '../misbehaviours/misbehaviour.js'
import { type Effect, field, is, isChange, mutant, pathOf, type When } from './request-mutant.js'

// What broken servers answer instead.

/** Answers with a status and JSON, and the headers of other responses. */
export const reply =
  (status: number, json: unknown): Effect =>
  async (request, send) => ({ ...withJson(await send(get(request)), json), status })

/** Refuses a request with an error body. */
export const refuse = (status: number, code = 'VALIDATION_FAILED'): Effect =>
  reply(status, {
    error: 'The request was refused.',
    code,
    docsUrl: `https://docs.example/errors/${code}`,
    ...(status === 422 && { details: null }),
  })

/** Refuses an address. */
export const refuseAddress: Effect = reply(422, { error: 'email_required' })

/** Answers as if another body had been sent, as JSON. */
export const withBody =
  (edit: (text: string) => string): Effect =>
  (request, send) =>
    send(
      withText(
        {
          ...request,
          headers: [
            ...request.headers.filter(([name]) => !/^content-(type|length|encoding)$/i.test(name)),
            ['content-type', 'application/json'],
          ],
        },
        edit(new TextDecoder('utf-8', { ignoreBOM: true }).decode(request.body)),
      ),
    )

/** Answers as if another path had been asked for. */
export const atPath =
  (edit: (path: string) => string): Effect =>
  (request, send) =>
    send({ ...request, path: edit(request.path) })

/** The id in the path of an update. */
export const idOf = (request: ProxyRequest) => pathOf(request).replace(/^\/v1\/projects\/?/, '')

const others = async (request: ProxyRequest, send: Send) =>
  (await projectsFor(request, send)).filter(({ id }) => id !== idOf(request))

/** A server that takes more names for the same than it should. */
export const takesForTheSame = (name: string, fold: (name: string) => string) =>
  mutant(
    name,
    (request) => isChange(request) && field(request, 'name') !== '',
    async (request, send) => {
      const name = field(request, 'name')
      const taken = (await others(request, send)).some(
        (other) => nameKey(other.name) !== nameKey(name) && fold(other.name) === fold(name),
      )
      return taken ? nameTaken(request, send) : send(request)
    },
  )

/** A server that takes fewer names for the same than it should. */
export const takesForDifferent = (name: string, fold: (name: string) => string) =>
  mutant(
    name,
    (request) => isChange(request) && field(request, 'name') !== '',
    async (request, send) => {
      const name = field(request, 'name')
      const same = (await others(request, send)).filter((other) => nameKey(other.name) === nameKey(name))
      if (same.length === 0 || same.some((other) => fold(other.name) === fold(name))) return send(request)
      const response: ProxyResponse = await withBody((body) =>
        JSON.stringify({ ...JSON.parse(body), name: `${name} ${crypto.randomUUID()}` }),
      )(request, send, none)
      const { project } = JSON.parse(response.text)
      return withJson(response, project ? { project: { ...project, name } } : JSON.parse(response.text))
    },
  )

export const isUpdate = is('updateProject')
export const isCreate = is('createProject')
export const isSignUp = is('joinWaitlist')

/** A server that answers in another way where it would have a status. */
export const whenStatus = (
  when: When,
  status: number,
  effect: (
    response: ProxyResponse,
    request: ProxyRequest,
    send: Send,
  ) => ProxyResponse | Promise<ProxyResponse>,
  name: string,
) =>
  mutant(name, when, async (request, send) => {
    const response = await send(request)
    return response.status === status ? effect(response, request, send) : response
  })

/** What a path has to match. */
export const path =
  (pattern: RegExp): When =>
  (request) =>
    pattern.test(pathOf(request))
export const isBy =
  (...personas: Parameters<Context['cookieOf']>[0][]): When =>
  (request, context) =>
    personas.some((persona) => cookieOf(request) === context.cookieOf(persona))
export const withoutOrigin = (request: ProxyRequest): ProxyRequest => ({
  ...request,
  headers: request.headers.filter(([name]) => !/^(origin|sec-fetch-.*)$/i.test(name)),
})
/** The project that an update is about. */
export const ownOf = async (request: ProxyRequest, send: Send) =>
  (await projectsFor(request, send)).find(({ id }) => id === idOf(request))
export const isList = is('listProjects')
export const isBundle = is('getSession')
/** For an effect that does not use the context. */
export const none = undefined as never
