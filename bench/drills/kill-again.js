import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../free-port.js'
import { startWriters } from './load.js'

/**
 * Repeatedly kills a service while clients write, and starts it again on the same port.
 * @param start starts the service on a port
 * @param kill receives the service, the history of the clients, and the number of the round; kills the service, and resolves with
 *   the problems of the data that was left
 * @param options the options of the clients, see `startLoad`
 * @returns the `history` of the clients, the number of acknowledged writes, and the problems
 */
export async function killAgain({ rounds, start, kill, ...options }) {
  const port = await freePort()
  let service = await start(port)
  const writers = startWriters(service.url, options)
  const faults = []
  let kills = 0
  while (kills < rounds && service) {
    kills += 1
    const before = writers.acknowledged()
    while (writers.acknowledged() === before) await sleep(1)
    const found = await kill(service, writers.history, kills)
    service = await start(port).catch(({ message }) => void found.push(message))
    for (const fault of found) faults.push(`kill ${kills}: ${fault}`)
  }
  await writers.stop()
  await service?.kill()
  return { kills, faults, history: writers.history, acknowledged: writers.acknowledged() }
}
