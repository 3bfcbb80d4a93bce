import type { Case } from '../case.js'
import { expectEqual, expectStatus, expectTrue } from '../expect.js'
import { bundle } from '../requests.js'

// 4.4 The session bundle.

export const bundleCases: Case[] = [
  {
    title: 'The bundle of the mock has devMode and a role',
    requirement: '5.4 the mock branch is marked',
    mode: 'mock',
    async play({ bundleOf }) {
      const { devMode, role } = await bundleOf('owner')
      expectTrue(devMode === true && !!role, `devMode is ${devMode}, and role ${role}`)
    },
  },
  {
    title: 'The bundle of production has neither devMode nor role',
    requirement: 'modes: only the mock sets devMode and role',
    mode: 'production',
    async play({ bundleOf }) {
      const keys = Object.keys(await bundleOf('owner')).filter((key) => ['devMode', 'role'].includes(key))
      expectEqual(keys, [], 'what marks the mock')
    },
  },
  {
    title: 'The members of a team have its id and organisation code, and are users of their own',
    requirement: '4.4 the session bundle',
    async play({ bundleOf }) {
      const owner = await bundleOf('owner')
      expectTrue(owner.teamId !== '' && owner.organization.orgCode !== '', 'the bundle of owner has no team')
      for (const as of ['member', 'viewer', 'creator', 'updater', 'near-miss'] as const) {
        const { teamId, organization, user } = await bundleOf(as)
        expectEqual(
          { teamId, organization },
          { teamId: owner.teamId, organization: owner.organization },
          `the team of ${as}`,
        )
        expectTrue(user.id !== owner.user.id, `the user of ${as} is that of owner`)
      }
    },
  },
  {
    title: 'Two teams have different ids, organisation codes and projects',
    requirement: '4.4 the session bundle',
    async play({ bundleOf, projectsOf }) {
      const [owner, other] = [await bundleOf('owner'), await bundleOf('other-owner')]
      expectTrue(owner.teamId !== other.teamId, `the team of owner and other-owner is ${other.teamId}`)
      expectTrue(
        owner.organization.orgCode !== other.organization.orgCode,
        'two teams have one organisation code',
      )
      const ids = new Set((await projectsOf('owner')).map(({ id }) => id))
      expectTrue(
        !(await projectsOf('other-owner')).some(({ id }) => ids.has(id)),
        'two teams share a project',
      )
    },
  },
  {
    title: 'The bundle has the permissions of the caller',
    requirement: 'callers: no permission',
    async play({ bundleOf }) {
      const both = ['create:projects', 'update:projects']
      const expected = {
        owner: both,
        viewer: [],
        'near-miss': [],
        creator: both.slice(0, 1),
        updater: both.slice(1),
      }
      for (const [as, permissions] of Object.entries(expected)) {
        const bundle = await bundleOf(as as keyof typeof expected)
        const found = both.filter((permission) => bundle.permissions.includes(permission))
        expectEqual(found, permissions, `the permissions of ${as}`)
      }
    },
  },
  {
    title: 'Without organisation or team the bundle has empty texts in their place, and no projects',
    requirement: 'callers: no organisation',
    async play({ bundleOf }) {
      const { organization, teamId, projects } = await bundleOf('no-organization')
      expectEqual(
        { organization, teamId, projects },
        { organization: { orgCode: '' }, teamId: '', projects: [] },
        'the bundle',
      )
    },
  },
  {
    title: 'An organisation without a team is in the bundle, with an empty team id and no projects',
    requirement: 'callers: no team',
    async play({ bundleOf }) {
      const { organization, teamId, projects } = await bundleOf('no-team')
      expectTrue(organization.orgCode !== '', 'the bundle has no organisation code')
      expectEqual({ teamId, projects }, { teamId: '', projects: [] }, 'the bundle')
    },
  },
  {
    title: 'Without a session there is no bundle',
    requirement: 'callers: no valid session',
    async play({ send }) {
      expectStatus(await send(bundle()), 401)
    },
  },
]
