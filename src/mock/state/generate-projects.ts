import { defaultTeamLimits, exceededLimit, sizeOfNew, type TeamSize } from '../../contract/limits.js'
import { nameKey } from '../../contract/project-name.js'
import type { Project } from '../../contract/schemas.js'
import type { SessionRecord, Team } from '../../store/state-file.js'
import { ControlError } from './control-error.js'

type Context = {
  team: Team
  /** The projects that the team has: a new one has another name. */
  existing: readonly Project[]
  now: Date
  newId(): string
}

const firstWords =
  'Annual Blue Central Digital Early External Global Green Internal Joint Light Local Mobile National New North Open Partner Public Quick Shared Silver Virtual Winter'
const secondWords =
  'archive audit budget campaign catalogue dashboard directory event forecast handbook inbox inventory launch migration newsletter onboarding pipeline portal report roadmap shop survey training website'
const [first, second] = [firstWords.split(' '), secondWords.split(' ')]
const pairs = first.length * second.length
const statuses = ['active', 'active', 'paused', 'completed', 'archived']

/** E.g. `Early budget`; once all pairs are used, `Early budget 2`. A prime step reaches every pair. */
function nameOf(number: number): string {
  const pair = (number * 331) % pairs
  const name = `${first[pair % first.length]} ${second[Math.floor(pair / first.length)]}`
  return number < pairs ? name : `${name} ${Math.floor(number / pairs) + 1}`
}

/**
 * Generates projects for a long list, always the same ones: each an hour older than the one before, with different names,
 * statuses and descriptions.
 * @throws ControlError if the team would exceed a limit
 */
export function generateProjects(count: number, { team, existing, now, newId }: Context): Project[] {
  const taken = new Set(existing.map(({ name }) => nameKey(name)))
  const made: Project[] = []
  for (let number = 0; made.length < count; number += 1) {
    const name = nameOf(number)
    if (taken.has(nameKey(name))) continue
    const i = made.length
    made.push({
      id: newId(),
      name,
      description: i % 4 === 3 ? null : `What the team plans for the ${name.toLowerCase()}.`,
      status: statuses[i % statuses.length] as string,
      teamId: team.id,
      createdAt: new Date(now.getTime() - i * 3_600_000).toISOString(),
    })
  }
  if (exceededLimit(sizeOf(existing), sizeOf(made), defaultTeamLimits))
    throw new ControlError(
      `${team.name} has ${numberText(existing.length)} of the ${numberText(defaultTeamLimits.projects)} projects that a team can have, with at most ${numberText(defaultTeamLimits.bytes / 1024 / 1024)} MiB of text: ${numberText(count)} more are too many.`,
      [],
      409,
    )
  return made
}

const numberText = (count: number) => count.toLocaleString('en')

const sizeOf = (projects: readonly Project[]): TeamSize =>
  projects
    .map(sizeOfNew)
    .reduce((sum, { projects, bytes }) => ({ projects: sum.projects + projects, bytes: sum.bytes + bytes }), {
      projects: 0,
      bytes: 0,
    })

/** @throws ControlError if the persona, or the caller without one, has no team */
export function teamOfPersona(persona: SessionRecord | undefined, teams: readonly Team[]): Team {
  const team = persona && teams.find(({ orgCode }) => orgCode === persona.orgCode)
  if (team) return team
  throw new ControlError(
    persona
      ? `${persona.id} has no team that could have projects: name another persona.`
      : 'The client with session=active is signed out: name a persona, whose team gets the projects.',
    [],
    409,
  )
}
