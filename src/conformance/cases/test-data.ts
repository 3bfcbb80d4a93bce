import type { Project, SessionBundle } from '../../contract/schemas.js'

/** The callers of the cases by their names in the demo fixture, and by those that options and reports use. */
export const callerNames = {
  'acme-owner': 'owner',
  'acme-member': 'member',
  'acme-viewer': 'viewer',
  'acme-creator': 'creator',
  'acme-updater': 'updater',
  'acme-near-miss': 'near-miss',
  'globex-owner': 'other-owner',
  'no-organization': 'no-organization',
  'no-team': 'no-team',
  expired: 'expired',
} as const

/** A caller. In the mock the name is the session cookie. */
export type Persona = keyof typeof callerNames
export const personas = Object.keys(callerNames) as Persona[]

/** What the service holds at the start of a case: read from a fixture, or discovered from the service. */
export type TestData = {
  /** The session bundle of a persona, without the mock's `devMode` and `role` (section 2.2). */
  bundle(as: Persona): Omit<SessionBundle, 'devMode' | 'role'>
  /** The projects of a persona's team, in the order of the list (section 4.2). */
  projects(as: Persona): Project[]
  /** A project of the team of `acme-owner`. */
  ownProject: Project
  /** A project of the team of `globex-owner`. */
  foreignProject: Project
}

/** The names of the projects that cases expect. Cases change the first of each team; the others are taken names. */
export const testProjectNames = {
  'acme-owner': ['Mobile app', 'Website relaunch', 'Äpfel & Birnen', 'Data warehouse'],
  'globex-owner': ['Reactor safety', 'Website relaunch'],
} as const
