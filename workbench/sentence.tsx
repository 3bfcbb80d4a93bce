// What a request did, in a sentence.

import type { ComponentChildren } from 'preact'
import { errors } from '../src/contract/errors.js'
import type { LogDetails } from '../src/mock/log/log-details.js'
import { nameOfCaller } from './avatar.js'
import { durationText, Name, nameOf, timeOf } from './entry-text.js'
import { kinds } from './kinds.js'
import { isUndone } from './moment.js'

/** The JSON body of a response that is stored whole. */
export function bodyOf({ response }: LogDetails): Record<string, unknown> {
  const { text = '', length = 0 } = response?.body ?? {}
  try {
    return text.length === length ? Object(JSON.parse(text)) : {}
  } catch {
    return {}
  }
}

/** What decides before a handler does. */
const isCheck = /^[a-z ]*(check|validation|routing)/

function verb(entry: LogDetails): string {
  const { status, forcedBy, changed = [], operation, method, why } = entry
  const [first] = changed
  if (status === 0) return 'got no response'
  if (first) {
    const more = changed.length > 1 ? ` and ${changed.length - 1} more` : ''
    return `${first.change} a ${kinds[first.kind].one}${more}`
  }
  if (forcedBy) return forcedBy === 'chaos' ? 'met chaos' : 'got a forced response'
  if (status >= 400) return `was refused${isCheck.test(why) ? ` by the ${why}` : ''}`
  const { projects } = bodyOf(entry)
  if (operation === 'listProjects' && Array.isArray(projects))
    return `listed ${projects.length} ${projects.length === 1 ? 'project' : 'projects'}`
  return /^(GET|HEAD|query)$/.test(method) ? 'read this' : 'changed nothing'
}

/** What decided the response. */
function Decision({ entry }: { entry: LogDetails }) {
  const { forcedBy, why, code, status, response } = entry
  if (forcedBy !== 'scenario')
    return <>{why === 'handler' ? 'answered by the handler' : `decided by: ${why}`}</>
  const [, limit] = /, (.*)$/.exec(why) ?? []
  return (
    <>
      you forced <b>{code ?? (response ? status : why.split(' ').at(2)?.replace(',', ''))}</b>
      {limit === undefined ? ' until it is cleared' : ` for the ${limit}`}
    </>
  )
}

export function Sentence({ entry }: { entry: LogDetails }) {
  const { session, ms, id, changed } = entry
  const { path } = nameOf(entry)
  const facts: ComponentChildren[] = [
    changed && <code>{path}</code>,
    timeOf(entry),
    durationText(ms),
    isUndone(id) && 'undone',
  ]
  const decision = Decision({ entry })
  return (
    <p class="quiet facts">
      <b>{nameOfCaller(session)}</b> {verb(entry)}
      {[...facts, decision].filter(Boolean).map((fact) => [' · ', fact])}
    </p>
  )
}

/** The error of a response in words, and what helps. */
export function Failure({ entry }: { entry: LogDetails }) {
  const { code, status, forcedBy, fault, why } = entry
  if (status < 400) return null
  const { error, details } = bodyOf(entry) as {
    error?: string
    details?: { formErrors?: string[]; fieldErrors?: Record<string, string[]> }
  }
  const faults = [
    ...(details?.formErrors ?? []),
    ...Object.entries(details?.fieldErrors ?? {}).map(([name, all]) => `${name}: ${all.join(', ')}`),
  ]
  const known = code && code in errors ? errors[code as keyof typeof errors] : undefined
  // A short error says itself what is wrong, and so does an error of a handler.
  const remedy = forcedBy || fault !== undefined || why.startsWith('the handler threw') ? '' : known?.remedy
  const text = why.startsWith('the handler threw') ? why : (error ?? known?.message)
  if (text === undefined) return null
  return (
    <div class={status >= 500 ? 'failure bad' : 'failure'}>
      <p>
        <b>
          <Name text={text} />
        </b>{' '}
        {remedy}
      </p>
      {faults.map((each) => (
        <p key={each}>{each}</p>
      ))}
    </div>
  )
}
