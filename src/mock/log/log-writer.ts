import type { OperationName } from '../../contract/operations.js'
import { nextTurn } from '../../store/memory/next-turn.js'
import type { RecordChange } from '../../store/memory/record-changes.js'
import type { Begun, LoggedRequest, Writer } from '../engine/answer.js'
import type { Answer } from '../engine/forcing.js'
import { graphqlName } from '../engine/graphql-name.js'
import type { Answered } from '../engine/mock-reply.js'
import type { Scenario, Scenarios } from '../engine/scenarios.js'
import { isBodiless } from '../engine/sent-request.js'
import { withoutOrigin } from '../engine/target-name.js'
import type { Targets } from '../engine/targets.js'
import type { MockCaller } from '../state/personas.js'
import type { Timeline } from '../state/timeline.js'
import { ignoredQuery } from './ignored-query.js'
import type { StoredEntry } from './log-entry.js'
import { changedRecords, firstFault, nameInBody } from './log-summary.js'
import { loggedHeaders, loggedUrl, requestBody } from './logged-exchange.js'
import { logReply, logResponse } from './logged-response.js'
import type { Log } from './request-log.js'

type Options = {
  log: Log
  /** The origins that are left out of logged paths. */
  origins: readonly string[]
  targets: Targets
  scenarios: Scenarios
  timeline: Timeline
  space?: string
  logsBodies: boolean
  onRequest(entry: StoredEntry): void | Promise<void>
}

export function createLogWriter(options: Options): Writer {
  const { log, targets, scenarios, timeline, origins, space, logsBodies, onRequest } = options

  const begin = (): Begun => ({
    startedAt: performance.now(),
    generation: log.generation(),
    clears: log.clears(),
    before: timeline.position(),
  })

  async function write(
    begun: Begun,
    { sent, place, path, tracker }: LoggedRequest,
    answer: Answer,
    caller?: MockCaller,
  ): Promise<Answered> {
    const { reply, by } = answer
    const positions = tracker?.positions()
    const { target, kind } = place
    const { method, headers } = sent
    const made = answer.response && (await logResponse(answer.response, logsBodies))
    const { status, logged } = made ?? (reply ? logReply(reply, method, logsBodies) : noResponse)
    // Awaits only a promise: under AsyncLocalStorage, which MSW uses, an await costs as much as the rest of this function.
    const reading = logsBodies ? sent.peek(answer.by?.request) : undefined
    const body = reading instanceof Promise ? await soon(reading) : reading
    const missing = isBodiless(method) ? undefined : { length: 0 }
    const loggedBody = body === undefined ? missing : requestBody(body)
    const url = loggedUrl(sent.url, place)
    const isKept = !isBeforeReset(begun) && begun.clears === log.clears()
    const entry = log.add(
      {
        time: new Date().toISOString(),
        space,
        method,
        path: path ?? withoutOrigin(url, origins),
        target,
        kind,
        operation: kind === 'operation' ? (target as OperationName) : undefined,
        session: caller?.persona,
        ignoredQuery: ignoredQuery(place, sent.url),
        graphql: kind === 'operation' ? undefined : graphqlName(sent, body),
        status,
        code: answer.code,
        why: answer.why,
        forcedBy: answer.forcedBy,
        aborted: answer.isAborted,
        ...summaryOf(
          status,
          answer,
          tracker?.changes(),
          kind === 'operation' && logsBodies ? body : undefined,
        ),
        ms: Math.round((performance.now() - begun.startedAt) * 10) / 10,
        before: positions?.before ?? begun.before,
        after: positions?.after ?? timeline.position(),
        forced: answer.forced,
        exchange: {
          request: {
            url,
            headers: loggedHeaders(headers),
            cookie: caller?.loggedCookie,
            body: loggedBody,
          },
          response: logged,
        },
      },
      isKept,
    )
    if (isKept) targets.count(place, { entry: entry.id, status, time: entry.time }, scenarios.isForced)
    // The body is still being sent.
    if (body === undefined && reading instanceof Promise) {
      void reading.then((bytes) => {
        entry.exchange.request.body = bytes && requestBody(bytes)
      })
    }
    sent.onEntry?.(entry)
    tracker?.setEntry(entry)
    const told = onRequest(entry)
    if (told !== undefined) await told
    let isSettled = false
    const settle = (isTaken: boolean) => {
      // A fault is used without a response: the client waited in vain.
      if (isSettled || answer.fault) return
      isSettled = true
      if (answer.used) endUse(answer.used, isTaken, tracker)
      if (isTaken) return
      entry.aborted = true
      if (isKept) log.changed(entry)
    }
    return made ? { response: made.sent, by, settle } : { reply, settle }
  }

  /** The response to a request that used a scenario was taken, or the request was aborted. */
  const endUse = (used: Scenario, isTaken: boolean, tracker: LoggedRequest['tracker']) => {
    if (isTaken) return void scenarios.confirm(used)
    tracker?.record(() => scenarios.giveBack(used), { used, aborted: true })
    scenarios.countAborted(used)
  }

  const isBeforeReset = ({ generation }: Begun): boolean => generation !== log.generation()

  return { begin, isBeforeReset, write }
}

/** @param body the body of an operation, if bodies are logged */
function summaryOf(
  status: number,
  { code, reply, forcedBy }: Answer,
  changes: readonly RecordChange[] | undefined,
  body: Uint8Array | undefined,
): Pick<StoredEntry, 'changed' | 'fault' | 'about'> {
  if (changes && changes.length > 0) return { changed: changedRecords(changes) }
  if (status < 400 || forcedBy !== undefined) return {}
  if (code === 'VALIDATION_FAILED') return { fault: reply && firstFault(reply) }
  return { about: nameInBody(body) }
}

const noResponse = { status: 0, logged: undefined }

/** How many turns of the event loop a response waits for the body of its request. */
const maxTurns = 20

/** A body that the handler has read is there within so many microtasks, which cost less than a turn. */
const maxMicrotasks = 30

/** Resolves to the value if it comes within some turns of the event loop. A test may replace timers. */
async function soon<Value>(promise: Promise<Value>): Promise<Value | undefined> {
  let value: Value | undefined
  let isDone = false
  const done = promise.then((result) => {
    value = result
    isDone = true
  })
  for (let i = 0; i < maxMicrotasks && !isDone; i += 1) await undefined
  for (let turn = 0; turn < maxTurns && !isDone; turn += 1) await Promise.race([done, nextTurn()])
  return value
}
