import type { ErrorCode } from '../../contract/errors.js'
import type { Caller } from '../callers.js'
import type { Case } from '../case.js'
import { expectEqual, expectError, expectStatus } from '../expect.js'
import { bundle, create, list, update } from '../requests.js'

// 5. Which callers may run which operation.

/** A case of a caller who is refused both changes, and may read. */
const refused = (title: string, requirement: string, as: Caller, code: ErrorCode): Case => ({
  title,
  requirement,
  write: true,
  async play({ send, newName, newProject, change }) {
    const project = await newProject()
    expectError(await send(create(as, { name: newName(), description: 'x' })), code)
    for (const fields of [{}, { name: newName() }, { description: 'x' }, { status: 'x' }])
      expectError(await send(update(as, project.id, fields)), code)
    for (const request of [list(as), bundle(as)]) expectStatus(await send(request), 200)
    await change(project, {})
  },
})

export const callerCases: Case[] = [
  {
    title: 'Without a session cookie a caller may not read, nor with one that is expired',
    requirement: 'callers: no valid session',
    async play({ send }) {
      for (const as of [undefined, 'expired'] as const) {
        expectError(await send(list(as)), 'AUTH_REQUIRED')
        expectStatus(await send(bundle(as)), 401)
      }
    },
  },
  {
    title: 'Without a session cookie a caller may not write, nor with one that is expired',
    requirement: 'callers: no valid session',
    write: true,
    async play({ send, newName, newProject, change }) {
      const project = await newProject()
      for (const as of [undefined, 'expired'] as const) {
        expectError(await send(create(as, { name: newName() })), 'AUTH_REQUIRED')
        expectError(await send(update(as, project.id, { status: 'x' })), 'AUTH_REQUIRED')
      }
      await change(project, {})
    },
  },
  refused(
    'A caller without organisation has to finish onboarding before a change',
    'callers: no organisation',
    'no-organization',
    'ONBOARDING_REQUIRED',
  ),
  refused(
    'A caller whose organisation has no team may not write',
    'callers: no team',
    'no-team',
    'TEAM_MEMBERSHIP_REQUIRED',
  ),
  refused(
    'A caller with neither permission may read, and not write',
    'callers: no permission',
    'viewer',
    'INSUFFICIENT_PERMISSIONS',
  ),
  refused(
    'Permissions that only look like the two permit nothing',
    'callers: no permission',
    'near-miss',
    'INSUFFICIENT_PERMISSIONS',
  ),
  {
    title: 'Each of the two permissions permits one operation',
    requirement: 'callers: no permission',
    write: true,
    async play({ send, newName, newProject, change }) {
      const project = await newProject({}, 'creator')
      expectError(await send(update('creator', project.id, { status: 'x' })), 'INSUFFICIENT_PERMISSIONS')
      await change(project, { status: 'changed' }, 'updater')
      expectError(await send(create('updater', { name: newName() })), 'INSUFFICIENT_PERMISSIONS')
    },
  },
  {
    title: 'Without organisation the list is empty',
    requirement: 'callers: no organisation',
    async play({ projectsOf }) {
      expectEqual(await projectsOf('no-organization'), [], 'the list')
    },
  },
  {
    title: 'Without a team the list is empty',
    requirement: 'callers: no team',
    async play({ projectsOf }) {
      expectEqual(await projectsOf('no-team'), [], 'the list')
    },
  },
  {
    title: 'Every member with the permissions may create and update the projects of the team',
    requirement: '5 the session cookie',
    write: true,
    async play({ newProject, change }) {
      await change(await newProject({}, 'member'), { status: 'by the owner' }, 'owner')
      await change(await newProject({}, 'owner'), { status: 'by a member' }, 'member')
      await change(await newProject({}, 'other-owner'), { status: 'by the other team' }, 'other-owner')
    },
  },
]
