// The text of the section about PostgreSQL.
import { markdown, short, table, whole } from './markdown-table.js'
import { isPinned } from './processes.js'
import { findRow } from './target-values.js'
import { postgresTargets, targetsTable } from './targets.js'
import { names } from './workloads.js'

const loads = { 'reads only': 0, '1 % creations': 0.01, '10 % creations': 0.1, 'creations only': 1 }

/** The requests per second that a core of each kind can serve, by the share of creations. */
function capacity(results) {
  const row = (table) => findRow(results, 'postgres', table, names.production)
  const [read, create] = [row('list-50'), row('create-64')]
  if (!Number.isFinite(read.databaseUs)) return ''
  const rows = Object.entries(loads).map(([name, creations]) => {
    const mix = (key) => (1 - creations) * read[key] + creations * create[key]
    const [node, database] = [mix('cpuUs'), mix('databaseUs')]
    const perSecond = [1e6 / node, 1e6 / database].map(whole)
    return [name, short(node), short(database), ...perSecond, short(node / database)]
  })
  const titles = [
    ...['', 'node, µs', 'database, µs', 'requests/s of a node'],
    ...['requests/s of a database core', 'nodes to a database core'],
  ]
  return `### What a database core carries

A node is one process and uses one core. These are the CPU times of a request below, of lists with 50 connections and of
creations with 64; the rest is division. The last column is the number of busy nodes at which the database is the limit,
for each core that PostgreSQL has.

${markdown(titles.map((title, i) => [title, ...rows.map((row) => row[i])]))}
The times hold for busy nodes, which ask one question for all requests of a turn. A request that is alone takes the database
${short(row('list-1').databaseUs)} µs instead of ${short(read.databaseUs)}: it needs its own question. An idle service can afford that.
`
}

/** The measured tables, the targets, and the conclusions. */
export function scalingFigures(results) {
  const tables = results.postgres.map(({ caption, rows }) => `${caption}\n\n${table(rows)}`)
  return `Nodes and Express ${isPinned ? 'have one core; PostgreSQL and the load generator have the other' : 'share the cores with PostgreSQL and the load generator'}. The CPU time of the database is that of all its processes.

Express with pg has a pool of 20 connections and prepared statements: three queries for a list, four for a session bundle or a creation. Both read the same database. For creations each has its own on the same server, with the same tables and indexes; that of Express is without the triggers that record changes, which it does not need. Commits are durable.

### Targets

${targetsTable(results, postgresTargets)}
${capacity(results)}
### Measurements

${tables.join('\n')}`
}
