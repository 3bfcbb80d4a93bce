/** From this length in bytes on a list is not copied into the bodies that show it. */
const largeListBytes = 1024 * 1024
/** Lists of fewer items are encoded with their body. */
const fewItems = 100

/** A body whose large list is not copied: what comes before the list, the list, and what comes after it. */
export type BodyParts = readonly [before: Buffer, list: Buffer, after: Buffer]

/**
 * Makes a function that encodes bodies as JSON. A list that several bodies have in common, as all sessions of a team have
 * the names of its projects, is encoded once.
 */
export function createBodyEncoder(): (body: object) => Buffer | BodyParts {
  const encoded = new WeakMap<object, Buffer>()
  const encodeList = (list: object): Buffer => {
    const known = encoded.get(list)
    if (known) return known
    const json = Buffer.from(JSON.stringify(list))
    encoded.set(list, json)
    return json
  }

  return (body) => {
    const large = Object.entries(body).find(([, value]) => Array.isArray(value) && value.length >= fewItems)
    if (!large) return Buffer.from(JSON.stringify(body))
    const [name, list] = large
    // No text has this: a quote inside one is escaped.
    const field = `${JSON.stringify(name)}:`
    const [before, after] = JSON.stringify({ ...body, [name]: [] }).split(`${field}[]`)
    const parts: BodyParts = [Buffer.from(before + field), encodeList(list), Buffer.from(after ?? '')]
    return parts[1].length > largeListBytes ? parts : Buffer.concat(parts)
  }
}
