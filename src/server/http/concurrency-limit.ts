import type { FastifyInstance } from 'fastify'
import { operationalReply } from '../../handlers/reply.js'
import { addressAllowances } from '../../node-server/address-allowance.js'
import type { ConnectionLimits } from '../../node-server/connection-tracker.js'
import { clientAddress } from './client-address.js'
import { onceClosed } from './once-closed.js'
import { sendReply } from './send-reply.js'

/**
 * Limits how many requests of one client a trusted proxy forwards at the same time, as the number of connections is
 * limited for clients that connect directly.
 */
export function limitConcurrency(
  app: FastifyInstance,
  { maxPerAddress, isExempt }: Pick<ConnectionLimits, 'maxPerAddress' | 'isExempt'>,
): void {
  const pending = new Map<string, number>()
  const add = (group: string, change: 1 | -1) => {
    const count = (pending.get(group) ?? 0) + change
    if (count === 0) pending.delete(group)
    else pending.set(group, count)
  }

  app.addHook('onRequest', (request, reply, done) => {
    if (!isExempt(request.socket.remoteAddress)) return done()
    const allowances = addressAllowances(clientAddress(request), maxPerAddress)
    const isExceeded = allowances.some(({ group, max }) => (pending.get(group) ?? 0) >= max)
    if (isExceeded) return void sendReply(reply, operationalReply('RATE_LIMITED'))
    for (const { group } of allowances) add(group, 1)
    onceClosed(reply.raw, request.raw.socket, () => {
      for (const { group } of allowances) add(group, -1)
    })
    done()
  })
}
