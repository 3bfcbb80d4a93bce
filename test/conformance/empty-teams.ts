import fixture from '../../fixtures/demo.json' with { type: 'json' }
import type { Persona } from '../../src/conformance/cases/case.js'
import { startDevServer as start } from '../../src/mock/http/dev-server.js'
import { parseState } from '../../src/store/state-file.js'

/** The mock with two more teams, without projects, and the cookies of an owner of each. */
export async function emptyTeams() {
  const state = parseState(fixture)
  const teams = ['team-verify-1', 'team-verify-2']
  const permissions = ['create:projects', 'update:projects']
  const server = await start({
    port: 0,
    fixtures: {
      ...state,
      teams: [...state.teams, ...teams.map((id) => ({ id, name: id, orgCode: `org-${id}` }))],
      sessions: [
        ...state.sessions,
        ...teams.map((id) => ({
          id: `owner-${id}`,
          userId: 'user-ada',
          orgCode: `org-${id}`,
          permissions,
          role: 'owner',
        })),
      ],
    },
  })
  return {
    target: { baseUrl: server.url, stored: () => server.mock.export(), close: server.close },
    options: {
      url: server.url,
      cookies: new Map<Persona, string>([
        ['acme-owner', 'session=owner-team-verify-1'],
        ['globex-owner', 'session=owner-team-verify-2'],
      ]),
    },
    teams,
  }
}
