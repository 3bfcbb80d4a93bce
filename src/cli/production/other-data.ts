import type { Team, UserRecord } from '../../store/state-file.js'
import type { StoreReader } from '../../store/store.js'
import { pluralize } from '../output/pluralize.js'
import { allUsers } from './find-users.js'

/** Which records a seed loads itself. */
type OwnData = { isOwnTeam(team: Team): boolean; isOwnUser(user: UserRecord): boolean }

/** Counts in words the records that a seed does not load; empty if there are none. */
export async function otherData(store: StoreReader, { isOwnTeam, isOwnUser }: OwnData): Promise<string> {
  const teams = (await store.listTeams()).filter((team) => !isOwnTeam(team)).length
  let users = 0
  for await (const user of allUsers(store)) if (!isOwnUser(user)) users += 1
  const addresses = await store.countWaitlist()
  return [
    teams > 0 && pluralize(teams, 'team'),
    users > 0 && pluralize(users, 'user'),
    addresses > 0 && pluralize(addresses, 'address on the waitlist', 'addresses on the waitlist'),
  ]
    .filter(Boolean)
    .join(', ')
}
