import { withFolder } from '../../drills/with-folder.js'
import { compareRunning, withServers } from '../compare.js'
import { compareWorkloads } from '../compare-workloads.js'
import { makeDatabase, projectOf, signedCookies } from '../dataset.js'
import { expressPostgres } from '../peers.js'
import { startPostgres } from '../postgres-server.js'
import { scalingFigures } from '../scaling-figures.js'
import { production } from '../subjects.js'
import { labels, nodeNames } from '../workloads.js'

const teams = 1000
const nodeCount = 3
/** Of one node. */
const connections = 50

/** How often the nodes together get a commit, in ms. */
const commitIntervalMs = 50

/**
 * Updates projects 20 times a second, of each team and through each node in turn.
 * @returns a function that stops it, and throws if one was not acknowledged
 */
function startUpdates(nodes, cookies) {
  const started = performance.now()
  const updates = []
  let failure
  const update = async (number) => {
    const team = number % teams
    const url = `${nodes[number % nodes.length].url}/v1/projects/${projectOf(team, 0).id}`
    const { status } = await fetch(url, {
      method: 'PATCH',
      headers: { cookie: cookies[team], 'content-type': 'application/json' },
      body: JSON.stringify({ status: `status ${number} ${started}` }),
    })
    if (status !== 200) throw new Error(`An update was answered with ${status}`)
  }
  const updateThoseDue = () => {
    while (updates.length * commitIntervalMs < performance.now() - started) {
      updates.push(
        update(updates.length).catch((error) => {
          failure ??= error
        }),
      )
    }
  }
  const timer = setInterval(updateThoseDue, commitIntervalMs)
  return async () => {
    clearInterval(timer)
    updateThoseDue()
    await Promise.all(updates)
    if (failure) throw failure
  }
}

/** Reads of one node, of three, and of three that commit meanwhile: the load of a node is always the same. */
async function compareNodes(subject, { cookies, server, ...timing }) {
  const subjects = Array.from({ length: nodeCount }, (_, i) => ({ ...subject, name: `node ${i}` }))
  const rows = await withServers(subjects, async ({ servers: nodes, load }) => {
    const together = {
      url: nodes.map(({ url }) => url),
      cpuMs: () => nodes.reduce((sum, { cpuMs }) => sum + cpuMs(), 0),
      workloads: subject.workloads,
      databaseCpuMs: server.cpuMs,
    }
    const updating = {
      async run(options) {
        const stop = startUpdates(nodes, cookies)
        const result = await load.run(options)
        await stop()
        return result
      },
    }
    const all = nodeCount * connections
    const servers = [
      { ...together, name: nodeNames.one, url: nodes[0].url, options: { connections } },
      { ...together, name: nodeNames.three, options: { connections: all } },
      { ...together, name: nodeNames.committing, options: { connections: all, load: updating } },
    ]
    return compareRunning({ servers, load }, { workload: 'list', ...timing })
  })
  const caption = `${labels.list}, ${teams.toLocaleString('en')} teams in turn, connections: ${connections} for each node. The nodes share one core. The CPU time of a request is that of all nodes. Each commit changes a project of one team.`
  return { id: 'nodes', caption, rows }
}

export const postgres = {
  title: 'Production: PostgreSQL',
  text: scalingFigures,
  run: ({ rounds, ms }) =>
    withFolder(async ({ folder, onEnd }) => {
      // Each server has answered for each team before it is measured.
      const timing = { rounds, ms: 2 * ms, warmUpRequests: 3 * teams }
      const server = await startPostgres(folder)
      onEnd(server.stop)
      const createDatabase = async (name) => {
        const database = await server.create(name)
        await makeDatabase(database, { teams })
        await server.settle(database)
        return { database, cookies: signedCookies(teams) }
      }
      const measured = (subject) => ({ ...subject, databaseCpuMs: server.cpuMs })
      const data = `${teams.toLocaleString('en')} teams in turn, 20 projects each`

      const shared = await createDatabase('shared')
      const reads = await compareWorkloads(
        [expressPostgres(shared), production(shared)].map(measured),
        [1, connections].flatMap((count) =>
          ['list', 'bundle'].map((workload) => ({ workload, connections: count })),
        ),
        { ...timing, data },
      )
      const nodes = await compareNodes(production(shared), { ...shared, ...timing, server })

      const theirs = await createDatabase('express')
      // What the service records about changes: Express has no use for it.
      await server.run(theirs.database, 'ALTER TABLE projects DISABLE TRIGGER USER')
      const writes = await compareWorkloads(
        [expressPostgres(theirs), production(await createDatabase('production'))].map(measured),
        [1, 64].map((count) => ({ workload: 'create', connections: count })),
        { ...timing, data },
      )
      return [...reads, ...writes, nodes]
    }),
}
