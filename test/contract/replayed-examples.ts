import { maxBodyBytes } from '../../src/contract/limits.js'
import type { Project } from '../../src/contract/schemas.js'

export type Caller = 'owner' | 'viewer' | 'no-organization' | 'no-team'

/** The callers of the replayed requests. */
export const callers: Record<Caller, { orgCode?: string; permissions: string[] }> = {
  owner: { orgCode: 'org_acme', permissions: ['create:projects', 'update:projects'] },
  viewer: { orgCode: 'org_acme', permissions: [] },
  'no-organization': { permissions: [] },
  'no-team': { orgCode: 'org_none', permissions: [] },
}

/** The differences of a request from the example of its operation, for a team that has the project. */
export type Replay = {
  as?: Caller | 'nobody'
  id?: string
  headers?: Record<string, string>
  /** The content type of the body, if the operation has one. */
  contentType?: string
  body?: string
  /** The projects of the team. */
  projects?(example: Project): Project[]
  /** The request is not valid HTTP. */
  malformed?: true
  /** No request leads to this response: it is forced in the mock, and production is made to fail. */
  forced?: true
}

const renamed = (project: Project, id: string, name: string) => ({ ...project, id, name })
const full = (project: Project) =>
  Array.from({ length: 10_000 }, (_, i) => (i === 0 ? project : renamed(project, `p-${i}`, `${i}`)))

/** The request for each example of openapi.json, by name. */
export const replays: Record<string, Replay> = {
  typical: {},
  AUTH_REQUIRED: { as: 'nobody' },
  ONBOARDING_REQUIRED: { as: 'no-organization' },
  TEAM_MEMBERSHIP_REQUIRED: { as: 'no-team' },
  INSUFFICIENT_PERMISSIONS: { as: 'viewer' },
  EMPTY_QUERY_FILTER: { id: '%20' },
  PROJECT_NOT_FOUND: { id: 'unknown' },
  PROJECT_NAME_TAKEN: {
    body: '{"name":"TAKEN"}',
    projects: (project) => [project, renamed(project, 'other', 'Taken')],
  },
  mediaType: { contentType: 'text/plain' },
  tooLarge: { body: ' '.repeat(maxBodyBytes + 1) },
  empty: { body: '' },
  notJson: { body: '{' },
  notAnObject: { body: '[]' },
  invalid: { body: '{"name":"","owner":"ada"}' },
  projects: { projects: full, body: '{"name":"New"}' },
  bytes: {
    projects: (project) => [
      project,
      { ...project, id: 'large', name: 'Large', description: 'x'.repeat(32 * 1024 * 1024) },
    ],
    body: '{"name":"A name that is longer"}',
  },
  CROSS_SITE_REFUSED: { headers: { origin: 'https://elsewhere.example' } },
  RATE_LIMITED: { forced: true },
  INTERNAL_ERROR: { forced: true },
  SERVICE_UNAVAILABLE: { forced: true },
  notHttp: { malformed: true },
  // The example of the default response.
  VALIDATION_FAILED: { malformed: true },
}
