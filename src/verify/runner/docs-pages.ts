import type { Target } from './target.js'

/** Checks that `docsUrl` opens a page about the code. Returns the violations, one sentence each. */
export async function checkDocsPage(
  fetch: Target['fetch'],
  docsUrl: string,
  code: string,
): Promise<string[]> {
  const page = await fetch(docsUrl).catch((error: Error) => error)
  if (page instanceof Error) return [`${unreachable(docsUrl)}: ${messageOf(page)}`]
  const text = await page.text()
  const isPage = page.status === 200 && page.headers.get('content-type')?.startsWith('text/html')
  if (!isPage) return [`docsUrl ${docsUrl} does not open: ${page.status}`]
  return text.includes(code) ? [] : [`docsUrl ${docsUrl} does not mention ${code}`]
}

const unreachable = (docsUrl: string) => `docsUrl cannot be reached at ${originOf(docsUrl)}`

const originOf = (url: string) => (URL.canParse(url) ? new URL(url).origin : url)

const messageOf = ({ message, cause }: Error) => (cause instanceof Error ? cause.message : message)

/**
 * Collects the pages that errors link to, so that each is opened once, and a service whose pages cannot be reached is
 * one violation instead of one for each case.
 */
export function collectDocsPages(fetch: Target['fetch']) {
  const codes = new Map<string, Set<string>>()
  return {
    /** Takes a page that an error links to. Returns no violations: they are those of `check`. */
    async add(docsUrl: string, code: string): Promise<string[]> {
      codes.set(docsUrl, (codes.get(docsUrl) ?? new Set()).add(code))
      return []
    },
    /** Opens the pages. Returns the violations, each once. */
    async check(): Promise<string[]> {
      const faults: string[] = []
      for (const [docsUrl, linkedBy] of codes) {
        if (faults.some((fault) => fault.startsWith(`${unreachable(docsUrl)}:`))) continue
        for (const code of linkedBy) faults.push(...(await checkDocsPage(fetch, docsUrl, code)))
      }
      return [...new Set(faults)]
    },
  }
}
