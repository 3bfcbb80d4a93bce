import type { Target } from './target.js'

/**
 * Opens the pages that errors have linked to. Returns the violations, one sentence each: a host that cannot be reached
 * is one.
 */
export async function docsFaults({
  fetch,
  docsPages,
}: Pick<Target, 'fetch' | 'docsPages'>): Promise<string[]> {
  const faults = new Map<string, string>()
  for (const [url, code] of docsPages) {
    const origin = URL.canParse(url) ? new URL(url).origin : url
    if (faults.has(origin)) continue
    const page = await fetch(url).catch((error: Error) => error)
    if (page instanceof Error) {
      const { message } = page.cause instanceof Error ? page.cause : page
      faults.set(origin, `docsUrl cannot be reached at ${origin}: ${message}`)
      continue
    }
    const text = await page.text()
    const isPage = page.status === 200 && page.headers.get('content-type')?.startsWith('text/html')
    if (!isPage) faults.set(url, `docsUrl ${url} does not open: ${page.status}`)
    else if (!text.includes(code)) faults.set(url, `docsUrl ${url} does not mention ${code}`)
  }
  return [...faults.values()]
}
