// Who a caller is, in a circle and in words.

import { signedOut } from '../src/mock/state/limit-words.js'

const colours = ['#4a4fd0', '#0b7a75', '#a3478a', '#b0541e', '#5b6470', '#3a6ea5']

const colourOf = (id: string) => colours[[...id].reduce((sum, sign) => sum + sign.charCodeAt(0), 0) % 6]

/** The first letters of the first two words: `acme-owner` is AO. */
const initials = (id: string) => {
  const [first = '', second] = id.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  return (second ? `${first[0]}${second[0]}` : first.slice(0, 2)).toUpperCase()
}

export const nameOfCaller = (session: string | undefined): string => session ?? signedOut

export const Avatar = ({ session }: { session?: string }) => (
  <i
    class={session === undefined ? 'avatar out' : 'avatar'}
    aria-hidden="true"
    style={session === undefined ? undefined : { background: colourOf(session) }}
  >
    {session === undefined ? '?' : initials(session)}
  </i>
)
