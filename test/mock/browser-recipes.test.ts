import { expect, it } from 'vitest'
import { setUpMockSite } from './browser-harness.js'
import { recipes } from './msw-recipes.js'

const browser = setUpMockSite()

it('the recipes of MSW work in a page', async () => {
  const real = { real: 'the network' }
  browser.site.service = { '/v1/auth/me': real, '/v1/projects': real, '/recipes/passed': real }
  browser.site.options = { session: 'acme-owner' }
  await browser.open()
  const results = await browser.page.evaluate(async () => {
    const { handlers, recipes, startMockApi } = app
    mock.stop()
    await startMockApi({ quiet: true, session: 'acme-owner', handlers })
    const played: Record<string, unknown> = {}
    for (const [name, { play, notByMsw }] of Object.entries(recipes)) {
      if (!notByMsw) played[name] = await play(fetch).catch(String)
    }
    return played
  })
  const expected = Object.entries(recipes).filter(([, { notByMsw }]) => !notByMsw)
  expect(results).toEqual(Object.fromEntries(expected.map(([name, { result }]) => [name, result])))
})
