import type { Project, User } from '../../contract/schemas.js'
import type { Team } from '../../store/state-file.js'
import { digestOf, idOf, pick, timeOf } from './digest.js'
import type { Words } from './words.js'

/** The team of a seed with this number, from 1. */
export function generateTeam(seed: number, number: number, { companies }: Words): Team {
  const digest = digestOf(seed, 'team', number)
  const id = idOf(digest, timeOf(digest))
  return { id, name: pick(companies, digest, 12), orgCode: `org_s${seed}_${number}` }
}

/** The user of a team; numbers start at 1. The address contains the numbers. */
export function generateUser(seed: number, team: number, number: number, words: Words): User {
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

const statuses = [...Array(5).fill('active'), 'paused', 'completed', 'completed', 'archived']

/** The project of a team with this number, from 0. Its name is unique in the team. */
export function generateProject(seed: number, team: Team, number: number, words: Words): Project {
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

/** Steps through all pairs of words from an offset per team; after the last pair, again with a number. */
function nameOf(number: number, team: Team, { adjectives, nouns }: Words): string {
  const pairs = adjectives.length * nouns.length
  const start = Number.parseInt(team.id.slice(-8), 16)
  // A prime larger than the number of pairs reaches every pair before it repeats one.
  const pair = (start + number * 1_000_003) % pairs
  const name = `${adjectives[pair % adjectives.length]} ${nouns[Math.floor(pair / adjectives.length)]}`
  const round = Math.floor(number / pairs)
  return round === 0 ? name : `${name} ${round + 1}`
}

/** Whether a team was generated, by any seed. */
export const isGeneratedTeam = ({ orgCode }: { orgCode: string }): boolean => /^org_s\d+_\d+$/.test(orgCode)

/** Whether a user was generated, by any seed: nobody else has an address in `.example` (RFC 2606). */
export const isGeneratedUser = ({ email }: { email: string }): boolean =>
  /\.\d+@team\d+\.s\d+\.example$/.test(email)

/** Whether a generated user belongs to a team: the address names the seed and the number of the team. */
export const isOfGeneratedTeam = ({ email }: Pick<User, 'email'>, { orgCode }: Team): boolean =>
  email.endsWith(orgCode.replace(/^org_s(\d+)_(\d+)$/, '@team$2.s$1.example'))
