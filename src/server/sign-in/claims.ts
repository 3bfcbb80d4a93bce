import * as z from 'zod'
import { text, type User } from '../../contract/schemas.js'
import { type Identity, keyText } from '../../store/state-file.js'
import { type Claims, findClaim } from './find-claim.js'
import { SignInError } from './sign-in-error.js'

/** The provider's names of the claims, or paths to a field inside one (`findClaim`). */
export type ClaimNames = {
  organization: string
  permissions: string
  email: string
  givenName: string
  familyName: string
  picture: string
}

/** A person as a provider identified them. */
export type SignedIn = {
  identity: Identity
  profile: Omit<User, 'id'>
  /** The session at the provider; left out where it does not name it. */
  sid?: string
  /** Left out: the provider names none. */
  orgCode?: string
  /** Left out: the provider sends no permissions, which differs from an empty list. */
  permissions?: string[]
}

/**
 * Reads verified claims.
 * @param profile the claims about the person, from one or more sources: the first one with a claim counts
 * @param access those about organisation and permissions
 * @throws SignInError where identity, organisation or permissions cannot be read or stored: nobody gets wrong ones
 */
export function readClaims(
  names: ClaimNames,
  identity: Identity,
  profile: Claims[],
  access: Claims[],
): SignedIn {
  read(keyText(), 'sub', identity.subject)
  const orgCode = read(Organization, names.organization, firstClaim(access, names.organization))
  const permissions = read(Permissions, names.permissions, firstClaim(access, names.permissions))
  return {
    identity,
    profile: {
      email: textOf(firstClaim(profile, names.email)),
      givenName: textOf(firstClaim(profile, names.givenName)),
      familyName: textOf(firstClaim(profile, names.familyName)),
      picture: textOf(firstClaim(profile, names.picture)),
    },
    ...(orgCode && { orgCode }),
    ...(permissions && { permissions }),
  }
}

const absent = z.null().transform(() => undefined)
const Organization = z.union([keyText(), z.literal(''), absent]).optional()
/** A list, or one text with spaces, as scopes are written. */
const Permissions = z
  .union([z.array(text()), text().transform((list) => list.split(/\s/).filter(Boolean)), absent])
  .optional()

const firstClaim = (sources: Claims[], name: string): unknown =>
  sources.map((claims) => findClaim(claims, name)).find((value) => value !== undefined)

function read<Value>(schema: z.ZodType<Value>, name: string, value: unknown): Value {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new SignInError('unacceptable', `the claim "${name}" has an unknown form`)
}

/** A profile is only shown: a value that cannot be stored is left empty. */
const textOf = (claim: unknown): string => text().safeParse(claim).data ?? ''
