/** Claims as a provider sends them. */
export type Claims = Record<string, unknown>

/**
 * The value of a claim, or of a field inside one: `https://x.example/org.code` is the claim with this whole name, or the
 * field `code` of the claim `https://x.example/org`. Names may have full stops: the longest name that leads to a value
 * counts. An index, from 0, names an element of a list.
 * @returns undefined if there is no such value
 */
export function findClaim(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path]
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
    const name = path.slice(0, dot)
    const inside = Object.hasOwn(claims, name) ? claims[name] : undefined
    const value = isClaims(inside) ? findClaim(inside, path.slice(dot + 1)) : undefined
    if (value !== undefined) return value
  }
  return undefined
}

export const isClaims = (value: unknown): value is Claims => typeof value === 'object' && value !== null
