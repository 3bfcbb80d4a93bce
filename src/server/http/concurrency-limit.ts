import type { FastifyInstance } from 'fastify'
import { type DocsUrl, operationalReply } from '../../handlers/reply.js'
import { addressGroups, clientAddress, wideFactor } from './client-address.js'
import type { ConnectionLimits } from './connection-tracker.js'
import { sendReply } from './send-reply.js'

/**
 * Limits how many requests of one client a trusted proxy forwards at the same time, as the number of connections is
 * limited for clients that connect directly.
 */
export function limitConcurrency(
  app: FastifyInstance,
  { maxPerAddress, isExempt }: Pick<ConnectionLimits, 'maxPerAddress' | 'isExempt'>,
  docsUrl: DocsUrl,
): void {
  const pending = new Map<string, number>()
  const add = (group: string, change: 1 | -1) => {
    const count = (pending.get(group) ?? 0) + change
    if (count === 0) pending.delete(group)
    else pending.set(group, count)
  }

  app.addHook('onRequest', (request, reply, done) => {
    if (!isExempt(request.socket.remoteAddress)) return done()
    const groups = addressGroups(clientAddress(request))
    const isExceeded = groups.some(
      (group, i) => (pending.get(group) ?? 0) >= maxPerAddress * (i === 0 ? 1 : wideFactor),
    )
    if (isExceeded) return void sendReply(reply, operationalReply('RATE_LIMITED', docsUrl))
    for (const group of groups) add(group, 1)
    reply.raw.once('close', () => {
      for (const group of groups) add(group, -1)
    })
    done()
  })
}
