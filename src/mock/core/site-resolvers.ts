import { type ErrorCode, errorDocsPath, errors } from '../../contract/errors.js'
import { safeReturnTo } from '../../contract/return-to.js'
import { allowedOrigins } from './allowed-origins.js'
import { listPersonas } from './controls.js'
import { type FindResolver, type MockReply, toResponse } from './mock-handler.js'
import type { MockParts } from './mock-parts.js'
import { asSent } from './sent-request.js'
import { signInCookies } from './sign-in-cookies.js'

/**
 * Finds what answers a path outside /v1/: sign-in as a persona, sign-out, and the pages that docsUrl links to.
 * @param origins those that a redirect may lead to; by default all of this machine
 */
export function findSitePage(parts: MockParts, origins: readonly string[] | undefined): FindResolver {
  const { personas, baseUrl, jar } = parts
  const isAllowed = allowedOrigins(origins)
  const returnTo = ({ url, headers }: Request) => {
    const { searchParams, origin } = new URL(url)
    return safeReturnTo(searchParams.get('returnTo'), origin, isAllowed(headers.get('host')))
  }

  const choosePersona = async (status: number) => {
    const { signInPage } = await import('./sign-in-page.js')
    return html(signInPage(await listPersonas(parts)), status, { redirects: true })
  }

  const showErrorPage = async (path: string) => {
    const { errorPage } = await import('../../pages/error-page.js')
    return html(errorPage(path.replace(/.*\//, ''), baseUrl) ?? '', 200)
  }

  const pages: Record<string, (request: Request) => Promise<MockReply>> = {
    'GET /auth/sign-in': () => choosePersona(200),
    async 'POST /auth/sign-in'(request) {
      const id = new URLSearchParams(await request.text()).get('session')
      if (id === null || !personas.isKnown(id)) return choosePersona(422)
      return redirect(returnTo(request), signInCookies(id, personas.marker(id)))
    },
    async 'POST /auth/sign-out'(request) {
      const cookies = signInCookies(undefined, personas.marker(undefined))
      // A form needs a redirect, a script a plain response.
      if (request.headers.get('accept')?.includes('text/html')) return redirect(returnTo(request), cookies)
      return { status: 204, headers: {}, body: null, cookies }
    },
    ...Object.fromEntries(errorPaths.map((path) => [`GET ${path}`, () => showErrorPage(path)])),
  }
  return (method, path) => {
    const reply = pages[`${method === 'HEAD' ? 'GET' : method} ${path}`]
    return (
      reply &&
      (async (request) => {
        const made = await reply(request)
        // A client with cookies of its own stores them itself.
        const stored = asSent(request).headers.has('cookie') ? [] : made.cookies
        for (const setCookie of stored ?? []) jar.write(setCookie, request)
        return toResponse(made, method)
      })
    )
  }
}

const errorPaths = (Object.keys(errors) as ErrorCode[]).map(errorDocsPath)

// The pages are loaded when they are asked for.
async function html(body: string, status: number, options?: { redirects: boolean }): Promise<MockReply> {
  const { pageHeaders } = await import('../../pages/page.js')
  return { status, headers: pageHeaders(options), body }
}

const redirect = (location: string, cookies: string[]): MockReply => ({
  status: 303,
  headers: { location },
  body: null,
  cookies,
})
