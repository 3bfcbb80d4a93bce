import { getResponse, type RequestHandler } from 'msw'

/** What `passthrough()` of MSW returns. */
const isPassthrough = ({ headers }: Response): boolean => headers.get('x-msw-intention') === 'passthrough'

/**
 * The response of handlers that are not the mock's; undefined if they leave the request. Their relative paths are
 * below `baseUrl`.
 */
export async function ownResponse(
  handlers: readonly RequestHandler[],
  request: Request,
  baseUrl: string,
): Promise<Response | undefined> {
  if (handlers.length === 0) return undefined
  const response = await getResponse([...handlers], request, { baseUrl })
  if (!response || isPassthrough(response)) return undefined
  // The headers of a fetched response cannot be changed.
  return response.type === 'error' ? response : new Response(response.body, response)
}

/** Whether one of the handlers takes a request with this method and URL. Its body has not been read. */
export async function takesRequest(
  handlers: readonly RequestHandler[],
  request: Request,
  baseUrl: string,
): Promise<boolean> {
  for (const handler of handlers) {
    const takes = await handler.test({ request, resolutionContext: { baseUrl } }).catch(() => false)
    if (takes) return true
  }
  return false
}
