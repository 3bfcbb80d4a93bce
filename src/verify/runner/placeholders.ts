import type { CookieOf, Persona } from '../cases/case.js'
import type { TestData } from '../cases/test-data.js'

type Source = { baseUrl: string; cookieOf: CookieOf; data: TestData }

/** What stands for data of the service in paths and headers of a case, and the caller whose data it is, if any. */
const placeholders: Record<string, { of?: Persona; value(source: Source): string }> = {
  origin: { value: ({ baseUrl }) => new URL(baseUrl).origin },
  own: { of: 'acme-owner', value: ({ data }) => data.ownProject.id },
  foreign: { of: 'globex-owner', value: ({ data }) => data.foreignProject.id },
  otherTeam: { of: 'globex-owner', value: ({ data }) => data.bundle('globex-owner').teamId },
  otherOrganization: {
    of: 'globex-owner',
    value: ({ data }) => data.bundle('globex-owner').organization.orgCode,
  },
  otherUser: { of: 'globex-owner', value: ({ data }) => data.bundle('globex-owner').user.id },
  session: { of: 'acme-owner', value: ({ cookieOf }) => cookieOf('acme-owner').replace('session=', '') },
}

const pattern = new RegExp(`\\{(${Object.keys(placeholders).join('|')})\\}`, 'g')

/** The text with the data of a service in the place of its placeholders. */
export const fillIn = (text: string, source: Source): string =>
  text.replace(pattern, (_, name) => placeholders[name]?.value(source) ?? '')

/** The callers whose data a text needs. */
export const callersIn = (text: string): Persona[] =>
  [...text.matchAll(pattern)].flatMap(([, name = '']) => placeholders[name]?.of ?? [])
