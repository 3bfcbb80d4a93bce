import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import demo from '../../../fixtures/demo.json' with { type: 'json' }
import { createHistory } from '../../../src/mock/core/history.js'
import { toDetails } from '../../../src/mock/core/log-details.js'
import { loggedHeaders, requestBody, responseBody } from '../../../src/mock/core/logged-exchange.js'
import { createLog } from '../../../src/mock/core/request-log.js'
import { sendAgain } from '../../../src/mock/core/send-again.js'
import { storedState } from '../../../src/mock/core/state-changes.js'
import { parseState } from '../../../src/store/state-file.js'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** Collected twice: the memory of buffers is freed in a later turn than that of the objects that hold it. */
async function usedBytes(): Promise<number> {
  for (let i = 0; i < 2; i += 1) {
    collectGarbage()
    await setTimeout(50)
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const state = parseState(demo)
const [project] = state.projects
const padded = (i: number) => String(i).padStart(5, '0')

/** A request that changes the description of a project, as its resolver logs it. */
function update(log: ReturnType<typeof createLog>, history: ReturnType<typeof createHistory>, i: number) {
  const text = (n: number) => `${padded(n)}${'€'.repeat(6000)}`
  const after = { ...project, description: text(i) } as NonNullable<typeof project>
  const before = { ...project, description: text(i - 1) } as NonNullable<typeof project>
  history.add({
    title: 'updateProject',
    entry: i,
    before: storedState({ ...state, projects: [before] }),
    after: storedState({ ...state, projects: [after] }),
    changes: [{ kind: 'projects', key: 'p', before, after }],
  })
  const headers = new Headers({
    'content-type': 'application/json',
    'user-agent': `Mozilla ${'x'.repeat(100)}${i}`,
  })
  log.add(
    {
      time: new Date().toISOString(),
      method: 'PATCH',
      path: `/v1/projects/${padded(i)}`,
      target: 'updateProject',
      kind: 'operation',
      operation: 'updateProject',
      status: 200,
      why: 'handler',
      ms: 1.5,
      before: i - 1,
      after: i,
      exchange: {
        request: {
          url: `http://mock.test/v1/projects/${padded(i)}`,
          headers: loggedHeaders(headers),
          cookie: 'acme-owner',
          body: requestBody(new TextEncoder().encode(JSON.stringify({ description: text(i) }))),
        },
        response: {
          headers: { 'content-type': 'application/json' },
          body: responseBody(JSON.stringify({ project: after })),
        },
      },
    },
    true,
  )
}

// 180 MB of bodies in requests, as much in responses, and twice that in the records before and after.
test('a log of 10,000 entries and its history need at most 64 MiB, whatever the bodies', async () => {
  const log = createLog(10_000)
  const history = createHistory()
  const before = await usedBytes()
  for (let i = 1; i <= 10_001; i += 1) update(log, history, i)
  const mebibytes = ((await usedBytes()) - before) / 1024 / 1024

  expect(mebibytes).toBeLessThan(64)
  // What is stored of the bodies is a good part of that.
  expect(mebibytes).toBeGreaterThan(20)
  expect(log.read()).toHaveLength(10_000)
  expect(toDetails(log.get(10_001), []).request.body?.text).toHaveLength(6023)
  const oldest = toDetails(log.get(2), history.changesOf(2, 1, 2))
  expect(oldest).toMatchObject({ request: { body: { length: 18_023, text: undefined } }, changes: undefined })
  expect(oldest.curl).toMatch(/# without its body, which is no longer stored$/)
  const parts = { log, baseUrl: 'http://mock.test' } as Parameters<typeof sendAgain>[2]
  const answering = { handlers: [], unanswered: async () => {}, unknown: () => new Response() }
  await expect(sendAgain(2, {}, parts, answering)).rejects.toThrow(
    'The body of request 2 is no longer stored: give another one.',
  )
  expect(history.stateAt(1, state)).toBeUndefined()
  expect(history.changesOf(10_001, 10_000, 10_001)).toHaveLength(1)
})
