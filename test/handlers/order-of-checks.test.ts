import { expect, test } from 'vitest'
import type { ErrorCode } from '../../src/contract/errors.js'
import { createApi } from '../../src/handlers/api.js'
import { emptyState, type State } from '../../src/store/state-file.js'
import { createMemoryStore } from '../store/memory/full-memory-store.js'

const project = (id: string, name: string) => ({
  id,
  name,
  description: null,
  status: 'active',
  teamId: 'team',
  createdAt: '2026-01-01T00:00:00.000Z',
})

const state: State = {
  ...emptyState(),
  teams: [{ id: 'team', name: 'Team', orgCode: 'org' }],
  projects: [project('mine', 'Mine'), project('other', 'Taken')],
}

const user = { id: 'ada', email: 'ada@example.com', givenName: 'Ada', familyName: 'Osei', picture: '' }

/** The faults that a request may have, in the order of the checks. */
const faults = [
  'AUTH_REQUIRED',
  'ONBOARDING_REQUIRED',
  'TEAM_MEMBERSHIP_REQUIRED',
  'INSUFFICIENT_PERMISSIONS',
  'EMPTY_QUERY_FILTER',
  'VALIDATION_FAILED',
  'PROJECT_NOT_FOUND',
  'PROJECT_NAME_TAKEN',
] as const satisfies ErrorCode[]

/** Runs an update with these faults. Returns the code of its reply. */
async function refusal(has: ReadonlySet<ErrorCode>): Promise<ErrorCode | undefined> {
  const api = createApi({
    now: () => new Date(),
    newId: () => 'new',
    onError: (error) => {
      throw error
    },
  })
  const team = has.has('TEAM_MEMBERSHIP_REQUIRED') ? undefined : state.teams[0]
  const body = has.has('VALIDATION_FAILED')
    ? '{'
    : `{"name":"${has.has('PROJECT_NAME_TAKEN') ? 'taken' : 'Free'}"}`
  const id = has.has('PROJECT_NOT_FOUND') ? 'unknown' : 'mine'
  const { code } = await api.call('updateProject', {
    store: createMemoryStore(state),
    params: { projectId: has.has('EMPTY_QUERY_FILTER') ? ' ' : id },
    query: () => '',
    contentType: 'application/json',
    bytes: async () => new TextEncoder().encode(body),
    session: async () => {
      if (has.has('AUTH_REQUIRED')) return undefined
      return {
        id: 'session',
        user,
        ...(!has.has('ONBOARDING_REQUIRED') && { orgCode: 'org', team }),
        permissions: has.has('INSUFFICIENT_PERMISSIONS') ? [] : ['update:projects'],
      }
    },
  })
  return code
}

const combinations = Array.from({ length: 2 ** faults.length }, (_, bits) =>
  faults.filter((_, i) => bits & (1 << i)),
)

test('of several faults, the first in the order of the checks is answered', async () => {
  for (const chosen of combinations) {
    expect(await refusal(new Set(chosen)), chosen.join()).toBe(chosen[0])
  }
})
