import fixture from '../../fixtures/demo.json' with { type: 'json' }
import type { ReceivedResponse } from '../../src/verify/cases/case.js'
import { send, type Target } from '../../src/verify/runner/target.js'
import type { Call } from './sequences.js'
import type { Stored } from './start-dev-server.js'

// What a service answers, in a form that can be compared with what another one does.

export type ComparedTarget = Target & Stored

/** Makes the calls one after the other. Gives what was answered and what is stored, alike where they should be. */
export async function transcript(side: ComparedTarget, calls: readonly Call[]) {
  const made: string[] = []
  const answers: unknown[] = []
  for (const { request } of calls) {
    const answer = await send(side, request(made))
    const { project } = Object(answer.json) as { project?: { id: string } }
    if (answer.status === 201 && project) made.push(project.id)
    answers.push(normalizeResponse(side, answer, made))
  }
  const { projects, waitlist } = await side.stored()
  const emails = waitlist.map(({ email }) => email)
  return { answers, stored: { projects: unnamed(side, JSON.stringify(projects), made), emails } }
}

const compared = ['content-type', 'cache-control', 'allow', 'retry-after']

/** An answer with what differs from run to run put alike. */
export function normalizeResponse(side: ComparedTarget, { status, headers, text, json }: ReceivedResponse, made: readonly string[]) {
  const body = json === undefined ? text : unnamed(side, text, made)
  const isBundle = status === 200 && typeof body === 'object' && body !== null && 'organization' in body
  return {
    status,
    headers: Object.fromEntries(compared.map((name) => [name, headers[name]])),
    body: isBundle ? withoutMark(side, body) : body,
  }
}

/** The bundle without what marks the mock's (section 2.2), which has to be there in the mock and nowhere else. */
function withoutMark(side: ComparedTarget, body: object) {
  const { devMode, role, ...bundle } = body as { devMode?: unknown; role?: unknown }
  const isMarked = devMode === true && typeof role === 'string'
  const isBare = devMode === undefined && role === undefined
  if (!(side.mode === 'mock' ? isMarked : isBare)) throw new Error(`devMode is ${devMode}, role is ${role}`)
  return bundle
}

const known = new Set(fixture.projects.map(({ createdAt }) => createdAt))

/** Parses JSON in which ids are replaced by the order in which they were made, and new times by a word. */
function unnamed(side: ComparedTarget, text: string, made: readonly string[]): unknown {
  return JSON.parse(text, (key, value) => {
    if (typeof value !== 'string') return value
    if (key === 'createdAt') return known.has(value) ? value : 'new'
    if (key === 'docsUrl') return value.replace(side.baseUrl, '')
    return key === 'id' && made.includes(value) ? `made ${made.indexOf(value)}` : value
  })
}
