import * as z from 'zod'

/**
 * Lets zod create schemas without trying `new Function`, which a policy of a page such as `script-src 'self'` reports as a
 * violation. The setting is global: only the schemas that are created before `restore` have it.
 * @returns restore
 */
export function avoidEval(): () => void {
  if (!globalThis.document) return () => {}
  const { jitless } = z.config()
  z.config({ jitless: true })
  return () => void z.config({ jitless })
}
