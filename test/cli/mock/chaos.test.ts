import { expect, test } from 'vitest'
import { type Ended, listening, run, start } from '../cli-process.js'

test('dashboard-api mock chaos sets, shows and clears profiles; dev --chaos begins with one', async () => {
  const url = await listening(start(['dev', '--port', '0', '--json', '--chaos', '1', '--seed', '3']))
  const request = () => fetch(`${url}/v1/projects`, { headers: { cookie: 'session=active' } })
  expect((await request()).status).toBeGreaterThanOrEqual(500)

  const lines = [
    ['show'],
    ['clear'],
    ['set', '--error-rate', '0.1', '--delay', '200-2000', '--seed', '7'],
    ['set', 'listProjects', '--error-rate', '1', '--outcome', '429', 'drop'],
    ['clear', 'listProjects'],
    ['set'],
    ['set', '--error-rate', '10%'],
    ['set', 'listProjects', '--error-rate', '1', '--outcome', '404'],
    ['set', 'listProjects', '--error-rate', '1', '--outcome', '429', '--json'],
  ].map((args) => ['mock', 'chaos', ...args, '--url', url])
  const outputs: Ended[] = []
  for (const line of [...lines, ['mock', 'scenario', 'list', '--url', url]]) outputs.push(await run(line))
  const stderr = outputs.map((ended) => ended.stderr).join('')

  const titles = 'Operation\tError rate\tMilliseconds\tSeed\tOutcomes\n'
  const all = 'all\t0.1\t200-2000\t7\tINTERNAL_ERROR SERVICE_UNAVAILABLE\n'
  expect(outputs.slice(0, 5).map(({ stdout }) => stdout)).toEqual([
    `${titles}all\t1\t\t3\tINTERNAL_ERROR SERVICE_UNAVAILABLE\n`,
    expect.not.stringContaining('all\t'),
    titles + all,
    `${titles + all}listProjects\t1\t\t3\tRATE_LIMITED drop\n`,
    titles + all,
  ])
  expect(outputs.slice(5, 8).map(({ code, stdout }) => [code, stdout])).toEqual(Array(3).fill([2, '']))
  for (const message of [
    'error: Chaos takes an error rate from 0 to 1, a delay, or both.',
    'number from 0 to 1, e.g. 0.1.',
    'error: listProjects cannot answer 404. Possible: ',
    'Requests fail at random, too: "npx dashboard-api mock chaos show".',
  ]) {
    expect(stderr).toContain(message)
  }
  expect(JSON.parse(outputs[8]?.stdout ?? '').operations).toEqual({
    listProjects: { errorRate: 1, seed: 3, outcomes: ['RATE_LIMITED'] },
  })
  expect((await request()).status).toBe(429)
})
