import { type ErrorCode, errorDocsPath, errors } from '../../contract/errors.js'
import type { ReceivedResponse } from '../cases/case.js'
import type { Target } from './target.js'

/** Opens a page, also one that has moved. */
async function open(send: Target['send'], url: string, moves = 5): Promise<ReceivedResponse> {
  const { pathname, search } = new URL(url)
  const page = await send({ method: 'GET', url, path: pathname + search, headers: [], chunked: false })
  const { location } = page.headers
  if (page.status < 300 || location === undefined || moves === 0) return page
  return open(send, new URL(location, url).href, moves - 1)
}

/**
 * Opens the page about each code where errors have linked to one. Returns the violations, one sentence each: a host that
 * cannot be reached is one.
 */
export async function docsFaults({ send, docsBases }: Pick<Target, 'send' | 'docsBases'>): Promise<string[]> {
  const codes = Object.keys(errors) as ErrorCode[]
  const faultOf = async (url: string, code: ErrorCode): Promise<string | undefined> => {
    try {
      const { status, headers, text } = await open(send, url)
      const isPage = status === 200 && headers['content-type']?.startsWith('text/html')
      if (!isPage) return `docsUrl ${url} does not open: ${status}`
      return text.includes(code) ? undefined : `docsUrl ${url} does not mention ${code}`
    } catch (error) {
      return `docsUrl cannot be reached at ${new URL(url).origin}: ${(error as Error).message}`
    }
  }
  const pages = [...docsBases].flatMap((base) =>
    codes.map((code) => faultOf(base + errorDocsPath(code), code)),
  )
  return [...new Set(await Promise.all(pages))].flatMap((fault) => fault ?? [])
}
