import { isStorable } from '../contract/storable.js'
import { type Store, type StoreReader, UnstorableTextError } from './store.js'

type Value = string | number | null | undefined | Value[] | { [field: string]: Value }

const hasOnlyStorable = (value: Value): boolean => {
  if (typeof value === 'string') return isStorable(value)
  return typeof value !== 'object' || value === null || Object.values(value).every(hasOnlyStorable)
}

function requireStorable(...values: Value[]): void {
  if (hasOnlyStorable(values)) return
  throw new UnstorableTextError('Text with U+0000 or a lone surrogate cannot be stored')
}

/** Refuses what has a text that no store holds. */
const refusing =
  <Args extends Value[], Result>(write: (...args: Args) => Promise<Result>) =>
  async (...args: Args): Promise<Result> => {
    requireStorable(...args)
    return write(...args)
  }

/** Finds nothing by a text that no store holds. */
const finding =
  <Args extends Value[], Result>(read: (...args: Args) => Promise<Result>, nothing: () => Result) =>
  async (...args: Args): Promise<Result> =>
    hasOnlyStorable(args) ? read(...args) : nothing()

const none = () => undefined
const nowhere = () => []
const zero = () => 0

/**
 * Makes every store treat text with U+0000 or a lone surrogate alike: databases would refuse it, change it or end it
 * early. It is refused where it would be stored, and nothing is found by it. `load` takes what `parseState` has checked.
 */
export const withStorableText = <Checked extends Store>(store: Checked): Checked => ({
  ...findingStorable(store),
  addTeam: refusing(store.addTeam),
  async renameTeam(teamId, name) {
    requireStorable(name)
    return isStorable(teamId) ? store.renameTeam(teamId, name) : undefined
  },
  addProject: refusing(store.addProject),
  async updateProject(teamId, projectId, changes, limits) {
    requireStorable(changes)
    return hasOnlyStorable([teamId, projectId])
      ? store.updateProject(teamId, projectId, changes, limits)
      : undefined
  },
  addToWaitlist: refusing(store.addToWaitlist),
  removeFromWaitlist: finding(store.removeFromWaitlist, () => false),
  addUser: refusing(store.addUser),
  upsertUser: refusing(store.upsertUser),
  addSession: refusing(store.addSession),
  touchSession: finding(store.touchSession, none),
  revokeSession: finding(store.revokeSession, () => false),
  revokeSessionsOfUser: finding(store.revokeSessionsOfUser, zero),
  revokeSessionsOfOrganization: finding(store.revokeSessionsOfOrganization, zero),
  revokeSessionsOfProvider: refusing(store.revokeSessionsOfProvider),
})

/** The same for a store that is only read. */
export const findingStorable = <Checked extends StoreReader>(store: Checked): Checked => ({
  ...store,
  teamOfOrganization: finding(store.teamOfOrganization, none),
  team: finding(store.team, none),
  listProjects: finding(store.listProjects, nowhere),
  listProjectNames: finding(store.listProjectNames, nowhere),
  teamSize: finding(store.teamSize, () => ({ projects: 0, bytes: 0 })),
  project: finding(store.project, none),
  projectNamed: finding(store.projectNamed, none),
  waitlistAfter: finding(store.waitlistAfter, nowhere),
  countWaitlist: finding(store.countWaitlist, zero),
  user: finding(store.user, none),
  userWithEmail: finding(store.userWithEmail, none),
  usersWithEmail: finding(store.usersWithEmail, nowhere),
  usersAfter: finding(store.usersAfter, nowhere),
  session: finding(store.session, none),
  caller: finding(store.caller, none),
})
