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
    const fields = Object.entries(body).filter(([, value]) => value !== undefined)
    const at = fields.findIndex(([, value]) => Array.isArray(value) && value.length >= fewItems)
    if (at < 0) return Buffer.from(JSON.stringify(body))
    const texts = fields.map(
      ([name, value], i) => `${JSON.stringify(name)}:${i === at ? '' : JSON.stringify(value)}`,
    )
    const list = encodeList(fields[at]?.[1])
    const after = texts.slice(at + 1).map((text) => `,${text}`)
    const parts: BodyParts = [
      Buffer.from(`{${texts.slice(0, at + 1).join(',')}`),
      list,
      Buffer.from(`${after.join('')}}`),
    ]
    return list.length > largeListBytes ? parts : Buffer.concat(parts)
  }
}
