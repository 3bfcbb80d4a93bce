import { compare } from '../compare.js'
import { databaseIn, each } from '../files.js'
import { production } from '../subjects.js'
import { titles } from '../work.js'

export const names = {
  one: 'one team, alone',
  million: 'the same among 1,000,000 projects in 1,000 teams',
  allInTurn: 'those 1,000 teams in turn',
}

const connections = 32
const count = (number) => number.toLocaleString('en')

/** Databases of several sizes, as subjects that are asked of each team in turn. */
const sized = (folder, sizes) =>
  each(sizes, async ({ name, ...size }) =>
    production({ ...(await databaseIn(folder, `growth-${size.teams}-${size.projects}`, size)), name }),
  )

/** A million projects in a thousand teams, beside one of these teams alone; and a team of 20 likewise. */
async function million(folder) {
  const began = performance.now()
  const isSmall = (team) => team === 0
  const { database, cookies } = await databaseIn(folder, 'million', {
    teams: 1001,
    projects: (team) => (isSmall(team) ? 20 : 1000),
  })
  const took = `${((performance.now() - began) / 1000).toFixed(0)} s`
  const [small, ...large] = cookies
  const asked = (name, cookies) => production({ database, cookies, name })
  const one = async (projects) =>
    production({ ...(await databaseIn(folder, `one-${projects}`, { projects })), name: names.one })
  return {
    took,
    20: [await one(20), asked(names.million, [small])],
    1000: [await one(1000), asked(names.million, large.slice(0, 1)), asked(names.allInTurn, large)],
  }
}

export const growth = {
  title: 'Production, growth',
  async run({ folder, ...pace }) {
    const list = (subjects) => compare(subjects, { ...pace, work: 'list', connections })
    const sizes = [10, 100, 1000, 10_000]

    const teams = await list(
      await sized(
        folder,
        sizes.map((teams) => ({ teams, projects: 20, name: `${count(teams)} teams` })),
      ),
    )
    const projects = await list(
      await sized(
        folder,
        sizes.map((projects) => ({ teams: 1, projects, name: `${count(projects)} projects` })),
      ),
    )
    const { took, ...millions } = await million(folder)
    const text = (what) => `${titles.list}, ${what}, connections: ${connections}`
    return [
      { id: 'teams', what: text('20 projects, of all teams in turn'), rows: teams },
      {
        id: 'projects',
        what: text('of one team'),
        rows: projects.map((row, i) => ({ ...row, projectUs: row.cpuUs / sizes[i] })),
      },
      ...(await each(Object.entries(millions), async ([size, subjects]) => ({
        id: `million-${size}`,
        what: `${text(`${count(Number(size))} projects`)} (the million was made in ${took})`,
        rows: await list(subjects),
      }))),
    ]
  },
}
