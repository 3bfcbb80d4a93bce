import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTestApp } from './server-harness.js'

// Two teams send generated sequences of requests. Neither sees or changes data of the other.

type Team = 'acme' | 'globex'
const grants = {
  acme: { userId: 'user-ada', orgCode: 'org_acme' },
  globex: { userId: 'user-gus', orgCode: 'org_globex' },
}
const opposite = (team: Team): Team => (team === 'acme' ? 'globex' : 'acme')

type Step =
  | { as: Team; call: 'list' | 'me' }
  | { as: Team; call: 'create'; name: string }
  | { as: Team; call: 'update'; whose: 'own' | 'foreign'; pick: number; body: object }

const as = fc.constantFrom<Team>('acme', 'globex')
const name = fc.constantFrom('Roadmap', 'roadmap', 'Mobile app', 'Atlas', 'Äpfel', 'x')
const body = fc.oneof(
  fc.record(
    { name, description: fc.string(), status: fc.constantFrom('paused', 'archived') },
    { requiredKeys: [] },
  ),
  fc.constantFrom(
    { teamId: 'team-globex' },
    { id: 'x' },
    { teamId: 'team-acme', name: 'x' },
    { name: '' },
    { name: 5 },
  ),
)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ as, call: fc.constantFrom('list' as const, 'me' as const) }),
  fc.record({ as, call: fc.constant('create' as const), name }),
  fc.record({
    as,
    call: fc.constant('update' as const),
    whose: fc.constantFrom('own' as const, 'foreign' as const),
    pick: fc.nat({ max: 20 }),
    body,
  }),
)

test('no team reads or changes the data of another, or can distinguish it from data that does not exist', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const { app, store, signIn } = createTestApp()
      try {
        const cookies = {
          acme: (await signIn(grants.acme)).cookie,
          globex: (await signIn(grants.globex)).cookie,
        }
        const projectsOf = async (team: Team) => (await store.listProjects(`team-${team}`)).projects
        const send = async (team: Team, method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) => {
          const headers = { cookie: cookies[team] }
          const response = await app.inject({ method, url, headers, ...(payload && { payload }) })
          const { 'x-request-id': _, date: __, ...rest } = response.headers
          return { status: response.statusCode, headers: rest, body: response.payload }
        }

        for (const step of steps) {
          const others = await projectsOf(opposite(step.as))
          if (step.call === 'create') {
            const taken = (await projectsOf(step.as)).some(
              (own) => own.name.toLowerCase() === step.name.toLowerCase(),
            )
            const { status } = await send(step.as, 'POST', '/v1/projects', { name: step.name })
            expect(status).toBe(taken ? 409 : 201)
          } else if (step.call === 'update') {
            const of = step.whose === 'own' ? await projectsOf(step.as) : others
            const id = of[step.pick % of.length]?.id ?? 'none'
            const response = await send(step.as, 'PATCH', `/v1/projects/${id}`, step.body)
            if (step.whose === 'foreign') {
              expect(response).toEqual(await send(step.as, 'PATCH', '/v1/projects/unknown', step.body))
              expect([404, 422]).toContain(response.status)
            }
          } else {
            const url = step.call === 'list' ? '/v1/projects' : '/v1/auth/me'
            const { body } = await send(step.as, 'GET', url)
            const own = (await projectsOf(step.as)).map(({ id }) => id)
            expect(JSON.parse(body).projects.map(({ id }: { id: string }) => id)).toEqual(own)
            for (const { id } of others) expect(body).not.toContain(`"${id}"`)
          }
          expect(await projectsOf(opposite(step.as))).toEqual(others)
        }
      } finally {
        await app.close()
      }
    }),
    { numRuns: 60 },
  )
})
