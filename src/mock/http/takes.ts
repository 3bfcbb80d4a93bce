import { requestTarget } from '../../http/request-target.js'
import type { ServedSpaces } from './mock-shell.js'
import { isForbiddenMethod, sentByNode } from './node-request.js'
import type { NodeRequest, NodeResponse } from './node-types.js'
import type { Spaces } from './spaces.js'

/**
 * Whether the mock may answer a request of the server around it, so that it has to check the sender. Calls that it leaves are
 * logged.
 */
export async function takes(
  { spaces, url }: ServedSpaces,
  incoming: NodeRequest,
  outgoing: NodeResponse,
): Promise<boolean> {
  const { method = 'GET' } = incoming
  if (isForbiddenMethod(method)) return false
  const sent = sentByNode(incoming, outgoing, `${url}${requestTarget(incoming.url)}`, url, true)
  let mock: ReturnType<Spaces['forRequest']>
  try {
    mock = spaces.forRequest(sent.headers)
  } catch {
    // The answer names the fault of the space.
    return true
  }
  if (await mock.takes(sent)) return true
  await mock.logUnanswered(sent)
  return false
}
