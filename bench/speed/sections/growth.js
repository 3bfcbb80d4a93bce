import { compareRunning, warmUp, withServers } from '../compare.js'
import { mapInSeries } from '../files.js'
import { production } from '../subjects.js'
import { labels } from '../workloads.js'

const count = (number) => number.toLocaleString('en')

/** The names of the rows. */
export const names = {
  teams: (teams) => `${count(teams)} teams`,
  single: 'a database with this team only',
  million: 'a database with 1,000,000 projects in 1,000 teams',
  allInTurn: 'the same database, its 1,000 teams in turn',
}

const connections = 32
const sizes = [10, 100, 1000, 10_000]

export const growth = {
  title: 'Production: growth',
  async run({ files, ...timing }) {
    const ofSize = async (name, size) => production({ ...(await files.database(size)), name })
    const table = async (id, what, subjects) => ({
      id,
      caption: `${labels.list}, ${what}, connections: ${connections}`,
      rows: await withServers(await subjects, async (running) => {
        // Two requests at least from each of 10,000 teams: the measured service has seen all of them.
        await warmUp(running, 'list')
        return compareRunning(running, { ...timing, workload: 'list', connections })
      }),
    })
    const inTeams = mapInSeries(sizes, (teams) => ofSize(names.teams(teams), { teams }))
    const teams = await table('teams', '20 projects, all teams in turn', inTeams)
    const inOneTeam = mapInSeries(sizes, (projects) => ofSize(`${count(projects)} projects`, { projects }))
    const projects = await table('projects', 'one team', inOneTeam)
    projects.rows.forEach((row, i) => {
      row.projectUs = row.cpuUs / sizes[i]
    })

    // A database with a million projects: a thousand teams with 1,000, and one with 20. Each is compared with a database of one team.
    const began = performance.now()
    const million = { teams: 1001, projects: (team) => (team === 0 ? 20 : 1000) }
    const { database, cookies } = await files.database(million)
    const took = `(creating the million took ${((performance.now() - began) / 1000).toFixed(0)} s)`
    const amongMillion = (cookies, name = names.million) => production({ database, cookies, name })
    const [small, ...large] = cookies
    return [
      teams,
      projects,
      await table('million-20', `20 projects ${took}`, [
        await ofSize(names.single, { projects: 20 }),
        amongMillion([small]),
      ]),
      await table('million-1000', `1,000 projects ${took}`, [
        await ofSize(names.single, { projects: 1000 }),
        amongMillion(large.slice(0, 1)),
        amongMillion(large, names.allInTurn),
      ]),
    ]
  },
}
