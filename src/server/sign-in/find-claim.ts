/** Claims as a provider sends them. */
export type Claims = Record<string, unknown>

/**
 * The value of a claim, or of a field inside one: `https://x.example/org.code` is the claim of that whole name, or else
 * the field `code` of the claim `https://x.example/org`. Names may have full stops: of the names that a path can begin
 * with, the longest one that leads to a value counts. An element of a list is named by its index, from 0.
 * @returns undefined where there is no such value
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
