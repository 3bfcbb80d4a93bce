import { type ErrorCode, errors } from './errors.js'
import type { ExceededLimit } from './limits.js'
import { maxBodyBytes } from './limits.js'
import type { Operation } from './operation.js'

/** Messages of error bodies that say more than the catalogue, for responses and their examples. */
export const messages = {
  mediaType: 'Send the request body as application/json.',
  tooLarge: `The request body is larger than ${maxBodyBytes / 1024} KiB.`,
  empty: 'The request body is empty.',
  notJson: 'The request body is not JSON in UTF-8.',
  query: 'The query parameters are not valid.',
  notHttp: 'The request is not valid HTTP.',
}

/** The message of an operation's error: from the catalogue, or a more specific one. */
export function messageOf({ permission, summary, params = {} }: Operation, code: ErrorCode): string {
  if (code === 'INSUFFICIENT_PERMISSIONS' && permission) return `This needs the permission "${permission}".`
  const resource = Object.keys(params).at(-1)?.replace(/Id$/, '')
  if (code !== 'EMPTY_QUERY_FILTER' || !resource) return errors[code].message
  // The summary begins with the verb.
  const [verb = ''] = summary.toLowerCase().split(' ')
  return `Name the ${resource} to ${verb}: the ${resource} id is blank.`
}

export const limitMessage = (exceeded: ExceededLimit, limit: number): string =>
  exceeded === 'projects'
    ? `A team can have at most ${limit} projects.`
    : `The projects of a team can have at most ${limit} bytes of text.`
