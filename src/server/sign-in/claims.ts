import * as z from 'zod'
import { maxBodyBytes } from '../../contract/limits.js'
import { text, type User } from '../../contract/schemas.js'
import { type Identity, keyText } from '../../store/state-file.js'
import type { ClaimNames } from '../settings/settings-table.js'
import { type Claims, findClaim } from './find-claim.js'
import { SignInError } from './sign-in-error.js'

/** A user as identified by a provider. */
export type SignedIn = {
  identity: Identity
  profile: Omit<User, 'id'>
  /** The session at the provider, if the provider names it. */
  sid?: string
  /** Absent if the provider names none. */
  orgCode?: string
  /** Absent if the provider sends none, which differs from an empty list. */
  permissions?: string[]
  /** Remarks for the operator about the provider's claims, without values. */
  remarks: string[]
}

/**
 * Reads verified claims.
 * @param profile sources of the user's claims: the first one with a claim counts; `null` is no value
 * @param access the claims about organisation and permissions
 * @throws SignInError if identity, organisation or permissions cannot be read or stored: no session is created with wrong
 *   ones
 */
export function readClaims(
  names: ClaimNames,
  identity: Identity,
  profile: Claims[],
  access: Claims[],
): SignedIn {
  read(keyText(), 'sub', [{ sub: identity.subject }])
  for (const name of [names.organization, names.permissions]) refuseAnnounced(name, access)
  const orgCode = read(Organization, names.organization, access)
  const permissions = read(Permissions, names.permissions, access)
  const shown = {
    // Addresses are compared in this form.
    email: textOf(firstClaim(profile, names.email)).trim().toLowerCase(),
    givenName: textOf(firstClaim(profile, names.givenName)),
    familyName: textOf(firstClaim(profile, names.familyName)),
    picture: textOf(firstClaim(profile, names.picture)),
  }
  const isNamed = shown.givenName !== '' || shown.familyName !== ''
  const remarks = {
    [`the claim "${names.email}" is missing`]: shown.email === '',
    [`there is a claim "name", and neither "${names.givenName}" nor "${names.familyName}"`]:
      !isNamed && typeof firstClaim(profile, 'name') === 'string',
    [`the claim "${names.permissions}" has commas, which divide no permissions: spaces do, or a list`]:
      permissions?.some((permission) => permission.includes(',')) ?? false,
  }
  return {
    identity,
    profile: shown,
    ...(orgCode?.trim() && { orgCode }),
    ...(permissions && { permissions }),
    remarks: Object.keys(remarks).filter((remark) => remarks[remark]),
  }
}

const Organization = z.union([keyText(), z.string().regex(/^\s*$/)]).optional()
/** A list, or a text with spaces, as scopes are written. */
const Permissions = z
  .union([z.array(text()), text().transform((list) => list.split(/\s/).filter(Boolean))])
  .optional()
  .refine((list = []) => list.join(' ').length <= maxBodyBytes)

const firstClaim = (sources: Claims[], name: string): unknown =>
  sources.map((claims) => findClaim(claims, name)).find((value) => value != null)

/**
 * Refuses a sign-in whose claim the provider has announced and not sent: it would count as none. OpenID Connect Core, section
 * 5.6.2, names such claims in `_claim_names`; Entra ID has also `hasgroups`, for more groups than fit a token.
 */
function refuseAnnounced(name: string, sources: Claims[]): void {
  if (firstClaim(sources, name) !== undefined) return
  const announcement = sources.flatMap((claims) => [
    ...(name === 'groups' && claims.hasgroups === true ? ['hasgroups'] : []),
    ...Object.keys(Object(claims._claim_names))
      .filter((announced) => isPartOf(name, announced))
      .map(() => '_claim_names'),
  ])[0]
  if (announcement === undefined) return
  throw new SignInError(
    'unacceptable',
    `the provider announces the claim "${name}" by ${announcement} and does not send it: let it put the values into the ` +
      'token, at Entra ID by emitting only the groups that are assigned to the application, or app roles',
  )
}

const isPartOf = (path: string, claim: string): boolean => path === claim || path.startsWith(`${claim}.`)

function read<Value>(schema: z.ZodType<Value>, name: string, sources: Claims[]): Value {
  const parsed = schema.safeParse(firstClaim(sources, name))
  if (parsed.success) return parsed.data
  throw new SignInError('unacceptable', `the claim "${name}" has an unknown form`)
}

/** The profile is only shown: a value that cannot be stored, or is too long, becomes empty. */
const textOf = (claim: unknown): string => text().max(maxBodyBytes).safeParse(claim).data ?? ''
