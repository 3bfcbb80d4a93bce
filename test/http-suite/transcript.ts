import fixture from '../../fixtures/demo.json' with { type: 'json' }
import type { CaseRequest, ReceivedResponse } from '../../src/conformance/cases/case.js'
import { send, type Target } from '../../src/conformance/runner/target.js'
import { sendWithFetch } from './send-with-fetch.js'
import type { Call } from './sequences.js'
import type { Stored } from './start-dev-server.js'

// The responses of a service, normalised so that they can be compared with those of another one.

export type ComparedTarget = Target & Stored

/** Sends a request as pages do: `fetch` rewrites some paths. */
export const sendByFetch = (target: ComparedTarget, request: CaseRequest) =>
  send({ ...target, send: sendWithFetch(target.fetch) }, request)

/** Makes the calls in sequence. Returns the normalised responses and the normalised stored data. */
export async function transcript(target: ComparedTarget, calls: readonly Call[]) {
  const createdIds: string[] = []
  const responses: unknown[] = []
  for (const { request } of calls) {
    const response = await sendByFetch(target, request(createdIds))
    noteCreated(response, createdIds)
    responses.push(normalizeResponse(target, response, createdIds))
  }
  const { projects, waitlist } = await target.stored()
  const emails = waitlist.map(({ email }) => email)
  return {
    responses,
    stored: { projects: normalizeJson(target, JSON.stringify(projects), createdIds), emails },
  }
}

/** Appends the id of the project that a response has created, if any. */
export function noteCreated({ status, json }: ReceivedResponse, createdIds: string[]): void {
  const { project } = Object(json) as { project?: { id: string } }
  if (status === 201 && project) createdIds.push(project.id)
}

const comparedHeaders = ['content-type', 'cache-control', 'allow', 'retry-after']

/** A response without what differs from run to run. */
export function normalizeResponse(
  target: ComparedTarget,
  { status, headers, text, json }: ReceivedResponse,
  createdIds: readonly string[],
) {
  const body = json === undefined ? text : normalizeJson(target, text, createdIds)
  const isBundle = status === 200 && typeof body === 'object' && body !== null && 'organization' in body
  return {
    status,
    headers: Object.fromEntries(comparedHeaders.map((name) => [name, headers[name]])),
    body: isBundle ? withoutMockFields(target, body) : body,
  }
}

/** The bundle without `devMode` and `role` (section 2.2), which the mock must set and production must not. */
function withoutMockFields(target: ComparedTarget, body: object) {
  const { devMode, role, ...bundle } = body as { devMode?: unknown; role?: unknown }
  const isMock = devMode === true && typeof role === 'string'
  const isProduction = devMode === undefined && role === undefined
  if (!(target.mode === 'mock' ? isMock : isProduction))
    throw new Error(`devMode is ${devMode}, role is ${role}`)
  return bundle
}

const fixtureTimes = new Set(fixture.projects.map(({ createdAt }) => createdAt))

/** Parses JSON, with new ids replaced by the order of their creation, and new times by a constant. */
function normalizeJson(target: ComparedTarget, text: string, createdIds: readonly string[]): unknown {
  return JSON.parse(text, (key, value) => {
    if (typeof value !== 'string') return value
    if (key === 'createdAt') return fixtureTimes.has(value) ? value : 'new'
    if (key === 'docsUrl') return value.replace(target.baseUrl, '')
    return key === 'id' && createdIds.includes(value) ? `created ${createdIds.indexOf(value)}` : value
  })
}
