import { type Operation, operations } from '../../contract/operations.js'
import { parseJson } from '../../contract/parse-json.js'
import { route } from '../../contract/route.js'
import type { CaseRequest, ReceivedResponse } from '../cases/case.js'
import type { ResolvedRequest } from './target.js'

export type Observed = ReturnType<typeof observe>

/** A request of a case and its response, with what the table of operations says of them. */
export function observe(request: CaseRequest, sent: ResolvedRequest, response: ReceivedResponse) {
  const [path = ''] = request.path.split('?', 1)
  const name = route(request.method, path).operation
  const operation: Operation | undefined = name && operations[name]
  return {
    request,
    sent,
    response,
    /** As the case has it, without the query. */
    path,
    name,
    operation,
    isSuccess: request.method !== 'HEAD' && response.status === operation?.success.status,
    /** The body of the request; undefined where it is not JSON. */
    given: parseJson(new TextDecoder().decode(sent.body)),
  }
}
