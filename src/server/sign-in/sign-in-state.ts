import * as z from 'zod'
import { createSignedValues } from '../sessions/signed-values.js'

const SignInState = z.strictObject({
  /** The provider sends the state back, and puts the nonce into its token. */
  state: z.string().min(1),
  nonce: z.string().min(1),
  /** Proves to the provider that the client that fetches the tokens began the sign-in (PKCE). */
  verifier: z.string().min(1),
  returnTo: z.string(),
  expiresAt: z.iso.datetime(),
})

/** A sign-in in progress, stored in a cookie of the browser that began it. */
export type SignInState = z.infer<typeof SignInState>

/** The time limit of a sign-in, in milliseconds. */
export const signInStateMs = 10 * 60_000

/** Signs and verifies the values of the sign-in cookie, which is never accepted as a session cookie, nor the reverse. */
export const createSignInStates = (secrets: string[]) => createSignedValues(secrets, 'sign-in', SignInState)
