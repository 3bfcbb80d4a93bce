import type { ProjectName } from '../../contract/schemas.js'
import type { Store } from '../../store/store.js'

/** Beyond this length in bytes a list is not copied into the bodies that show it. */
const largeListBytes = 1024 * 1024

/** A body whose large list is not copied: the list, and what comes before and after it. */
export type BodyParts = readonly [before: Buffer, list: Buffer, after: Buffer]

export type SharedNames = {
  /** A store whose lists of names are empty. `encode` writes the names. */
  store: Store
  /** The JSON of a response body; in parts if it shows a large list. */
  encode(body: object): Buffer | BodyParts
}

/**
 * Encodes the names of a team's projects once, for the session bundles of all its members (section 2.2).
 * @param share returns the JSON of a team's list, cached or loaded
 */
export function shareNames(
  store: Store,
  share: (teamId: string, load: () => Promise<Buffer>) => Promise<Buffer>,
): SharedNames {
  /** The JSON of each list that a handler got as an empty array. */
  const encoded = new WeakMap<object, Buffer>()

  const listProjectNames = async (teamId: string): Promise<ProjectName[]> => {
    const load = async () => Buffer.from(JSON.stringify(await store.listProjectNames(teamId)))
    const names: ProjectName[] = []
    encoded.set(names, await share(teamId, load))
    return names
  }

  return {
    store: Object.assign(Object.create(store), { listProjectNames }),
    encode(body) {
      const text = JSON.stringify(body)
      const names = 'projects' in body && encoded.get(body.projects as object)
      if (!names) return Buffer.from(text)
      // No string of the body contains this: JSON escapes quotation marks.
      const [before, after] = text.split('"projects":[]')
      const parts: BodyParts = [Buffer.from(`${before}"projects":`), names, Buffer.from(`${after}`)]
      return names.length > largeListBytes ? parts : Buffer.concat(parts)
    },
  }
}
