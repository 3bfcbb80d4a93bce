import { spaceHeader, spaceNameFault } from '../../controls/control-endpoints.js'
import { type Find, refuse, refuseMore } from './suggestion.js'

const example = 'space checkout'

/** `space NAME` goes to a space by its cookie, which a request also creates; `space` alone goes back to the common one. */
export const goToSpace: Find = ({ words: [name, ...more] }, { space, isInPage }) => {
  if (isInPage) return refuse('The mock of a page has no spaces: only one that is served has them.')
  if (more.length > 0) return refuseMore(more, example)
  if (name === undefined && space === undefined) return refuse('"space" needs a name.', example)
  const fault = name === undefined ? undefined : spaceNameFault(name)
  if (fault !== undefined) return refuse(fault)
  return [
    {
      group: 'Space',
      text: name === undefined ? `Leave the space ${space}` : `Go to the space ${name}`,
      hint:
        name === undefined
          ? 'for that of the requests that name none'
          : `requests with the header or cookie ${spaceHeader}: ${name} have a mock for themselves`,
      action: { page: 'space', ...(name !== undefined && { name }) },
    },
  ]
}
