import type { Handler } from './handler.js'

/** Section 4.5. A repeated address gets the same reply: sign-ups are not revealed. */
export const joinWaitlist: Handler<'joinWaitlist'> = async ({ body, store, now }) => {
  await store.addToWaitlist({ email: body.email, createdAt: now().toISOString() })
  return { status: 'ok' }
}
