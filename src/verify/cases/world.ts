import type { Project, SessionBundle } from '../../contract/schemas.js'
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

/** The names of a world's projects. Cases change the first of each team; the others are names that are taken. */
export const worldNames = {
  mine: ['Mobile app', 'Website relaunch', 'Äpfel & Birnen', 'Data warehouse'],
  foreign: ['Reactor safety', 'Website relaunch'],
} as const
