import type { Handler } from './handler.js'

/** Section 4.4. Without an organisation or a team, its fields are empty strings. */
export const getSession: Handler<'getSession'> = async ({ session, team, store }) => {
  const { projects, version } = team ? await store.listProjectNames(team.id) : { projects: [] }
  const bundle = {
    ...(session.mock && { devMode: true as const }),
    user: session.user,
    organization: { orgCode: session.orgCode ?? '' },
    permissions: [...session.permissions],
    teamId: team?.id ?? '',
    projects,
    ...(session.mock && { role: session.mock.role }),
  }
  return { versioned: bundle, version }
}
