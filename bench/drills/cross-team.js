// Twenty teams send random requests to three nodes. Whatever belongs to a team is marked with its number, so that a leak shows
// in the bytes of a response, or in what is stored.
import { randomUUID } from 'node:crypto'
import { projectOf, signedCookies, stateOf } from '../speed/dataset.js'
import { withNodes } from './database.js'
import { requestsOf } from './sessions.js'

const teams = 20
const clientsOfTeam = 2
const projects = 5

const state = {
  ...stateOf({ teams, projects }),
  users: Array.from({ length: teams }, (_, team) => ({
    id: `user-${team}`,
    email: `person@team-${team}.example`,
    givenName: 'Ada',
    familyName: 'Byron',
    picture: '',
  })),
}
for (const [team, session] of state.sessions.entries()) session.userId = `user-${team}`
const cookies = signedCookies(teams)

/** The teams that a text names: in ids, names and addresses of `state`, and in the marks of what clients write. */
const teamsIn = (text) =>
  new Set([...text.matchAll(/(?:team[- ]|org_|user-|mark-)(\d+)/g)].map(([, number]) => Number(number)))

/** What a client sees of a response, without what differs in each. */
const comparable = ({ status, headers, text }) => {
  const { 'x-request-id': _, date: __, ...rest } = headers
  return JSON.stringify([status, rest, text])
}

/** @returns the counts, and `faults`: each call that showed or changed what is of another team */
const call = ({ rounds, random, defect }) =>
  withNodes({ kind: 'postgres', count: 3, state, defect }, async ({ connect, postgres }) => {
    /** The ids of each team's projects. */
    const ids = state.teams.map((_, team) =>
      Array.from({ length: projects }, (_, serial) => projectOf(team, serial).id),
    )
    const faults = []
    const counts = { calls: 0, foreign: 0, succeeded: 0 }
    let serial = 0

    const runClient = async (team) => {
      const connections = connect()
      const { list, bundle, create, update } = requestsOf(cookies[team])
      const send = async (request, node = random.pick(connections)) => {
        counts.calls += 1
        const response = await node(request)
        const seen = `${JSON.stringify(response.headers)} ${response.text}`
        const others = [...teamsIn(seen)].filter((other) => other !== team)
        const known = /018f0000-0000-7000-8000-0*(\d+)\d{6}/g
        const foreign = [...seen.matchAll(known)].filter(([, number]) => Number(number) !== team)
        if (others.length + foreign.length > 0 || response.error || response.status >= 500)
          faults.push(
            `call ${counts.calls} as team ${team}, ${request.method ?? 'GET'} ${request.path}: ${response.error ?? response.text}`,
          )
        else if (response.status < 300) counts.succeeded += 1
        return response
      }
      const changes = () => {
        serial += 1
        return random.pick([
          { status: `mark-${team}-${serial}` },
          { description: `mark-${team}-${serial}`, status: 'paused' },
          { name: `Project mark-${team}-${serial}` },
          {},
          { teamId: `team-${team}` },
          { name: '' },
        ])
      }
      const acts = [
        () => send(list),
        () => send(list),
        () => send(bundle),
        () => send(update(random.pick(ids[team]), changes())),
        async () => {
          serial += 1
          // Teams use the same names.
          const name = random.chance(0.5) ? `Shared ${random.below(20)}` : `Project mark-${team}-${serial}`
          const { body: created } = await send(create(name, { description: `mark-${team}` }))
          if (created?.project) ids[team].push(created.project.id)
        },
        async () => {
          const other = (team + 1 + random.below(teams - 1)) % teams
          const [node, body] = [random.pick(connections), changes()]
          const foreign = await send(update(random.pick(ids[other]), body), node)
          const unknown = await send(update(randomUUID(), body), node)
          counts.foreign += 1
          if (comparable(foreign) !== comparable(unknown))
            faults.push(
              `call ${counts.calls}: a foreign id is told from an unknown one: ${foreign.text} ${unknown.text}`,
            )
        },
      ]
      while (counts.calls < rounds && faults.length < 1_000) await random.pick(acts)()
    }
    await Promise.all(Array.from({ length: teams * clientsOfTeam }, (_, i) => runClient(i % teams)))

    for (const project of await postgres.query('SELECT * FROM projects')) {
      const { team_id, ...fields } = project
      const others = [...teamsIn(JSON.stringify(fields))].filter((other) => `team-${other}` !== team_id)
      if (others.length > 0) faults.push(`a project of ${team_id} was changed: ${JSON.stringify(project)}`)
    }
    if (counts.succeeded < counts.calls / 4 || counts.foreign < counts.calls / 30)
      faults.push('too few calls succeeded, or were foreign')
    return { ...counts, leaks: faults.length, faults }
  })

export const crossTeam = {
  name: 'cross-team',
  promise:
    'No team sees or changes the data of another; an id of another team is answered as one that does not exist.',
  fault:
    '100,000 random calls of 20 teams to three nodes over PostgreSQL, with the response cache: lists, session bundles, creations, updates of own, foreign and unknown ids',
  target: '0 leaks; the same bytes for foreign and unknown ids',
  rounds: 100_000,
  quickRounds: 80,
  hasQuickControl: true,
  needsPostgres: true,
  make: call,
  none: { leaks: 'leaks' },
  some: { calls: 'calls', foreign: 'pairs of foreign and unknown ids, the same bytes' },
  controls: [
    {
      fault: 'Nodes that update a project by its id alone',
      rounds: 1_000,
      defect: 'foreignUpdate',
      caught: ['leaks'],
    },
  ],
}
