import type { ErrorCode } from '../contract/errors.js'
import type { OperationName } from '../contract/operations.js'
import type { ValidationDetails } from '../contract/schemas.js'

/** A request to the mock with the demo fixture that fails with a code. */
export type ErrorExample = {
  method: string
  path: string
  /** The persona whose cookie is sent. */
  persona: string
  /** Undefined for a path or method without an operation. */
  operation?: OperationName
  /** The body, sent as JSON. */
  json?: object
  details?: ValidationDetails
  /** The error occurs only if a Prefer header forces it. */
  forced?: true
}

const create = { method: 'POST', path: '/v1/projects', operation: 'createProject' } as const
const update = { method: 'PATCH', operation: 'updateProject' } as const
const list = { method: 'GET', path: '/v1/projects', operation: 'listProjects' } as const
const forcedExample: ErrorExample = { ...list, persona: 'acme-owner', forced: true }
const roadmap = { name: 'Roadmap' }

const examples: Partial<Record<ErrorCode, ErrorExample>> = {
  AUTH_REQUIRED: { ...list, persona: 'expired' },
  ONBOARDING_REQUIRED: { ...create, persona: 'no-organization', json: roadmap },
  TEAM_MEMBERSHIP_REQUIRED: { ...create, persona: 'no-team', json: roadmap },
  INSUFFICIENT_PERMISSIONS: { ...create, persona: 'acme-viewer', json: roadmap },
  EMPTY_QUERY_FILTER: { ...update, path: '/v1/projects/%20', persona: 'acme-owner', json: roadmap },
  VALIDATION_FAILED: {
    ...create,
    persona: 'acme-owner',
    json: { name: '' },
    details: { formErrors: [], fieldErrors: { name: ['Must not be empty'] } },
  },
  PROJECT_NOT_FOUND: { ...update, path: '/v1/projects/unknown', persona: 'acme-owner', json: roadmap },
  PROJECT_NAME_TAKEN: { ...create, persona: 'acme-owner', json: { name: 'Website relaunch' } },
  CROSS_SITE_REFUSED: { ...create, persona: 'acme-owner', json: roadmap, forced: true },
  NOT_FOUND: { method: 'GET', path: '/v1/nothing', persona: 'acme-owner' },
  METHOD_NOT_ALLOWED: { method: 'DELETE', path: '/v1/projects', persona: 'acme-owner' },
}

export const errorExample = (code: ErrorCode): ErrorExample => examples[code] ?? forcedExample
