import { setTimeout as wait } from 'node:timers/promises'
import { StoreUnavailableError } from '../store.js'
import { askServer, hasAttributes, type Server } from './connection.js'
import type { ConnectionOptions, SessionAttributes } from './connection-options.js'

export type Choice = {
  server: Server
  /** Whether it is not what was asked for first: that may be back soon. */
  isSecondChoice: boolean
  /** The servers that accept writes beside it. */
  others: Server[]
}

/** How long the other hosts may take once one has answered, in milliseconds. */
const moreAnswersMs = 500

/**
 * Makes a function that asks every host of an address, and chooses the server with the wanted attributes. Where two accept
 * writes, a primary came back beside the promoted one: the one with the newest timeline is right. What is older than a
 * server that was used before, or is another database, is refused.
 */
export function createServerChoice(options: ConnectionOptions, connectMs: number): () => Promise<Choice> {
  /** What was used last. */
  let seen: Pick<Server, 'system' | 'timeline'> | undefined

  const refusal = ({ system, timeline, isStandby }: Server): string | undefined => {
    if (!seen) return undefined
    if (system !== seen.system) return 'is another database than before'
    // A standby follows later.
    return timeline < seen.timeline && !isStandby ? 'was replaced by a server that was promoted' : undefined
  }

  return async () => {
    const { servers, faults } = await askAll(options, connectMs)
    const usable = servers.filter((server) => {
      const reason = refusal(server)
      if (reason) faults.push(`${nameOf(server)} ${reason}`)
      return reason === undefined
    })
    for (const [i, attributes] of choices(options).entries()) {
      const matching = usable.filter((server) => hasAttributes(server, attributes))
      // Of equal timelines the first one in the address; toSorted() keeps the order.
      const [server] = matching.toSorted((a, b) => b.timeline - a.timeline)
      if (!server) continue
      seen = { system: server.system, timeline: Math.max(server.timeline, seen?.timeline ?? 0) }
      const isPrimary = (each: Server) => !each.isReadOnly && !each.isStandby
      const others = servers.filter((each) => isPrimary(each) && !isSame(each, server))
      return { server, isSecondChoice: i > 0, others: isPrimary(server) ? others : [] }
    }
    const unwanted = usable.map((server) => `${nameOf(server)} is not ${options.sessionAttributes}`)
    const reason = [...new Set([...faults, ...unwanted])].join('; ')
    throw new StoreUnavailableError(`The database ${options.name} cannot be used for now (${reason})`)
  }
}

/** Whether two hosts of the address lead to one server. */
const isSame = (a: Server, b: Server): boolean => a.system === b.system && a.startedAt === b.startedAt

const nameOf = ({ host: { host, port } }: Server): string => `The server ${host}:${port}`

/** The attributes to look for, the first choice first. */
function choices({ hosts, sessionAttributes }: ConnectionOptions): SessionAttributes[] {
  if (sessionAttributes === 'prefer-standby') return ['standby', 'any']
  // Of several hosts the one that accepts writes is better than any.
  return sessionAttributes === 'any' && hosts.length > 1 ? ['read-write', 'any'] : [sessionAttributes]
}

/** What an operator has to do where several servers accept writes; undefined where one does. */
export function describePrimaries({ host, timeline }: Server, others: Server[]): string | undefined {
  if (others.length === 0) return undefined
  const names = others.map((each) => `${each.host.host}:${each.host.port}`).join(', ')
  return `several servers accept writes: ${host.host}:${host.port} is used (timeline ${timeline}), and ${names} must be stopped`
}

/** Asks all hosts at once. Those that do not answer are waited for only until one has answered, and a moment longer. */
async function askAll(options: ConnectionOptions, connectMs: number) {
  const servers: Server[] = []
  const errors: Error[] = []
  const asked = options.hosts.map((host) => askServer(options, host, connectMs))
  for (const each of asked)
    each.then(
      (server) => servers.push(server),
      (error) => errors.push(error),
    )
  const oneAndMore = Promise.any(asked).then(() => wait(moreAnswersMs, undefined, { ref: false }))
  await Promise.race([Promise.allSettled(asked), oneAndMore.catch(() => {})])
  if (options.hosts.length === 1 && errors[0]) throw errors[0]
  const faults = errors.map(({ message, cause }) => (cause as Error | undefined)?.message || message)
  // In the order of the address.
  const order = ({ host }: Server) => options.hosts.indexOf(host)
  return { servers: servers.toSorted((a, b) => order(a) - order(b)), faults }
}
