import { type ErrorCode, errorDocsPath, errors } from '../../contract/errors.js'
import type { ReceivedResponse } from '../cases/case.js'
import type { Target } from './target.js'

/** Opens a page, also one that has moved. */
async function open(send: Target['send'], url: string, moves = 5): Promise<ReceivedResponse> {
  const { pathname, search } = new URL(url)
  const page = await send({ method: 'GET', url, path: pathname + search, headers: [], chunked: false })
  const { location } = page.headers
  return Math.trunc(page.status / 100) === 3 && location !== undefined && moves > 0
    ? open(send, new URL(location, url).href, moves - 1)
    : page
}

/**
 * Opens the page about each code where errors have linked to one. Returns the violations, one sentence each: a host that
 * cannot be reached is one.
 */
export async function docsFaults({ send, docsBases }: Pick<Target, 'send' | 'docsBases'>): Promise<string[]> {
  const codes = Object.keys(errors) as ErrorCode[]
  const pages = [...docsBases].flatMap((base) =>
    codes.map((code) => [base + errorDocsPath(code), code] as const),
  )
  const faults = pages.map(async ([url, code]) => {
    try {
      const { status, headers, text } = await open(send, url)
      if (status !== 200 || !headers['content-type']?.startsWith('text/html'))
        return [`docsUrl ${url} does not open: ${status}`]
      return text.includes(code) ? [] : [`docsUrl ${url} does not mention ${code}`]
    } catch (error) {
      return [`docsUrl cannot be reached at ${new URL(url).origin}: ${(error as Error).message}`]
    }
  })
  return [...new Set((await Promise.all(faults)).flat())]
}
