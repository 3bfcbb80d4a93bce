import { isLoopbackHttpUrl } from '../../contract/loopback.js'
import { parseDuration } from './duration.js'

// What the text of a setting is parsed with: undefined where it is not valid. Without zod: the command line loads the
// table of settings at every start.

export const oneOf =
  <const Word extends string>(...words: Word[]) =>
  (text: string): Word | undefined =>
    words.find((word) => word === text)

export const matching =
  (pattern: RegExp) =>
  (text: string): string | undefined =>
    pattern.test(text) ? text : undefined

export const nonBlank = matching(/\S/)
export const hostName = matching(/^\S+$/)

/** A list separated by commas; it may be empty. */
export const listOf =
  <Item>(parse: (item: string) => Item | undefined) =>
  (text: string): Item[] | undefined => {
    const items = text.split(',').map((item) => item.trim())
    const parsed = items.filter(Boolean).map(parse)
    return parsed.includes(undefined) ? undefined : (parsed as Item[])
  }

export const integer =
  (min: number, max: number) =>
  (text: string): number | undefined => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    return number >= min && number <= max ? number : undefined
  }

export function secrets(text: string): string[] | undefined {
  const all = text.split(',').map((secret) => secret.trim())
  return all.every((secret) => Buffer.byteLength(secret) >= 32) ? all : undefined
}

export function httpOrigin(text: string): string | undefined {
  const url = httpUrl(text)
  return url && url.href === `${url.origin}/` ? url.origin : undefined
}

/** A URL without query, and without the slashes at its end. */
export function httpBase(text: string): string | undefined {
  const url = httpUrl(text)
  return url && !url.search && !url.hash ? url.href.replace(/\/+$/, '') : undefined
}

/** The issuer of an identity provider, as it was written: it is compared with what the provider sends. */
export function issuer(text: string): string | undefined {
  const url = httpUrl(text)
  const isEncrypted = url && (url.protocol === 'https:' || isLoopbackHttpUrl(text))
  return isEncrypted && !url.search && !url.hash ? text : undefined
}

/** An IP address, a network of them, or `loopback`. */
export function network(text: string): string | undefined {
  if (text === 'loopback') return text
  const [address = '', bits, ...more] = text.split('/')
  const maxBits = isIPv4(address) ? 32 : isIPv6(address) ? 128 : -1
  const isNetwork = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits)
  return maxBits > 0 && isNetwork && more.length === 0 ? text : undefined
}

/** A number within a time, e.g. `100/1m`; `off` for no limit. */
export function rate(text: string): { max: number; ms: number } | 'off' | undefined {
  if (text === 'off') return text
  const [, max, time] = text.match(/^(\d{1,9})\/(\w+)$/) ?? []
  const ms = parseDuration(time ?? '')
  return ms && Number(max) > 0 ? { max: Number(max), ms } : undefined
}

function httpUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url && /^https?:/.test(url.protocol) && !url.username && !url.password ? url : undefined
}

// node:net has isIP, and takes 2 ms to load. A host that ends in a number is an IPv4 address, or the URL is not valid.
const isIPv4 = (text: string): boolean =>
  /\.\d+$/.test(text) && URL.canParse(`http://${text}`) && new URL(`http://${text}`).hostname === text
const isIPv6 = (text: string): boolean =>
  /^[\da-f:.]*:[\da-f:.]*$/i.test(text) && URL.canParse(`http://[${text}]`)
