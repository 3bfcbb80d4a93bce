import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { type PostgresServer, startPostgres } from './store/postgres/start-postgres.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers with the address of the test run's PostgreSQL, which the first request starts. */
    postgresOnDemand: string
  }
}

/** What a request is answered with: the address, or the reason why there is none. */
export type PostgresOffer = { url: string } | { reason: string }

/**
 * The global set-up of a test run: one PostgreSQL for all test files, started when the first of them needs it, or the
 * one that DASHBOARD_API_TEST_POSTGRES names.
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
