import { createHmac } from 'node:crypto'
import { nameKey } from '../../contract/project-name.js'
import {
  clustersOf,
  type Freedom,
  isBlank,
  isPictograph,
  type Pick,
  replaceCluster,
} from './replace-cluster.js'

/** A text whose parts at these positions stay. */
export type Template = { text: string; stays?(index: number): boolean }

export type Anonymizer = {
  secret: string | Buffer
  /** Whether a made text is one of the replaced ones. */
  isOriginal(text: string): boolean
}

/** Texts of at most this length may be made again by chance: there are not enough others. */
export const maxUnguarded = 3
const maxAttempts = 10_000
const freedomOf = (attempt: number): Freedom => (attempt < 4 ? 0 : attempt < 24 ? 1 : attempt < 64 ? 2 : 3)

/**
 * Makes a text for each of some texts: the same one for the same secret, kind and text. Texts that are equal but for case
 * (`nameKey`) stay so, all others get made texts that differ in more than case.
 * @param template what is replaced in a text
 */
export function makeTexts(
  { secret, isOriginal }: Anonymizer,
  kind: string,
  texts: Iterable<string>,
  template: (text: string) => Template = (text) => ({ text }),
): Map<string, string> {
  const groups = new Map<string, string[]>()
  for (const text of new Set(texts)) {
    const key = nameKey(text)
    const spellings = groups.get(key)
    if (spellings) spellings.push(text)
    else groups.set(key, [text])
  }
  const made = new Map<string, string>()
  const usedKeys = new Set<string>()

  const isAllowed = (candidates: string[]): boolean => {
    const keys = candidates.map(nameKey)
    return (
      countOf(keys) === 1 &&
      !usedKeys.has(keys[0] ?? '') &&
      countOf(candidates) === candidates.length &&
      !candidates.some((text) => text.length > maxUnguarded && isOriginal(text))
    )
  }
  const make = (key: string, spellings: string[]): void => {
    const spelt = spellings.map((text) => readTemplate(template(text)))
    // Where the spellings leave nothing to replace, such as ßßßß beside SSSSSSSS, they get texts of their own.
    const attempts = spellings.length > 1 ? 64 : maxAttempts
    const seed = seedOf(secret, `${kind}\0${key}`)
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const candidates = makeAlike(spelt, createPick(seed, attempt), freedomOf(attempt))
      if (!isAllowed(candidates)) continue
      usedKeys.add(nameKey(candidates[0] ?? ''))
      for (const [i, text] of candidates.entries()) made.set(spellings[i] ?? '', text)
      return
    }
    if (spellings.length === 1) throw new Error(`No other text of this length was found for a ${kind}`)
    for (const text of spellings) make(text, [text])
  }
  for (const [key, spellings] of groups) {
    if (isBlank(key)) for (const text of spellings) made.set(text, text)
    else make(key, spellings)
  }
  return made
}

/** The beginning of the choices for a text: without the secret nobody can tell which text it belongs to. */
export const seedOf = (secret: string | Buffer, text: string): Buffer =>
  createHmac('sha256', secret).update(text).digest()

/** The choices of an attempt. */
export function createPick(seed: Buffer, attempt: number): Pick {
  const [a, b, c] = [0, 4, 8].map((offset) => seed.readInt32LE(offset)) as [number, number, number]
  const start = mix(a ^ attempt)
  return (position, size) => mix(mix((start + b) ^ position) + c) % size
}

/** The finalizer of MurmurHash3: each bit of the result depends on all bits. */
function mix(value: number): number {
  const first = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35)
  return (second ^ (second >>> 16)) >>> 0
}

/** A character of a text, with its place there and in the key of the text. */
type Cluster = { text: string; position: number; stays: boolean; isJoined: boolean }
/** The characters of a text, and where their keys end in its key: the spellings of a name have the same key. */
type Spelling = { clusters: Cluster[]; ends: number[] }

/**
 * Replaces the spellings of one name alike. Where two of them differ by more than case and composition, as `ß` and `SS` do,
 * that part stays.
 */
function makeAlike(spellings: Spelling[], pick: Pick, freedom: Freedom): string[] {
  const replace = ({ text, position, stays, isJoined }: Cluster) =>
    stays ? text : replaceCluster(text, position, pick, freedom, isJoined)
  if (spellings.length === 1) {
    return spellings.map(({ clusters }) => clusters.map(replace).join(''))
  }
  const [first, ...others] = spellings.map(({ ends }) => new Set(ends))
  const shared = [...(first ?? [])].filter((end) => others.every((ends) => ends.has(end)))
  const parts = shared.map((end, i) => {
    const start = shared[i - 1] ?? 0
    const within = spellings.map(({ clusters }) =>
      clusters.filter(({ position }) => position >= start && position < end),
    )
    const made = within.map((clusters) => clusters.map(replace).join(''))
    const original = within.map((clusters) => clusters.map(({ text }) => text).join(''))
    const isAlike = countOf(made.map(nameKey)) === 1 && countOf(made) === countOf(original)
    return isAlike ? made : original
  })
  return spellings.map((_, i) => parts.map((part) => part[i]).join(''))
}

const countOf = (texts: string[]): number => new Set(texts).size

function readTemplate({ text, stays = () => false }: Template): Spelling {
  const clusters: Cluster[] = []
  const ends: number[] = []
  let index = 0
  let position = 0
  for (const cluster of clustersOf(text)) {
    const isBeside = text[index - 1] === joiner || text[index + cluster.length] === joiner
    const isJoined = isBeside && isPictograph(cluster)
    clusters.push({ text: cluster, position, stays: stays(index), isJoined })
    index += cluster.length
    position += keyLength(cluster)
    ends.push(position)
  }
  return { clusters, ends }
}

const joiner = '\u200d'

const keyLength = (cluster: string): number =>
  cluster.length === 1 && cluster < '\x80' ? 1 : nameKey(cluster).normalize('NFD').length
