import * as z from 'zod'
import { text, User } from '../../contract/schemas.js'
import type { Session } from '../../handlers/handler.js'
import type { Store } from '../../store/store.js'
import type { HostSession } from './host-caller.js'

/** An application's user may have more fields. They are not in the bundle (section 2.2). */
const Caller = z.object({
  user: z.object(User.shape),
  orgCode: text().nullish(),
  permissions: z.array(z.string()),
  id: z.string().min(1).optional(),
})

/**
 * The session of a caller whom the application has signed in, with the team of its organisation. Without a version, its
 * replies are not cached.
 * @throws TypeError that names each field of the caller that is missing or has another type
 */
export async function resolveHostSession(
  store: Pick<Store, 'teamOfOrganization'>,
  given: HostSession,
): Promise<Session> {
  const { data, error } = Caller.safeParse(given)
  if (!data) {
    const faults = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    throw new TypeError(`dashboardApi: \`session\` returned an invalid caller. ${faults.join('; ')}`)
  }
  const { user, permissions, id = user.id } = data
  const orgCode = data.orgCode?.trim() ? data.orgCode : undefined
  const team = orgCode === undefined ? undefined : await store.teamOfOrganization(orgCode)
  return { id, user, orgCode, team, permissions }
}
