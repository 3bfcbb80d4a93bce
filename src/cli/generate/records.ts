import type { Project, User } from '../../contract/schemas.js'
import type { Team } from '../../store/state-file.js'
import { digestOf, idOf, pick, timeOf } from './digest.js'
import type { Words } from './words.js'

/** A team of a seed, by its number from 1. */
export function teamOf(seed: number, number: number, { companies }: Words): Team {
  const name = pick(companies, digestOf(seed, 'team', number), 12)
  return { id: teamIdOf(seed, number), name, orgCode: `org_s${seed}_${number}` }
}

function teamIdOf(seed: number, number: number): string {
  const digest = digestOf(seed, 'team', number)
  return idOf(digest, timeOf(digest))
}

/** A user of a team, by their numbers from 1. The address says which one it is. */
export function userOf(seed: number, team: number, number: number, words: Words): User {
  const digest = digestOf(seed, 'user', team, number)
  const givenName = pick(words.givenNames, digest, 12)
  const familyName = pick(words.familyNames, digest, 14)
  const local = [givenName, familyName].map((name) => name.toLowerCase().replace(/[^a-z]/g, ''))
  return {
    id: idOf(digest, timeOf(digest)),
    email: `${local.join('.')}.${number}@team${team}.s${seed}.example`,
    givenName,
    familyName,
    picture: '',
  }
}

const statuses = [
  'active',
  'active',
  'active',
  'active',
  'active',
  'paused',
  'completed',
  'completed',
  'archived',
]

/** A project of a team, by its number from 0. Its name is no other's in the team. */
export function projectOf(seed: number, team: Team, number: number, words: Words): Project {
  const digest = digestOf(seed, 'project', team.id, number)
  const createdAt = timeOf(digest)
  const hasDescription = digest.readUInt16BE(18) % 5 > 0
  return {
    id: idOf(digest, createdAt),
    name: nameOf(number, team, words),
    description: hasDescription ? pick(words.descriptions, digest, 16) : null,
    status: pick(statuses, digest, 20),
    teamId: team.id,
    createdAt: new Date(createdAt).toISOString(),
  }
}

/** Steps through all pairs of words, each team from a place of its own; then all over again with a number. */
function nameOf(number: number, team: Team, { adjectives, nouns }: Words): string {
  const pairs = adjectives.length * nouns.length
  const start = Number.parseInt(team.id.slice(-8), 16)
  // A prime that divides the number of pairs would come round too early; this one is above all of them.
  const pair = (start + number * 1_000_003) % pairs
  const name = `${adjectives[pair % adjectives.length]} ${nouns[Math.floor(pair / adjectives.length)]}`
  const round = Math.floor(number / pairs)
  return round === 0 ? name : `${name} ${round + 1}`
}

/** Whether a team is one that a seed made, whatever the seed. */
export function isGeneratedTeam({ id, orgCode }: Team): boolean {
  const [, seed, number] = orgCode.match(/^org_s(\d+)_(\d+)$/) ?? []
  return seed !== undefined && id === teamIdOf(Number(seed), Number(number))
}

/** Whether a user is one that a seed made, whatever the seed. */
export function isGeneratedUser({ id, email }: Pick<User, 'id' | 'email'>): boolean {
  const [, number, team, seed] = email.match(/\.(\d+)@team(\d+)\.s(\d+)\.example$/) ?? []
  if (seed === undefined) return false
  const digest = digestOf(Number(seed), 'user', Number(team), Number(number))
  return id === idOf(digest, timeOf(digest))
}
