import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../free-port.js'
import { startWriters } from './load.js'

/**
 * Kills a service again and again under clients that write, and starts it again on its port.
 * @param start starts it on a port
 * @param kill kills it; it is given the service, the history of the clients, and the round, and resolves with what is wrong with what
 *   was left
 * @param options of the clients
 * @returns the `history` of the clients, how many writes were acknowledged, and what was wrong
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
