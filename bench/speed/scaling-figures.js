// The text of the section about PostgreSQL.
import { markdown, short, table, whole } from './markdown-table.js'
import { isPinned } from './processes.js'
import { findRow } from './target-values.js'
import { postgresTargets, targetsTable } from './targets.js'
import { names } from './workloads.js'

/** What a core of each kind carries if part of the requests are creations, in µs of CPU time for a request. */
function loadOf({ read, create }, creations) {
  const mix = (key) => (1 - creations) * read[key] + creations * create[key]
  const [node, database] = [mix('cpuUs'), mix('databaseUs')]
  return { node, database, perDatabaseCore: 1e6 / database, perNodeCore: 1e6 / node, nodes: node / database }
}

const loads = { 'reads only': 0, '1 % creations': 0.01, '10 % creations': 0.1, 'creations only': 1 }

function capacityTable(times) {
  const rows = Object.entries(loads).map(([name, creations]) => [name, loadOf(times, creations)])
  return markdown([
    ['', ...rows.map(([name]) => name)],
    ['node, µs', ...rows.map(([, { node }]) => short(node))],
    ['database, µs', ...rows.map(([, { database }]) => short(database))],
    ['requests/s of a node', ...rows.map(([, { perNodeCore }]) => whole(perNodeCore))],
    ['requests/s of a database core', ...rows.map(([, { perDatabaseCore }]) => whole(perDatabaseCore))],
    ['nodes to a database core', ...rows.map(([, { nodes }]) => short(nodes))],
  ])
}

/** The arithmetic: what a database carries, and what more than one would. */
function capacity(results) {
  const row = (table) => findRow(results, 'postgres', table, names.production)
  const times = { read: row('list-50'), create: row('create-64') }
  const [readUs, createUs] = [times.read.databaseUs, times.create.databaseUs]
  if (!Number.isFinite(readUs)) return ''
  // The examples: a database with this many cores, part of whose requests are creations.
  const cores = 16
  const share = 0.1
  const perServer = loadOf(times, share).perDatabaseCore * cores
  const creations = perServer * share
  // What replaying a creation takes a standby, as a part of what it took the primary: an assumption.
  const replaying = 0.3
  const perStandby = (cores * 1e6 - creations * createUs * replaying) / readUs
  const servers = 4
  return `### What a database core carries

A node is one process and uses one core. These are the CPU times of a request below, of lists with 50 connections and of
creations with 64; the rest is division. The last column is the number of busy nodes at which the database is the limit,
for each core that PostgreSQL has.

${capacityTable(times)}
The times hold for busy nodes, which ask one question for all requests of a turn. A request that is alone takes the database
${short(row('list-1').databaseUs)} µs instead of ${short(readUs)}: it needs its own question. An idle service can afford that.

### Beyond one database, on paper

This is arithmetic with the example of ${cores} cores: none of it was run.

- **More cores.** With ${cores} cores the database carries ${whole(perServer)} requests a second, of which ${share * 100} % are creations. The
  disk may be the limit before: a commit waits for it, and each node has two statements with new projects under way.
- **Read replicas.** The answer to a read has to show every acknowledged commit, so each read asks the database for
  its version. A standby may be asked only if commits wait until it has replayed them (\`synchronous_commit = remote_apply\`);
  the slowest standby then sets the time of a commit. At the ${whole(creations)} creations a second of the line above, and if
  replaying takes ${replaying * 100} % of the CPU time of writing, a standby with ${cores} cores has (${cores} × 1,000,000 − ${whole(creations)} ×
  ${short(createUs)} × ${replaying}) / ${short(readUs)} = ${whole(perStandby)} reads a second left. Each standby adds as many reads, and no creation.
  The service has one address for reads and writes: today a standby serves failover only.
- **Distribution by team.** ${servers} servers with their own teams, each with nodes of its own, carry ${servers} × ${whole(perServer)} =
  ${whole(servers * perServer)} requests a second, if the balancer sends each team to its nodes. Behind one distributed address every
  node asks all ${servers} servers for versions, ${servers} × ${short(readUs)} = ${short(servers * readUs)} µs for a read: creations gain from more servers, reads do not.
  What is ready, and what is missing, is said in docs/operations.md.
`
}

/** The measured tables, the targets, and what follows from them. */
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
