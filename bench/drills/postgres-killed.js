import { figuresOf, makeFaults, withSetting } from './setting.js'

const killed = (rounds, settings) =>
  withSetting(
    async ({ postgres, startNode, startLoad }) => {
      const load = startLoad([await startNode(), await startNode()])
      const made = await makeFaults(load, rounds, { inject: postgres.kill, heal: postgres.start })
      return { faults: made.faults, ...(await figuresOf(load, postgres, made)) }
    },
    { settings },
  )

export const postgresKilled = {
  name: 'postgres-killed',
  fault: 'PostgreSQL killed (SIGKILL, all of its processes) and started again',
  rounds: 50,
  quickRounds: 2,
  limits: { successMs: 1_000 },
  run: ({ rounds }) => killed(rounds),
  async control() {
    const { lost } = await killed(3, { synchronous_commit: 'off', wal_writer_delay: '10s' })
    return { isCaught: lost > 0, figure: `\`synchronous_commit=off\` loses ${lost} writes in 3 rounds` }
  },
}
