import { sessionCookie } from '../../contract/cookie.js'
import { isLoopbackOrigin } from '../../contract/loopback.js'
import { safeReturnTo } from '../../contract/return-to.js'
import { errorPage } from '../../pages/error-page.js'
import { pageHeaders } from '../../pages/page.js'
import { type PersonaCard, signInPage } from '../../pages/sign-in-page.js'
import type { Store } from '../../store/store.js'
import type { MockReply, MockRoute } from './mock-handler.js'
import type { Personas } from './personas.js'

const loopbackForms = 'http://localhost:* http://127.0.0.1:* https://localhost:* https://127.0.0.1:*'

/**
 * What the mock has outside /v1/: sign-in by persona, sign-out, and the pages that docsUrl opens.
 * @param mockUrl where the mock is, for the examples of those pages
 */
export function siteRoutes(personas: Personas, store: () => Store, mockUrl: string): MockRoute[] {
  const returnTo = (url: URL) => safeReturnTo(url.searchParams.get('returnTo'), url.origin, isLoopbackOrigin)

  const choose = async (url: URL, status: number) => {
    const cards = (await personas.list()).map(async ({ id, userId, note }): Promise<PersonaCard> => {
      return { id, note, email: (await store().user(userId))?.email ?? '' }
    })
    return html(signInPage(await Promise.all(cards), returnTo(url)), status)
  }

  return [
    exactly('GET', '/auth/sign-in', ({ url }) => choose(url, 200)),
    exactly('POST', '/auth/sign-in', async ({ body, url }) => {
      const wanted = new URLSearchParams(new TextDecoder().decode(body)).get('session')
      const persona = (await personas.list()).find(({ id }) => id === wanted)
      if (!persona && wanted !== 'active') return choose(url, 422)
      return goTo(returnTo(url), `${sessionCookie}=${wanted}; Path=/; SameSite=Lax`)
    }),
    exactly('POST', '/auth/sign-out', async ({ headers, url }) => {
      const cleared = `${sessionCookie}=; Path=/; SameSite=Lax; Max-Age=0`
      // A form navigates and wants to go somewhere; a script wants an answer.
      if (headers.get('accept')?.includes('text/html')) return goTo(returnTo(url), cleared)
      return { status: 204, headers: { 'set-cookie': cleared }, body: null }
    }),
    {
      method: 'GET',
      path: '/docs/errors/:slug',
      match(method, path) {
        const slug = path.match(/^\/docs\/errors\/([a-z-]+)$/)?.[1]
        return /^(GET|HEAD)$/.test(method) && slug && errorPage(slug) ? { slug } : undefined
      },
      resolve: async ({ params }) => html(errorPage(params.slug ?? '', mockUrl) ?? '', 200),
    },
  ]
}

const exactly = (method: string, path: string, resolve: MockRoute['resolve']): MockRoute => ({
  method,
  path,
  match: (askedMethod, askedPath) => (askedMethod === method && askedPath === path ? {} : undefined),
  resolve,
})

const html = (body: string, status: number): MockReply => ({
  status,
  headers: pageHeaders(loopbackForms),
  body,
})

const goTo = (location: string, cookie: string): MockReply => ({
  status: 303,
  headers: { location, 'set-cookie': cookie },
  body: null,
})
