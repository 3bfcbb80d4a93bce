import { compare } from '../compare.js'
import { createDatabase, mapInSeries } from '../files.js'
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
/** Two requests of each of 10,000 teams: what is measured is a service that has seen them. */
const warmUpRequests = 20_000

/** Databases of several sizes, each with the sessions of all its teams. */
const databases = (folder, sizes) =>
  mapInSeries(sizes, async ({ name, ...size }) =>
    production({ ...(await createDatabase(folder, `growth-${size.teams}-${size.projects}`, size)), name }),
  )

/** A database with a million projects: a thousand teams of 1,000, and one of 20. Each is compared with a database of its own. */
async function million(folder) {
  const began = performance.now()
  const { database, cookies } = await createDatabase(folder, 'million', {
    teams: 1001,
    projects: (team) => (team === 0 ? 20 : 1000),
  })
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  const [small, ...large] = cookies
  const amongMillion = (name, cookies) => production({ database, cookies, name })
  const single = async (projects) =>
    production({ ...(await createDatabase(folder, `single-${projects}`, { projects })), name: names.single })
  return {
    seconds,
    subjects: {
      20: [await single(20), amongMillion(names.million, [small])],
      1000: [
        await single(1000),
        amongMillion(names.million, large.slice(0, 1)),
        amongMillion(names.allInTurn, large),
      ],
    },
  }
}

export const growth = {
  title: 'Production: growth',
  async run({ folder, ...timing }) {
    const list = (subjects) => compare(subjects, { ...timing, workload: 'list', connections, warmUpRequests })
    const sizes = [10, 100, 1000, 10_000]

    const teams = await list(
      await databases(
        folder,
        sizes.map((teams) => ({ teams, projects: 20, name: names.teams(teams) })),
      ),
    )
    const projects = await list(
      await databases(
        folder,
        sizes.map((projects) => ({ teams: 1, projects, name: `${count(projects)} projects` })),
      ),
    )
    const { seconds, subjects } = await million(folder)
    const caption = (what) => `${labels.list}, ${what}, connections: ${connections}`
    return [
      { id: 'teams', caption: caption('20 projects, all teams in turn'), rows: teams },
      {
        id: 'projects',
        caption: caption('one team'),
        rows: projects.map((row, i) => ({ ...row, projectUs: row.cpuUs / sizes[i] })),
      },
      ...(await mapInSeries(Object.entries(subjects), async ([size, subjectsOfSize]) => ({
        id: `million-${size}`,
        caption: `${caption(`${count(Number(size))} projects`)} (creating the million took ${seconds} s)`,
        rows: await list(subjectsOfSize),
      }))),
    ]
  },
}
