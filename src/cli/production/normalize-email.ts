import { UserError } from '../user-error.js'

/** An email address as the interface stores it (section 4.5): trimmed, lower-cased. @throws UserError */
export async function normalizeEmail(email: string): Promise<string> {
  const { JoinWaitlistBody } = await import('../../contract/schemas.js')
  const parsed = JoinWaitlistBody.safeParse({ email })
  if (parsed.success) return parsed.data.email
  throw new UserError(`"${email}" is not an email address.`, 'Give one such as ada@example.com.')
}
