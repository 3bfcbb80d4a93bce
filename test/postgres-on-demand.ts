import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { type PostgresServer, startPostgres } from './store/postgres/start-postgres.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** A server that returns the address of the PostgreSQL of the test run. The first request starts PostgreSQL. */
    postgresOnDemand: string
  }
}

/** The response: the address, or the reason why there is no PostgreSQL. */
export type PostgresOffer = { url: string } | { reason: string }

/**
 * The global set-up of a test run: one PostgreSQL for all test files, which is started when the first file needs it, or the
 * server in DASHBOARD_API_TEST_POSTGRES.
 * @returns the tear-down
 */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const given = process.env.DASHBOARD_API_TEST_POSTGRES
  let starting: Promise<PostgresServer> | undefined
  const offer = async (): Promise<PostgresOffer> => {
    if (given) return { url: given }
    starting ??= startPostgres()
    return starting.then(
      ({ url }) => ({ url }),
      (error) => ({ reason: `PostgreSQL cannot be started here: ${error?.message}` }),
    )
  }
  const server = createServer((_, response) => {
    void offer().then((value) => response.end(JSON.stringify(value)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  provide('postgresOnDemand', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return async () => {
    server.close()
    await (await starting?.catch(() => undefined))?.stop()
  }
}
