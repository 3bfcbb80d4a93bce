import type { Template } from './made-texts.js'
import { isBlank } from './replace-cluster.js'

/** The top-level domain of made hosts, which is reserved: nobody can have such an address (RFC 6761). */
const reserved = '.test'

/** An address at a host that cannot exist. */
export function addressTemplate(email: string): Template {
  const at = email.lastIndexOf('@')
  return at < 0 ? { text: email } : withHost(email, at + 1, email.length)
}

/** A URL at a host that cannot exist; of a `data:` URL the media type stays. */
export function pictureTemplate(picture: string): Template {
  const [, scheme, authority] = picture.match(/^(https?:\/\/)([^/?#]+)/) ?? []
  if (scheme && authority)
    return withHost(picture, scheme.length, scheme.length + authority.length, scheme.length)
  const [media = ''] = picture.match(/^data:[^,]*,/) ?? []
  return isBlank(picture.slice(media.length))
    ? { text: picture }
    : { text: picture, stays: (index) => index < media.length }
}

/**
 * Ends a host with the reserved domain. One that is too short for it becomes one word; one that is not ASCII gets other
 * letters, as all text does.
 * @param start where the host begins in the text, and `end` where it ends
 * @param kept the length of the beginning of the text that stays
 */
function withHost(text: string, start: number, end: number, kept = 0): Template {
  const host = text.slice(start, end)
  if (!/^[!-~]+$/.test(host)) return { text, stays: (index) => index < kept }
  const isLong = host.length > reserved.length
  const made = isLong
    ? host.slice(0, -reserved.length).replace(/[^\w.]|\.$/g, 'x') + reserved
    : host.replace(/\W/g, 'x')
  return {
    text: text.slice(0, start) + made + text.slice(end),
    stays: (index) => index < kept || (isLong && index >= end - reserved.length && index < end),
  }
}
