// Plain MSW handlers, served over HTTP by @mswjs/http-middleware.
import { readFileSync } from 'node:fs'
import { createServer } from '@mswjs/http-middleware'
import { HttpResponse, http } from 'msw'

const [port, file] = process.argv.slice(2)
const responses = JSON.parse(readFileSync(file, 'utf8'))
const { projects } = responses['/v1/projects']

createServer(
  http.get('*/v1/auth/me', () => HttpResponse.json(responses['/v1/auth/me'])),
  http.post('*/v1/waitlist', () => HttpResponse.json({ status: 'ok' })),
  http.get('*/v1/projects', () => HttpResponse.json({ projects })),
  http.post('*/v1/projects', async ({ request }) => {
    const { name, description } = await request.json()
    const project = { ...projects[0], id: crypto.randomUUID(), name, description }
    return HttpResponse.json({ project }, { status: 201 })
  }),
  http.patch('*/v1/projects/:id', async ({ request }) => {
    const project = { ...projects[0], ...(await request.json()) }
    return HttpResponse.json({ project })
  }),
).listen(Number(port), '127.0.0.1')
