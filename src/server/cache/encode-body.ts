import { oncePerObject } from '../../handlers/once-per-object.js'

/** From this length on, in bytes, a list is not copied into bodies. */
const largeListBytes = 1024 * 1024
/** Shorter lists are encoded with their body. */
const fewItems = 100

/** A body around a large list, which is not copied. */
export type BodyParts = readonly [before: Buffer, list: Buffer, after: Buffer]

/**
 * Makes a function that encodes bodies as JSON. Several bodies may share a list, such as the project names in all sessions of
 * a team: it is encoded once.
 */
export function createBodyEncoder(): (body: object) => Buffer | BodyParts {
  const encodeList = oncePerObject((list: object) => Buffer.from(JSON.stringify(list)))

  return (body) => {
    const large = Object.entries(body).find(([, value]) => Array.isArray(value) && value.length >= fewItems)
    if (!large) return Buffer.from(JSON.stringify(body))
    const [name, list] = large
    // Cannot occur inside a value: quotes are escaped there.
    const field = `${JSON.stringify(name)}:`
    const [before, after] = JSON.stringify({ ...body, [name]: [] }).split(`${field}[]`)
    const parts: BodyParts = [Buffer.from(before + field), encodeList(list), Buffer.from(after ?? '')]
    return parts[1].length > largeListBytes ? parts : Buffer.concat(parts)
  }
}
