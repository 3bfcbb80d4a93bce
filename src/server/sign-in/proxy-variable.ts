/** The variables that name a proxy, in the order in which undici reads them. */
export const proxyVariables = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY']

/** The variable that names the proxy for a URL, as undici chooses it. NO_PROXY may except the host. */
export function proxyVariable(url: string): string | undefined {
  const set = proxyVariables.filter((name) => process.env[name])
  return (
    set.find((name) => /^https/i.test(name) === url.startsWith('https:')) ??
    set.find((name) => /^http_/i.test(name))
  )
}
