import { setTimeout as wait } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { createClient, type ReceivedResponse } from '../server/serving.js'

/**
 * Starts clients of a proxy, which run until `stop`. Every second client creates projects, the others read. Each pauses between
 * its requests, in ms.
 */
export function startProxiedLoad(url: string, cookie: string, { clients = 16, pauseMs = 10 } = {}) {
  const acknowledged: string[] = []
  const failures: unknown[] = []
  const counts = { created: 0, read: 0 }
  let goesOn = true
  const loops = Array.from({ length: clients }, async (_, c) => {
    const client = createClient(url, cookie)
    onTestFinished(client.end)
    for (let i = 0; goesOn; i += 1) {
      const name = `project-${c}-${i}`
      const creates = c % 2 === 0
      const response = creates ? await client.create(name) : await client.call('GET', '/v1/auth/me')
      if (hasStatus(response, creates ? 201 : 200)) counts[creates ? 'created' : 'read'] += 1
      else failures.push(response)
      if (hasStatus(response, 201)) acknowledged.push(name)
      await wait(pauseMs)
    }
  })
  return {
    acknowledged,
    failures,
    counts,
    async stop() {
      goesOn = false
      await Promise.all(loops)
    },
  }
}

const hasStatus = (response: object, status: number): response is ReceivedResponse =>
  'status' in response && response.status === status
