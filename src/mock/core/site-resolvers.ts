import { type ErrorCode, errorDocsPath, errors } from '../../contract/errors.js'
import { safeReturnTo } from '../../contract/return-to.js'
import type { Store } from '../../store/store.js'
import type { MockReply, MockRoute } from './mock-handler.js'
import type { Personas } from './personas.js'
import { signInCookies } from './sign-in-cookies.js'
import type { PersonaCard } from './sign-in-page.js'

const loopbackForms = 'http://localhost:* http://127.0.0.1:* https://localhost:* https://127.0.0.1:*'

type Options = {
  personas: Personas
  store(): Promise<Store>
  /** The address of the mock, for the examples on its pages. */
  mockUrl: string
  /** Whether a redirect may lead to another origin. */
  isAllowedOrigin(origin: string): boolean
}

/** The mock's routes outside /v1/: sign-in as a persona, sign-out, and the pages that docsUrl links to. */
export function siteRoutes({ personas, store, mockUrl, isAllowedOrigin }: Options): MockRoute[] {
  const returnTo = (request: Request) => {
    const { searchParams, origin } = new URL(request.url)
    return safeReturnTo(searchParams.get('returnTo'), origin, isAllowedOrigin)
  }

  const choosePersona = async (request: Request, status: number) => {
    const cards = (await personas.list()).map(async ({ id, userId, note }): Promise<PersonaCard> => {
      return { id, note, email: (await (await store()).user(userId))?.email ?? '' }
    })
    const { signInPage } = await import('./sign-in-page.js')
    return html(signInPage(await Promise.all(cards), returnTo(request)), status, loopbackForms)
  }

  return [
    exactly('GET', '/auth/sign-in', ({ request }) => choosePersona(request, 200)),
    exactly('POST', '/auth/sign-in', async ({ request, body }) => {
      const id = new URLSearchParams(new TextDecoder().decode(body)).get('session')
      if (id === null || !personas.isKnown(id)) return choosePersona(request, 422)
      return redirect(returnTo(request), signInCookies(id, personas.marker(id)))
    }),
    exactly('POST', '/auth/sign-out', async ({ request }) => {
      const cookies = signInCookies(undefined, personas.marker(undefined))
      // A form needs a redirect, a script a plain response.
      if (request.headers.get('accept')?.includes('text/html')) return redirect(returnTo(request), cookies)
      return { status: 204, headers: {}, body: null, cookies }
    }),
    {
      method: 'GET',
      path: '/docs/errors/:slug',
      match(method, path) {
        return /^(GET|HEAD)$/.test(method) && errorPaths.has(path) ? {} : undefined
      },
      async resolve({ path }) {
        const { errorPage } = await import('../../pages/error-page.js')
        return html(errorPage(path.replace(/.*\//, ''), mockUrl) ?? '', 200)
      },
    },
  ]
}

const errorPaths = new Set((Object.keys(errors) as ErrorCode[]).map(errorDocsPath))

const exactly = (method: string, path: string, resolve: MockRoute['resolve']): MockRoute => ({
  method,
  path,
  match: (actualMethod, actualPath) =>
    (actualMethod === 'HEAD' ? 'GET' : actualMethod) === method && actualPath === path ? {} : undefined,
  resolve,
})

// The pages are loaded when they are asked for.
async function html(body: string, status: number, formTargets?: string): Promise<MockReply> {
  const { pageHeaders } = await import('../../pages/page.js')
  return { status, headers: pageHeaders(formTargets), body }
}

const redirect = (location: string, cookies: string[]): MockReply => ({
  status: 303,
  headers: { location },
  body: null,
  cookies,
})
