import { proxyVariables } from './proxy-variable.js'
import { SignInError } from './sign-in-error.js'

/** The maximum length of a response of the provider, in bytes. An endless one would fill the memory until its time limit. */
const maxResponseBytes = 1024 * 1024

export type ProviderFetch = (url: string, options: object) => Promise<Response>

/** The value of the variable may have a password. @throws SignInError if it is no URL */
function refuseInvalidProxy(): void {
  const isUrl = (text = '') => URL.canParse(text) && /^https?:\/\//i.test(text)
  const name = proxyVariables.find((each) => process.env[each] && !isUrl(process.env[each]))
  if (name) throw new SignInError('unreachable', `${name} is not a URL such as http://proxy.example:3128`)
}

/**
 * Creates a fetch for requests to the provider: through the proxy of HTTPS_PROXY or HTTP_PROXY, unless NO_PROXY has the host.
 * A response fails beyond the limit. A failed request names its URL as `requested`.
 */
export async function createProviderFetch(): Promise<ProviderFetch> {
  refuseInvalidProxy()
  const { EnvHttpProxyAgent, fetch } = await import('undici')
  const dispatcher = new EnvHttpProxyAgent()

  return async (url, options) => {
    const { origin, pathname } = new URL(url)
    const requested = origin + pathname
    try {
      const response = await fetch(url, { ...options, dispatcher })
      const { status, statusText } = response
      const body = (response.body as ReadableStream<Uint8Array> | null)?.pipeThrough(limitBytes())
      const bounded = new Response(body, { status, statusText, headers: [...response.headers] })
      return Object.defineProperty(bounded, 'url', { value: requested })
    } catch (error) {
      throw Object.assign(error as Error, { requested })
    }
  }
}

function limitBytes(): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length
      if (bytes <= maxResponseBytes) controller.enqueue(chunk)
      else controller.error(Object.assign(new Error('A response is too long'), { code: 'RESPONSE_TOO_LONG' }))
    },
  })
}
