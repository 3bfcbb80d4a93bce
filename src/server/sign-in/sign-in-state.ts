import * as z from 'zod'
import { createSignedValues, type SignedValues } from '../sessions/signed-values.js'

const SignInState = z.strictObject({
  /** What the provider has to send back, and what must be in its token. */
  state: z.string().min(1),
  nonce: z.string().min(1),
  /** Proves to the provider that who fetches the tokens is who asked for them (PKCE). */
  verifier: z.string().min(1),
  returnTo: z.string(),
  expiresAt: z.iso.datetime(),
})

/** A sign-in that was begun here, as the browser that began it carries it to the provider and back. */
export type SignInState = z.infer<typeof SignInState>

/** How long somebody may take at the provider, in milliseconds. */
export const signInStateMs = 10 * 60_000

/** Makes and reads the values of the cookie that carries an attempt; they are no sessions, nor the other way round. */
export const createSignInStates = (secrets: string[]): SignedValues<SignInState> =>
  createSignedValues(secrets, 'sign-in', SignInState)
