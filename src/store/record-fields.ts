import type { User } from '../contract/schemas.js'

/** Removes fields that are null: a state file omits missing values. */
export const withoutNulls = (row: object) =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))

/** A user as in section 2.2, without the identity. */
export const toUser = ({ id, email, givenName, familyName, picture }: User): User => ({
  id,
  email,
  givenName,
  familyName,
  picture,
})

/** The key of a user's address: compared without regard to case. */
export const emailKey = (email: string): string => email.trim().toLowerCase()
