// The kinds of records and their fields.

import type { StateKind, StateRecord } from '../src/store/state-file.js'

export type FieldInfo = {
  name: string
  /** The width of its column; without one, it is in the form alone. */
  width?: string
  /** Whether it can be changed. */
  edits?: boolean
  /** Whether narrow tables leave it out. */
  minor?: boolean
  hint?: string
  initial?: string
  refers?: 'teams' | 'users'
  optional?: boolean
  nullable?: boolean
  /** Made if it is empty, or what is. */
  made?: true | string
  /** A list of texts, which is entered as JSON. */
  list?: boolean
  /** A text that may have several lines. */
  isLong?: boolean
  isTime?: boolean
}

const text = (name: string, width?: string, more: Partial<FieldInfo> = {}): FieldInfo => ({
  name,
  width,
  edits: true,
  ...more,
})
const id = (width: string): FieldInfo => ({ name: 'id', width, made: true, minor: true })
const time = (name: string, width?: string, more: Partial<FieldInfo> = {}) =>
  text(name, width, { minor: true, isTime: true, hint: 'e.g. 2026-01-31T12:00:00.000Z', ...more })

type KindInfo = { title: string; name: string; one: string; fields: FieldInfo[] }

export const kinds: Record<StateKind, KindInfo> = {
  projects: {
    title: 'Projects',
    name: 'projects',
    one: 'project',
    fields: [
      text('name', 'minmax(7rem, 2fr)'),
      text('description', 'minmax(6rem, 2fr)', { nullable: true, minor: true, isLong: true }),
      text('status', 'minmax(6.5rem, 1fr)', {
        hint: 'active, paused, completed, archived or any other',
        initial: 'active',
      }),
      text('teamId', 'minmax(7.5rem, 1fr)', {
        refers: 'teams',
        minor: true,
        made: 'That of session=active if empty',
      }),
      time('createdAt', 'minmax(6rem, 13em)', { made: true }),
      id('minmax(5rem, 22em)'),
    ],
  },
  teams: {
    title: 'Teams',
    name: 'teams',
    one: 'team',
    fields: [
      text('name', 'minmax(7rem, 2fr)'),
      text('orgCode', 'minmax(6rem, 1fr)', { hint: 'e.g. org_initech', made: true }),
      id('minmax(5rem, 1fr)'),
    ],
  },
  users: {
    title: 'Users',
    name: 'users',
    one: 'user',
    fields: [
      text('email', 'minmax(8rem, 2fr)'),
      text('givenName', 'minmax(5rem, 1fr)', { made: true }),
      text('familyName', 'minmax(5rem, 1fr)', { minor: true, made: true }),
      text('picture', undefined, { made: true }),
      id('minmax(5rem, 1fr)'),
      text('issuer', undefined, { optional: true, hint: 'The identity provider' }),
      text('subject', undefined, { optional: true }),
    ],
  },
  sessions: {
    title: 'Sessions',
    name: 'sessions',
    one: 'session',
    fields: [
      { ...id('minmax(7rem, 1fr)'), minor: false, made: undefined, hint: 'The name of the persona' },
      text('userId', 'minmax(6rem, 1fr)', { refers: 'users' }),
      text('orgCode', 'minmax(5rem, 1fr)', { optional: true, minor: true }),
      text('permissions', 'minmax(6rem, 1.5fr)', {
        list: true,
        minor: true,
        hint: 'A list as JSON',
        initial: '["create:projects", "update:projects"]',
      }),
      text('role', 'minmax(4rem, .7fr)', { optional: true, minor: true }),
      text('note', 'minmax(6rem, 1.5fr)', { optional: true, minor: true, isLong: true }),
      time('createdAt', undefined, { optional: true }),
      time('expiresAt', undefined, { optional: true }),
      time('revokedAt', undefined, { optional: true }),
    ],
  },
  waitlist: {
    title: 'Waitlist',
    name: 'waitlist entries',
    one: 'waitlist entry',
    fields: [
      { ...text('email', 'minmax(8rem, 2fr)'), edits: false },
      { ...time('createdAt', 'minmax(8rem, 1fr)', { made: true }), minor: false },
    ],
  },
}

export const keyOf = (record: StateRecord): string => ('id' in record ? record.id : record.email)
/** The name of a record for people. */
export const nameOf = (record: StateRecord): string =>
  'name' in record ? record.name : 'email' in record ? record.email : record.id
export const fieldValue = (record: StateRecord, { name }: FieldInfo): unknown => Reflect.get(record, name)

/** The line breaks of a text as they were before it was edited: a field has single ones alone. */
export const withBreaksOf = (earlier: string, text: string): string =>
  earlier.includes('\r\n') ? text.replaceAll(/\r?\n/g, '\r\n') : text

/** Whether a field of one line would lose a part of a text. */
export const hasLines = ({ isLong }: FieldInfo, text: string): boolean =>
  isLong === true || /[\r\n]/.test(text)

/** A value as it is entered. */
export const entered = (value: unknown): string =>
  value === undefined || value === null ? '' : Array.isArray(value) ? JSON.stringify(value) : String(value)

/** The value of a field for the entered text. `null` removes it, or is the value of a field that may be null. */
export function parseEntered(
  { name, list, optional, nullable, made }: FieldInfo,
  text: string,
): { value: unknown; fault?: undefined } | { fault: string } {
  if (list) {
    try {
      const value: unknown = JSON.parse(text)
      if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return { value }
    } catch {
      // Not JSON.
    }
    return { fault: 'Enter a list of texts as JSON, such as ["create:projects"].' }
  }
  if (text !== '') return { value: text }
  return optional || nullable || made ? { value: null } : { fault: `Enter a ${name}.` }
}

/** A time as people say it: the day, and the hour of one of these days. */
export function shownTime(iso: string): string {
  const time = new Date(iso)
  if (Number.isNaN(time.getTime())) return iso
  const ago = Date.now() - time.getTime()
  if (ago >= 0 && ago < 60_000) return 'just now'
  if (ago >= 0 && ago < 3_600_000) return `${Math.floor(ago / 60_000)} min ago`
  const date = time.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
  return `${date}, ${time.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })}`
}
