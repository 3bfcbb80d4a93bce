import type { Frame, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { boxFaults } from '../../browser/box-faults.js'
import { setUpWorkbench } from '../../browser/workbench-visit.js'

const { visit, send, controls } = setUpWorkbench()

/** 40 characters. */
const longPersona = 'acme-quality-assurance-and-accessibility'
const names = [
  'خارطة الطريق',
  '🚀 Launch 👩‍👩‍👧',
  'A name that goes on and on, and on, and on',
  '\u202Eesrever',
  'Roadmap',
]

/** A timeline with all that may be too wide: a long persona, twelve forced outcomes, 3 s, and names of other scripts. */
async function fill(): Promise<void> {
  const { scenarios, sessions, delay, chaos, clock } = controls()
  await sessions.add({ id: longPersona, orgCode: 'org_acme' })
  await sessions.use(longPersona)
  await delay.set(3000, 'getSession')
  const slow = send('/v1/auth/me', longPersona)
  for (const name of names) {
    const made = await send('/v1/projects', longPersona, { name })
    const { project } = (await made.json()) as { project: { id: string } }
    await send(`/v1/projects/${project.id}`, 'acme-owner', { status: 'paused', description: name }, 'PATCH')
  }
  await send('/v1/projects', longPersona, { name: '' })
  await send('/v1/projects', 'acme-viewer', { name: names[1] })
  await send(`/v1/projects/${'x'.repeat(60)}`, 'acme-owner', { name: 'X' }, 'PATCH')
  await send('/v1/waitlist', 'unknown', { email: 'a-rather-long-address@a-rather-long-domain.example' })
  await slow
  const codes = { createProject: 'PROJECT_NAME_TAKEN', updateProject: 'INSUFFICIENT_PERMISSIONS' } as const
  for (const [target, outcome] of Object.entries(codes))
    for (const session of [undefined, longPersona, 'acme-owner', 'acme-viewer'])
      await scenarios.set({ target, outcome, session, times: 2 } as never)
  await scenarios.set({ target: 'empty' })
  await chaos.set({ errorRate: 0.1, delay: '200-2000', seed: 7 })
  await clock.set({ at: '2026-01-01T00:00:00Z' })
}

/** The whole timeline, from its beginning to its end. */
async function faultsOf(page: Page | Frame): Promise<string[]> {
  await page.locator('.log-row[role=row]').first().waitFor()
  const faults = await boxFaults(page)
  await page.locator('.scroller').evaluate((list) => list.scrollTo(0, 300))
  await page.locator('#next ul').evaluate((list) => list.scrollTo(0, 999))
  return [...faults, ...(await boxFaults(page))]
}

const windows = [
  [390, 844],
  [768, 1024],
  // 1280 px at 200 %.
  [640, 400],
  [1280, 800],
  [1440, 900],
  [1920, 1080],
] as const

describe('the boxes of the timeline', () => {
  it.each(['light', 'dark'] as const)('are not cut and do not overlap in any window, %s', (colorScheme) =>
    visit(
      async (page) => {
        await fill()
        await page.context().addCookies([{ name: 'session', value: 'active', url: page.url() }])
        await page.reload()
        for (const [width, height] of windows) {
          await page.setViewportSize({ width, height })
          const faults = await faultsOf(page)
          const button = page.locator('#force')
          await button.scrollIntoViewIfNeeded()
          expect([width, faults]).toEqual([width, []])
        }
      },
      { colorScheme },
    ),
  )

  it.each([
    ['below', 1280, 420],
    ['beside', 420, 800],
  ] as const)('are not cut and do not overlap docked %s an application', (_, width, height) =>
    visit(
      async (page) => {
        await fill()
        await page.context().addCookies([{ name: 'session', value: 'active', url: page.url() }])
        // A page of the same origin, as an application in front of the mock.
        const body = `<iframe src="/" width="${width}" height="${height}" style="border:0"></iframe>`
        await page.route('**/application', (route) => route.fulfill({ contentType: 'text/html', body }))
        await page.goto('/application')
        await expect.poll(() => page.frames().length).toBe(2)
        expect(await faultsOf(page.frames()[1] as Frame)).toEqual([])
      },
      { path: '/docs', isPage: true, viewport: { width: 1440, height: 900 } },
    ),
  )
})
