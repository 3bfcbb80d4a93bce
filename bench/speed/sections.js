// The sections of the report: each names its subjects and its work, and gives tables.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { committing } from './committing.js'
import { compare } from './compare.js'
import * as subjects from './subjects.js'
import { makeDatabase, readyAnswers, signedCookies, stateOf } from './world.js'

const write = (file, value) => {
  writeFileSync(file, JSON.stringify(value))
  return file
}

const answersIn = (folder, projects) =>
  write(join(folder, `answers-${projects}.json`), readyAnswers(projects))

const databaseIn = async (folder, name, size) => {
  const file = join(folder, `${name}.db`)
  await makeDatabase(file, size)
  return file
}

const productionOf = async (folder, name, size = {}) => ({
  database: await databaseIn(folder, name, size),
  cookies: signedCookies(size.teams ?? 1),
})

const titles = {
  list: 'GET /v1/projects, 20 projects',
  bundle: 'GET /v1/auth/me, 20 projects',
  create: 'POST /v1/projects',
  update: 'PATCH /v1/projects/{id}',
  waitlist: 'POST /v1/waitlist',
}

const each = async (list, run) => {
  const results = []
  for (const item of list) results.push(await run(item))
  return results
}

export const sections = {
  reads: {
    title: 'Production, reads',
    async run({ folder, ...pace }) {
      const answers = answersIn(folder, 20)
      const all = [
        subjects.fastifyString(answers),
        subjects.httpBuffer(answers),
        subjects.production(await productionOf(folder, 'reads')),
        subjects.expressSqlite(await productionOf(folder, 'reads-express')),
      ]
      const kinds = ['list', 'bundle'].flatMap((work) =>
        [1, 32, 50, 256].map((connections) => ({ work, connections })),
      )
      return each(kinds, async (kind) => ({
        what: `${titles[kind.work]}, connections: ${kind.connections}`,
        rows: await compare(all, { ...pace, ...kind }),
      }))
    },
  },

  changing: {
    title: 'Production, reads of 50 teams while another process commits 20 times a second',
    async run({ folder, ...pace }) {
      const world = await productionOf(folder, 'changing', { teams: 50 })
      const stop = await committing(world.database)
      try {
        const all = [subjects.fastifyString(answersIn(folder, 20)), subjects.production(world)]
        return await each(['list', 'bundle'], async (work) => ({
          what: titles[work],
          rows: await compare(all, { ...pace, work, connections: 50 }),
        }))
      } finally {
        stop()
      }
    },
  },

  writes: {
    title: 'Production, durable writes',
    async run({ folder, ...pace }) {
      const kinds = ['create', 'update', 'waitlist'].flatMap((work) =>
        [1, 64].map((connections) => ({ work, connections })),
      )
      return each(kinds, async (kind) => {
        const name = `${kind.work}-${kind.connections}`
        const all = [
          subjects.expressSqlite(await productionOf(folder, `${name}-express`)),
          subjects.production(await productionOf(folder, name)),
        ]
        return {
          what: `${titles[kind.work]}, connections: ${kind.connections}`,
          rows: await compare(all, { ...pace, ...kind }),
        }
      })
    },
  },

  growth: {
    title: 'Production, growth',
    async run({ folder, ...pace }) {
      const sizes = [
        { teams: 1, projects: 1000 },
        { teams: 1000, projects: 1000 },
      ]
      const all = await each(sizes, async (size) => ({
        ...subjects.production({
          ...(await productionOf(folder, `growth-${size.teams}`, size)),
          cookies: signedCookies(1),
        }),
        name: `${(size.teams * size.projects).toLocaleString('en')} projects, teams: ${size.teams}`,
      }))
      return [
        {
          what: 'GET /v1/projects, 1,000 projects',
          rows: await compare(all, { ...pace, work: 'list', connections: 32 }),
        },
      ]
    },
  },

  mock: {
    title: 'The mock over HTTP',
    async run({ folder, ...pace }) {
      const { '/v1/projects': resources } = readyAnswers(20)
      const [zero, one] = [0, 1].map((version) =>
        write(join(folder, `json-server-${version}.json`), resources),
      )
      const document = subjects.documentFor(readyAnswers(20))
      const openapi = write(join(folder, 'openapi.json'), document)
      const all = [
        subjects.mock({ fixtures: write(join(folder, 'state.json'), stateOf({})) }),
        subjects.jsonServer0(zero),
        subjects.jsonServer1(one),
        subjects.prism(openapi),
        subjects.mockoon(openapi),
        subjects.httpMiddleware(answersIn(folder, 20)),
      ]
      return each(['list', 'create'], async (work) => ({
        what: `${titles[work]}, connections: 32`,
        rows: await compare(all, { ...pace, work, connections: 32 }),
      }))
    },
  },

  fixture: {
    title: 'The mock, with a large fixture',
    async run({ folder, ...pace }) {
      const sizes = [
        { teams: 5, projects: 20 },
        { teams: 500, projects: 20 },
      ]
      const all = sizes.map((size) => {
        const count = size.teams * size.projects
        const fixtures = write(join(folder, `state-${count}.json`), stateOf(size))
        return { ...subjects.mock({ fixtures }), name: `${count.toLocaleString('en')} projects` }
      })
      return each(['list', 'create'], async (work) => ({
        what: `${titles[work]}, in a team of 20 projects, connections: 32`,
        rows: await compare(all, { ...pace, work, connections: 32 }),
      }))
    },
  },
}
