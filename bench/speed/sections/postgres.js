import { join } from 'node:path'
import { createPostgres, password } from '../../drills/postgres-server.js'
import { familyCpu } from '../../drills/process-figures.js'
import { withFolder } from '../../drills/with-folder.js'
import { compareRunning, compareWorkloads, warmUp, withServers } from '../compare.js'
import { makeDatabase, projectOf, signedCookies } from '../dataset.js'
import { pin } from '../processes.js'
import { scalingFigures } from '../scaling-figures.js'
import { expressPostgres, production } from '../subjects.js'
import { labels, nodeNames } from '../workloads.js'

/** The defaults of PostgreSQL: a commit is durable. */
const settings = { shared_buffers: '128MB', wal_keep_size: '0' }
const teams = 1000
const nodeCount = 3
/** Connections to each node. */
const connections = 50

/** The interval of commits of all nodes together, in ms. */
const commitIntervalMs = 50

/**
 * Updates a project 20 times a second. The teams and the nodes take turns.
 * @returns a function that stops the updates, and throws if one was not acknowledged
 */
function startUpdates(nodes, cookies) {
  const started = performance.now()
  const updates = []
  const update = async (number) => {
    const team = number % teams
    const url = `${nodes[number % nodes.length].url}/v1/projects/${projectOf(team, 0).id}`
    const { status } = await fetch(url, {
      method: 'PATCH',
      headers: { cookie: cookies[team], 'content-type': 'application/json' },
      body: JSON.stringify({ status: `status ${number} ${started}` }),
    })
    return status
  }
  const updateThoseDue = () => {
    while (updates.length * commitIntervalMs < performance.now() - started)
      updates.push(update(updates.length).catch(({ message }) => message))
  }
  const timer = setInterval(updateThoseDue, commitIntervalMs)
  return async () => {
    clearInterval(timer)
    updateThoseDue()
    const failed = (await Promise.all(updates)).find((status) => status !== 200)
    if (failed) throw new Error(`An update was answered with ${failed}`)
  }
}

/** Reads from one node, from three, and from three during commits. The load of each node is the same. */
async function compareNodes(subject, { cookies, databaseCpuMs, ...timing }) {
  const subjects = Array.from({ length: nodeCount }, (_, i) => ({ ...subject, name: `node ${i}` }))
  const rows = await withServers(subjects, async ({ servers: nodes, load }) => {
    const together = {
      url: nodes.map(({ url }) => url),
      cpuMs: () => nodes.reduce((sum, { cpuMs }) => sum + cpuMs(), 0),
      workloads: subject.workloads,
      databaseCpuMs,
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
    await warmUp({ servers: nodes, load }, 'list')
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
      const data = `${teams.toLocaleString('en')} teams in turn, 20 projects each`
      const timing = { rounds, ms, data }
      const flags = ['--encoding=UTF8', '--locale=C']
      const server = pin(await createPostgres(join(folder, 'postgres'), settings, flags), 1)
      onEnd(server.stop)
      // The compared servers find the password in the environment.
      process.env.PGPASSWORD = password
      const databaseCpuMs = familyCpu(server.pid)
      const createDatabase = async (name) => {
        await server.query(`CREATE DATABASE ${name}`)
        const database = Object.assign(new URL(server.url), { pathname: name, password: '' }).href
        await makeDatabase(database, { teams })
        // Otherwise the server would do this in the background during the measurement.
        for (const statement of ['VACUUM ANALYZE', 'CHECKPOINT']) await server.query(statement, { in: name })
        return { database, cookies: signedCookies(teams) }
      }
      const subjects = (theirs, ours) => () =>
        [expressPostgres(theirs), production(ours)].map((subject) => ({ ...subject, databaseCpuMs }))

      const shared = await createDatabase('shared')
      const reads = ['list', 'bundle']
      const ofReads = await compareWorkloads(reads, [1, connections], subjects(shared, shared), timing)
      const nodes = await compareNodes(production(shared), { ...shared, ...timing, databaseCpuMs })

      const theirs = await createDatabase('express')
      // The triggers that record changes, which Express does not need.
      await server.query('ALTER TABLE projects DISABLE TRIGGER USER', { in: 'express' })
      const ours = await createDatabase('production')
      const ofWrites = await compareWorkloads(['create'], [1, 64], subjects(theirs, ours), timing)
      return [...ofReads, ...ofWrites, nodes]
    }),
}
