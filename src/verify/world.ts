import type { Project, SessionBundle } from '../contract/schemas.js'
import type { Persona } from './case.js'

/** What the service holds at the start of a case: from a fixture, or as it says of itself. */
export type World = {
  /** The bundle of a persona, without the mark of the mock (section 2.2). */
  bundle(as: Persona): Omit<SessionBundle, 'devMode' | 'role'>
  /** The role by which the mock marks a persona's bundle. */
  role(as: Persona): string | undefined
  /** The projects of a persona's team, in the order of the list (section 4.2). */
  projects(as: Persona): Project[]
  /** A project of the team of `acme-owner`. */
  mine: Project
  /** A project of the team of `globex-owner`. */
  foreign: Project
}

/** The names that the projects of a world have; cases change the first and take the others for taken names. */
export const worldNames = {
  mine: 'Mobile app',
  others: ['Website relaunch', 'Äpfel & Birnen', 'Data warehouse'],
  foreign: 'Reactor safety',
} as const
