import { requiredPermissions } from '../../contract/operations.js'
import type { RecordEditor } from '../../store/memory/record-editor.js'
import type { StateKind, Team } from '../../store/state-file.js'
import { ControlError } from './control-error.js'

/** A persona to add, with its user. Only the id is required. */
export type NewPersona = {
  /** The id of the session. */
  id: string
  /** Default: made from the id. The names are made from it. */
  email?: string
  givenName?: string
  familyName?: string
  /**
   * A team with this organisation code is added if there is none. Without it and `teamName`, the persona has no organisation.
   */
  orgCode?: string
  teamName?: string
  /** Default: all permissions. */
  permissions?: string[]
  role?: string
  note?: string
}

type Context = {
  editor: RecordEditor
  now(): Date
  newId(): string
  /** The organisation of the active persona. */
  orgCode: string | undefined
}

/** Completes a new record. Fields that cannot be made are left to the validation. */
export function completeRecord(kind: StateKind, record: unknown, context: Context): unknown {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return record
  const given: Record<string, unknown> = Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== undefined),
  )
  return { ...defaultsOf[kind](given, context), ...given }
}

type Given = Record<string, unknown>

const defaultsOf: Record<StateKind, (given: Given, context: Context) => object> = {
  teams({ name, orgCode }, { editor }) {
    const slug = slugOf(name ?? orgCode)
    return {
      id: freeId(`team-${slug}`, isTaken(editor, 'teams')),
      orgCode: freeId(`org_${slug}`, (code) => teamOf(editor, code) !== undefined),
    }
  },
  users({ email, givenName, ...given }, { editor }) {
    const local = String(email).replace(/@.*$/s, '')
    const [first = '', ...others] = local.split(/[^\p{L}\p{N}]+/u).map(capitalize)
    const { id = freeId(`user-${slugOf(local)}`, isTaken(editor, 'users')) } = given
    const familyName = givenName === undefined ? others.join(' ') : ''
    return { id, givenName: first, familyName, picture: `https://avatars.example/${id}.png` }
  },
  sessions: () => ({ permissions: requiredPermissions }),
  projects: (_, { editor, orgCode, newId, now }) => ({
    id: newId(),
    description: null,
    status: 'active',
    teamId: orgCode === undefined ? undefined : teamOf(editor, orgCode)?.id,
    createdAt: now().toISOString(),
  }),
  waitlist: (_, { now }) => ({ createdAt: now().toISOString() }),
}

/**
 * The records of a new persona: its session, its user, and its team if the organisation has none.
 * @throws ControlError if the team to add exists
 */
export function recordsOf(
  { id, email, givenName, familyName, orgCode, teamName, ...session }: NewPersona,
  editor: RecordEditor,
): { teams: unknown[]; users: unknown[]; sessions: unknown[] } {
  const context = { editor } as Context
  const existing = orgCode === undefined ? undefined : teamOf(editor, orgCode)
  if (existing && teamName !== undefined && teamName !== existing.name) {
    throw new ControlError(`The organisation "${orgCode}" has the team "${existing.name}" already.`)
  }
  const isNew = !existing && (orgCode ?? teamName) !== undefined
  const name = teamName ?? capitalize(String(orgCode).replace(/^org[_-]/, ''))
  const team = isNew ? (completeRecord('teams', { name, orgCode }, context) as Team) : undefined
  const userId = freeId(`user-${id}`, isTaken(editor, 'users'))
  const address = email ?? (String(id).includes('@') ? id : `${id}@mock.example`)
  const user = { id: userId, email: address, givenName, familyName }
  const persona = { id, userId, orgCode: orgCode ?? team?.orgCode, ...session }
  return {
    teams: team ? [team] : [],
    users: [completeRecord('users', user, context)],
    sessions: [completeRecord('sessions', persona, context)],
  }
}

const teamOf = (editor: RecordEditor, orgCode: string): Team | undefined =>
  (editor.all('teams') as Team[]).find((team) => team.orgCode === orgCode)

const isTaken = (editor: RecordEditor, kind: StateKind) => (key: string) =>
  editor.find(kind, key) !== undefined

/** The id, or the first free one of `id-2`, `id-3` … */
function freeId(id: string, taken: (id: string) => boolean): string {
  if (!taken(id)) return id
  for (let i = 2; ; i += 1) {
    if (!taken(`${id}-${i}`)) return `${id}-${i}`
  }
}

/** A text as a part of an id: `Müller & Co.` becomes `muller-co`. */
const slugOf = (text: unknown): string =>
  String(text)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join('-')
    .slice(0, 60) || 'new'

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
