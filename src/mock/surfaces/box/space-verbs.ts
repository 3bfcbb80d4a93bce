import { spaceHeader, spaceNameFault } from '../../controls/control-endpoints.js'
import { type Find, refuse, refuseMore } from './suggestion.js'

const example = 'space checkout'

const inPage = 'The mock of a page has no spaces: only one that is served has them.'

/** `leave`, or with the name of the space. */
export const leaveSpace: Find = (sentence, context) => {
  const { space, isInPage } = context
  if (isInPage) return refuse(inPage)
  if (space === undefined) return refuse('This is the common space, which nobody can leave.', example)
  const more = sentence.words.filter((word) => word !== space && !/^(the|space)$/i.test(word))
  return more.length > 0
    ? refuse(`This is the space ${space}.`, 'leave')
    : goToSpace({ ...sentence, words: [] }, context)
}

/** `space NAME` goes to a space by its cookie, which a request also creates; `space` alone goes back to the common one. */
export const goToSpace: Find = ({ words: [name, ...more] }, { space, isInPage }) => {
  if (isInPage) return refuse(inPage)
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
