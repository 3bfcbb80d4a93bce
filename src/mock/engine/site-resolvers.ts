import { type ErrorCode, errorDocsPath, errors } from '../../contract/errors.js'
import { maxBodyBytes } from '../../contract/limits.js'
import { safeReturnTo } from '../../contract/return-to.js'
import { listPersonas } from '../state/listed-personas.js'
import { signInCookies } from '../state/sign-in-cookies.js'
import { allowedOrigins } from './allowed-origins.js'
import { framedHeaders } from './framed-headers.js'
import type { MockParts } from './mock-parts.js'
import type { MockReply } from './mock-reply.js'
import type { SentRequest } from './sent-request.js'

/** Finds the page or action of a path. */
export type SitePages = (
  method: string,
  path: string,
) => ((sent: SentRequest) => Promise<MockReply>) | undefined

/**
 * Finds the pages outside /v1/: sign-in as a persona, sign-out, and the pages of docsUrl.
 * @param origins the allowed origins of redirects; by default all of this machine
 */
export function findSitePage(parts: MockParts, origins: readonly string[] | undefined): SitePages {
  const { personas, baseUrl, jar } = parts
  const isAllowed = allowedOrigins(origins)
  const returnTo = ({ url, headers }: SentRequest) => {
    const { searchParams, origin } = new URL(url)
    return safeReturnTo(searchParams.get('returnTo'), origin, isAllowed(headers.host))
  }

  const choosePersona = async (status: number) => {
    const { cookieProbeHash, signInPage } = await import('./sign-in-page.js')
    const options = { redirects: true, scriptHash: cookieProbeHash }
    return html(signInPage(await listPersonas(parts)), status, options)
  }

  const showErrorPage = async (path: string) => {
    const { errorPage } = await import('../../pages/error-page.js')
    return html(errorPage(path.replace(/.*\//, ''), baseUrl) ?? '', 200)
  }

  const pages: Record<string, (sent: SentRequest) => Promise<MockReply>> = {
    'GET /auth/sign-in': () => choosePersona(200),
    async 'POST /auth/sign-in'(sent) {
      const form = new TextDecoder().decode(await sent.bytes(maxBodyBytes))
      const id = new URLSearchParams(form).get('session')
      if (id === null || !personas.isKnown(id)) return choosePersona(422)
      return redirect(returnTo(sent), signInCookies(id, personas.marker(id)))
    },
    async 'POST /auth/sign-out'(sent) {
      const cookies = signInCookies(undefined, personas.marker(undefined))
      // A form needs a redirect, a script a plain response.
      if (sent.headers.accept?.includes('text/html')) return redirect(returnTo(sent), cookies)
      return { status: 204, headers: {}, body: null, cookies }
    },
    ...Object.fromEntries(errorPaths.map((path) => [`GET ${path}`, () => showErrorPage(path)])),
  }
  return (method, path) => {
    const reply = pages[`${method === 'HEAD' ? 'GET' : method} ${path}`]
    return (
      reply &&
      (async (sent) => {
        const made = await reply(sent)
        // A client that sends its own cookies stores them itself.
        const stored = sent.headers.cookie === undefined ? made.cookies : []
        for (const setCookie of stored ?? []) jar.write(setCookie, sent)
        return made
      })
    )
  }
}

const errorPaths = (Object.keys(errors) as ErrorCode[]).map(errorDocsPath)

// The pages are loaded on demand.
async function html(
  body: string,
  status: number,
  options?: { redirects: boolean; scriptHash: string },
): Promise<MockReply> {
  const { pageHeaders } = await import('../../pages/page.js')
  return { status, headers: framedHeaders(pageHeaders(options)), body }
}

const redirect = (location: string, cookies: string[]): MockReply => ({
  status: 303,
  headers: { location },
  body: null,
  cookies,
})
