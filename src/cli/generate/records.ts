import { createHash } from 'node:crypto'
import type { Project, User } from '../../contract/schemas.js'
import { uuidTail, uuidV7 } from '../../contract/uuid.js'
import { emptyState, type State, type Team } from '../../store/state-file.js'
import { createWords, type Words } from './words.js'

/** How many records to generate; users and projects are per team. */
type Amounts = { teams: number; users: number; projects: number; seed: number }

/** Records per transaction: fewer mean more waiting for the disk, more make other writers wait. */
const batchSize = 5000

/** Generates the records of a seed, the same ones in the same order, in batches of constant memory. */
export function* generateBatches({ teams, users, projects, seed }: Amounts): Generator<State> {
  const words = createWords(seed)
  let batch = emptyState()
  let size = 0
  for (let number = 1; number <= teams; number += 1) {
    const team = generateTeam(seed, number, words)
    batch.teams.push(team)
    for (let i = 1; i <= users; i += 1) batch.users.push(generateUser(seed, number, i, words))
    size += 1 + users
    for (let i = 0; i < projects; i += 1) {
      batch.projects.push(generateProject(seed, team, i, words))
      size += 1
      if (size >= batchSize) {
        yield batch
        batch = emptyState()
        size = 0
      }
    }
  }
  if (size > 0) yield batch
}

/** Generated times lie in the year from here on, so that a seed generates the same times whenever it runs. */
const baseTime = Date.UTC(2025, 0, 1)
const span = 365 * 86_400_000

/** What one record of a seed is made of. It derives from its key alone, so that the record can be generated alone. */
function sourceOf(seed: number, ...key: (string | number)[]) {
  const digest = createHash('sha256')
    .update([seed, ...key].join('/'))
    .digest()
  const time = baseTime + Math.floor((digest.readUInt32BE(28) / 2 ** 32) * span)
  return {
    id: uuidV7(time, digest.readUInt16BE(6) % 4096, uuidTail(digest.subarray(8, 16))),
    createdAt: new Date(time).toISOString(),
    /** One of some items, by the two bytes of the digest from 16 to 27 at an offset. */
    pick: <Item>(items: readonly Item[], offset: number): Item =>
      items[digest.readUInt16BE(offset) % items.length] as Item,
  }
}

/** The team of a seed with this number, from 1. */
function generateTeam(seed: number, number: number, { companies }: Words): Team {
  const { id, pick } = sourceOf(seed, 'team', number)
  return { id, name: pick(companies, 16), orgCode: `org_s${seed}_${number}` }
}

/** The user of a team; numbers start at 1. The address contains the numbers. */
function generateUser(seed: number, team: number, number: number, words: Words): User {
  const { id, pick } = sourceOf(seed, 'user', team, number)
  const [givenName, familyName] = [pick(words.givenNames, 16), pick(words.familyNames, 18)]
  const local = [givenName, familyName].map((name) => name.toLowerCase().replace(/[^a-z]/g, ''))
  const email = `${local.join('.')}.${number}@team${team}.s${seed}.example`
  return { id, email, givenName, familyName, picture: '' }
}

const statuses = [...Array(5).fill('active'), 'paused', 'completed', 'completed', 'archived']

/** The project of a team with this number, from 0. Its name is unique in the team. */
function generateProject(seed: number, team: Team, number: number, words: Words): Project {
  const { id, createdAt, pick } = sourceOf(seed, 'project', team.id, number)
  const hasDescription = pick([true, true, true, true, false], 18)
  const description = hasDescription ? pick(words.descriptions, 16) : null
  const name = nameOf(number, team, words)
  return { id, name, description, status: pick(statuses, 20), teamId: team.id, createdAt }
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
