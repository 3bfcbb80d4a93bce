// The controls of the mock, wherever it runs.

import { channelConnection } from './channel-connection.js'
import { showMessage } from './dom.js'
import { httpConnection } from './http-connection.js'

/** Whether the mock runs in a page, and this one is docked to it or was opened from it. */
export const isInPage = window.name.startsWith('dashboard-api:')

export const connection = isInPage ? channelConnection(window.name) : httpConnection

/** Calls a control. Returns its output, or `{ error }` with the refusal and the faults of a record. */
export async function call(method, path, input) {
  const { output, error, possible = [], faults = [] } = await connection.call(method, path, input)
  if (error === undefined) return { output }
  return { error: possible.length > 0 ? `${error} Possible: ${possible.join(', ')}.` : error, faults }
}

/** Calls a control. If it fails, shows the error and returns undefined. */
export async function control(method, path, input) {
  const { output, error } = await call(method, path, input)
  if (error !== undefined) showMessage(error)
  return output
}

/** Shows a step through the history. */
export function showStep(verb, step) {
  if (!step) return
  const request = step.entry === undefined ? '' : `, request ${step.entry}`
  showMessage([`${verb}: ${step.title}${request}.`, step.warning].filter(Boolean).join(' '))
}

/** Shows that a state was loaded, and which persona it lacks. */
export function showLoaded(name, loaded) {
  if (loaded) showMessage([`Loaded ${name}.`, loaded.warning].filter(Boolean).join(' '))
}
