import { LRUCache } from 'lru-cache'
import type { ProjectName } from '../../contract/schemas.js'
import { createQueue } from '../queue.js'
import type { ProjectList } from '../store.js'

export type LargeListMemory<Item> = LRUCache<string, ProjectList<Item>>

/** The maximum size of the remembered names, in characters. */
const maxNames = 32 * 1024 * 1024

/** Remembers the names of large teams, which every session shows, until the team's version changes. */
export const createNamesMemory = (): LargeListMemory<ProjectName> =>
  new LRUCache({
    maxSize: maxNames,
    sizeCalculation: ({ projects }) =>
      projects.reduce((sum, { id, name }) => sum + id.length + name.length + 50, 1),
  })

/** Reads large lists one at a time, without delaying requests. Callers that saw the same version share a list. */
export function shareLargeLists<Item>(
  load: (teamId: string) => Promise<ProjectList<Item>>,
  memory?: LargeListMemory<Item>,
): (teamId: string, seen: string | undefined) => Promise<ProjectList<Item>> {
  const inOrder = createQueue()
  const loading = new Map<string, Promise<ProjectList<Item>>>()
  const remembered = (teamId: string, version: string | undefined) => {
    const list = memory?.get(teamId)
    return list?.version === version ? list : undefined
  }

  return async (teamId, seen) => {
    const key = JSON.stringify([teamId, seen])
    const same = remembered(teamId, seen) ?? loading.get(key)
    if (same) return same
    const own = inOrder(async () => {
      // Another call may have read it meanwhile.
      const list = remembered(teamId, seen) ?? (await load(teamId))
      memory?.set(teamId, list)
      return list
    }).finally(() => loading.delete(key))
    loading.set(key, own)
    return own
  }
}
