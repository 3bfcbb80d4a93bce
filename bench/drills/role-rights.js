import { figuresOf, makeFaults, withSetting } from './setting.js'

const password = 'another-password-for-drills'
const endAll = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'service'"

/** Pairs of statements: what takes rights from the role, and what gives them back. */
const refusals = [
  ['REVOKE ALL ON projects FROM service', 'GRANT ALL ON projects TO service'],
  ['REVOKE ALL ON sessions FROM service', 'GRANT ALL ON sessions TO service'],
  [`ALTER ROLE service NOLOGIN; ${endAll}`, 'ALTER ROLE service LOGIN'],
  [`ALTER ROLE service PASSWORD 'changed'; ${endAll}`, `ALTER ROLE service PASSWORD '${password}'`],
  [
    `ALTER DATABASE dashboard ALLOW_CONNECTIONS false; ${endAll}`,
    'ALTER DATABASE dashboard ALLOW_CONNECTIONS true',
  ],
]

export const roleRights = {
  name: 'role-rights',
  fault: 'The role loses a right for 2 s: on a table, to log in, its password, to connect to the database',
  rounds: refusals.length * 2,
  quickRounds: refusals.length,
  limits: { successMs: 1_000 },
  run: ({ rounds }) =>
    withSetting(async ({ postgres, onEnd, startNode, startLoad }) => {
      const other = await postgres.connect('postgres')
      onEnd(() => other.end())
      await postgres.query(
        `CREATE ROLE service LOGIN PASSWORD '${password}'; GRANT ALL ON ALL TABLES IN SCHEMA public TO service`,
      )
      const address = new URL(postgres.url)
      Object.assign(address, { username: 'service', password })
      const database = address.href
      const load = startLoad([await startNode({ database }), await startNode({ database })])
      const run = (sql) =>
        sql.includes('GRANT') || sql.includes('REVOKE') ? postgres.query(sql) : other.query(sql)
      const made = await makeFaults(load, rounds, {
        inject: (round) => run(refusals[round % refusals.length][0]),
        heal: (round) => run(refusals[round % refusals.length][1]),
        holdMs: 2_000,
      })
      return { faults: made.faults, ...(await figuresOf(load, postgres, made)) }
    }),
}
