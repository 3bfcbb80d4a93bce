import { element } from './dom.js'

const classOf = ({ status }) => (status === 0 || status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good')

/** The status of an entry of the log, and its error code. */
export const outcomeOf = ({ status, code }) => `${status || 'no response'}${code ? ` ${code}` : ''}`

export const outcomePill = (entry) =>
  element(
    'span',
    { className: `outcome ${classOf(entry)}` },
    element(
      'span',
      { title: outcomeOf(entry) },
      entry.status || 'none',
      entry.code && element('span', { className: 'code' }, ` ${entry.code}`),
    ),
  )
