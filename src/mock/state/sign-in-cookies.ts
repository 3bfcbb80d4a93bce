import { sessionCookie } from '../../contract/cookie.js'

export const setSessionCookie = (value = ''): string =>
  `${sessionCookie}=${value}; Path=/; SameSite=Lax${value ? '' : '; Max-Age=0'}`

/**
 * The marker that the sign-in page sets beside the session cookie: when a browser signed in or out, and as whom. The session
 * cookie stays the id of a persona.
 */
export const markerCookie = 'mock-sign-in'

/** @param id the persona; undefined for a browser that signed out @param time in milliseconds */
export const signInMarker = (id: string | undefined, time: number): string => `${id ?? ''}~${time}`

/** The Set-Cookie headers of a browser that signs in as a persona, or out. */
export const signInCookies = (id: string | undefined, marker: string | undefined): string[] => [
  setSessionCookie(id),
  ...(marker === undefined ? [] : [`${markerCookie}=${marker}; Path=/; SameSite=Lax`]),
]
