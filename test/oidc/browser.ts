/** A minimal browser: it stores cookies by origin, and follows redirects. */
export type TestBrowser = {
  /** Sends one request, without following redirects. */
  request(url: string, init?: RequestInit): Promise<Response>
  /** Follows redirects, until `until` accepts the next URL. @returns the last response */
  follow(url: string, until?: (next: URL) => boolean): Promise<{ url: URL; response: Response }>
  /** The value of a cookie of an origin. */
  cookie(origin: string, name: string): string | undefined
  setCookie(origin: string, name: string, value: string): void
  /** The name and the value of the cookie of the oldest unfinished sign-in. */
  attempt(origin: string): [name: string, value: string]
}

export function createBrowser(): TestBrowser {
  const jars = new Map<string, Map<string, string>>()
  const jarOf = (url: string) => {
    const { origin } = new URL(url)
    const jar = jars.get(origin) ?? new Map<string, string>()
    jars.set(origin, jar)
    return jar
  }
  const storeCookie = (url: string, header: string) => {
    const [pair = '', ...attributes] = header.split('; ')
    const name = pair.slice(0, pair.indexOf('='))
    const isDeleted = attributes.some((attribute) =>
      /^(max-age=0|expires=Thu, 01 Jan 1970.*)$/i.test(attribute),
    )
    if (isDeleted) jarOf(url).delete(name)
    else jarOf(url).set(name, pair.slice(name.length + 1))
  }

  const request: TestBrowser['request'] = async (url, init = {}) => {
    const cookie = [...jarOf(url)].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = new Headers(init.headers)
    if (cookie) headers.set('cookie', cookie)
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const header of response.headers.getSetCookie()) storeCookie(url, header)
    return response
  }

  return {
    request,
    async follow(start, until = () => false) {
      let url = new URL(start)
      for (let hops = 0; hops < 20; hops += 1) {
        const response = await request(url.href, { headers: { accept: 'text/html' } })
        const location = response.headers.get('location')
        if (!location) return { url, response }
        url = new URL(location, url)
        if (until(url)) return { url, response }
      }
      throw new Error(`too many redirects, the last to ${url.origin}${url.pathname}`)
    },
    cookie: (origin, name) => jarOf(origin).get(name),
    setCookie: (origin, name, value) => void jarOf(origin).set(name, value),
    attempt: (origin) => [...jarOf(origin)].find(([name]) => /^(__Host-)?sign-in-/.test(name)) ?? ['', ''],
  }
}
