// The controls of the mock, over HTTP.

import { showMessage } from './dom.js'

/** Calls a control. Returns its output, or `{ error }` with the refusal and the faults of a record. */
export async function call(method, path, input) {
  const init =
    method === 'GET'
      ? {}
      : { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(input ?? {}) }
  try {
    const response = await fetch(`/__dev/${path}`, init)
    const body = await response.json()
    if (response.ok) return { output: body }
    const possible = body.possible?.length > 0 ? ` Possible: ${body.possible.join(', ')}.` : ''
    return { error: body.error + possible, faults: body.faults ?? [] }
  } catch {
    return { error: 'The mock does not answer. Is it still running?', faults: [] }
  }
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
