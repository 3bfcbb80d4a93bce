// The recipes of MSW's documentation: handlers, a use of them, and its result. `play` runs in a page and in Node. A result may
// differ in `dev` and in the plugin, where the mock itself is the server behind the handlers.
import { bypass, delay, getResponse, HttpResponse, http, passthrough, sse as sseOfMsw, ws } from 'msw'
import { graphql } from './msw-words.js'

const json = async (response) => ({ status: response.status, body: await response.json() })
const at = (name) => `*/recipes/${name}`

// MSW refuses such a handler in Node 20, which has no EventSource.
const sse = 'EventSource' in globalThis ? sseOfMsw : http.get

/** A higher-order resolver. */
const withAuth = (resolver) => (input) =>
  input.request.headers.get('authorization') ? resolver(input) : new HttpResponse(null, { status: 401 })

const graphqlHandlers = [
  graphql.query('GetUser', ({ variables }) => HttpResponse.json({ data: { user: variables.id } })),
]

let aborted = 0

export const recipes = {
  'response patching': {
    handlers: [
      http.get('*/v1/auth/me', async ({ request }) => {
        const real = await fetch(bypass(request)).then((response) => response.json())
        return HttpResponse.json({ ...real, patched: true })
      }),
    ],
    async play(call) {
      const { body } = await json(await call('/v1/auth/me'))
      return [body.patched, body.real ?? body.user.email]
    },
    result: [true, 'the network'],
    served: [true, 'ada@acme.example'],
  },
  'response patching of a change': {
    handlers: [
      http.post('*/v1/projects', async ({ request }) => {
        const response = await fetch(bypass(request))
        return HttpResponse.json({ ...(await response.json()), patched: true }, response)
      }),
    ],
    async play(call) {
      const headers = { 'content-type': 'application/json' }
      const { status, body } = await json(
        await call('/v1/projects', { method: 'POST', headers, body: '{"name":"Patched"}' }),
      )
      return [status, body.patched, body.real ?? body.project.name]
    },
    result: [200, true, 'the network'],
    served: [201, true, 'Patched'],
  },
  'a request to the mock without bypass': {
    handlers: [
      http.get(at('loop'), async ({ request }) => {
        if (request.headers.get('x-served') === null) return new HttpResponse()
        const [again, other] = await Promise.all([
          fetch(request),
          fetch(new URL('/recipes/search?id=1', request.url)),
        ])
        return HttpResponse.json([again.status, await other.json()])
      }),
    ],
    // MSW calls the handler again.
    play: async () => 'a loop, as MSW says',
    result: 'a loop, as MSW says',
    playServed: async (call) =>
      (await json(await call('/recipes/loop', { headers: { 'x-served': '1' } }))).body,
    served: [404, ['1']],
  },
  passthrough: {
    handlers: [http.get(at('passed'), () => passthrough())],
    play: async (call) => (await call('/recipes/passed')).status,
    result: 200,
    served: 404,
  },
  'a global delay': {
    handlers: [
      http.all('*', async () => {
        await delay(1)
      }),
    ],
    play: async (call) => (await call('/v1/projects')).status,
    result: 200,
  },
  'a higher-order resolver': {
    handlers: [
      http.get(
        at('protected'),
        withAuth(() => HttpResponse.json('in')),
      ),
    ],
    play: async (call) => [
      (await call('/recipes/protected')).status,
      (await call('/recipes/protected', { headers: { authorization: 'x' } })).status,
    ],
    result: [401, 200],
  },
  'query parameters': {
    handlers: [
      http.get(at('search'), ({ request }) =>
        HttpResponse.json(new URL(request.url).searchParams.getAll('id')),
      ),
    ],
    play: async (call) => (await json(await call('/recipes/search?id=1&id=2'))).body,
    result: ['1', '2'],
  },
  cookies: {
    handlers: [
      http.post(at('sign-in'), () =>
        HttpResponse.json(null, { headers: { 'set-cookie': 'recipe=1; Path=/' } }),
      ),
      http.get(at('cookie'), ({ cookies }) => HttpResponse.json(cookies.recipe ?? null)),
    ],
    play: async (call) => {
      const { headers } = await call('/recipes/sign-in', { method: 'POST' })
      // A client of a server keeps its cookies itself.
      const [cookie] = headers.getSetCookie()
      const init = globalThis.document ? {} : { headers: { cookie } }
      return (await json(await call('/recipes/cookie', init))).body
    },
    result: '1',
  },
  'polling by a generator': {
    handlers: [
      http.get(at('poll'), function* () {
        for (let count = 1; count < 3; count += 1) yield HttpResponse.json({ count })
        return HttpResponse.json({ done: true })
      }),
    ],
    play: async (call) => {
      const bodies = []
      for (let i = 0; i < 4; i += 1) bodies.push((await json(await call('/recipes/poll'))).body)
      return bodies
    },
    result: [{ count: 1 }, { count: 2 }, { done: true }, { done: true }],
  },
  once: {
    handlers: [
      http.get(at('once'), () => HttpResponse.json('once'), { once: true }),
      http.get(at('once'), () => HttpResponse.json('then')),
    ],
    play: async (call) => [
      (await json(await call('/recipes/once'))).body,
      (await json(await call('/recipes/once'))).body,
    ],
    result: ['once', 'then'],
  },
  delay: {
    handlers: [
      http.get(at('slow'), async () => {
        await delay()
        return HttpResponse.json('slow')
      }),
    ],
    play: async (call) => (await json(await call('/recipes/slow'))).body,
    result: 'slow',
  },
  'an infinite delay': {
    handlers: [
      http.get(at('never'), async () => {
        await delay('infinite')
        return HttpResponse.json('never')
      }),
    ],
    play: (call) => call('/recipes/never', { signal: AbortSignal.timeout(300) }).catch(({ name }) => name),
    result: 'TimeoutError',
  },
  'a stream': {
    handlers: [
      http.get(at('stream'), () => {
        const encoder = new TextEncoder()
        const stream = new ReadableStream({
          async start(controller) {
            for (const text of ['a', 'b', 'c']) {
              controller.enqueue(encoder.encode(text))
              await delay(5)
            }
            controller.close()
          },
        })
        return new HttpResponse(stream, { headers: { 'content-type': 'text/plain' } })
      }),
    ],
    play: async (call) => (await call('/recipes/stream')).text(),
    result: 'abc',
  },
  'a stream that the client leaves': {
    handlers: [
      http.get(at('endless'), () => {
        const stream = new ReadableStream({
          async pull(controller) {
            controller.enqueue(new TextEncoder().encode('more'))
            await delay(5)
          },
          cancel() {
            aborted += 1
          },
        })
        return new HttpResponse(stream)
      }),
      http.get(at('aborted'), () => HttpResponse.json(aborted)),
    ],
    play: async (call) => {
      const before = (await json(await call('/recipes/aborted'))).body
      const reader = (await call('/recipes/endless')).body.getReader()
      await reader.read()
      await reader.cancel()
      for (;;) {
        const { body } = await json(await call('/recipes/aborted'))
        if (body > before) return body - before
      }
    },
    result: 1,
    notByMsw: 'MSW clones the response, and the clone keeps the stream open until it is collected',
  },
  'an upload': {
    handlers: [
      http.post(at('upload'), async ({ request }) => {
        const data = await request.formData()
        const file = data.get('file')
        return HttpResponse.json({ name: file.name, text: await file.text(), title: data.get('title') })
      }),
    ],
    play: async (call) => {
      const body = new FormData()
      body.set('title', 'A file')
      body.set('file', new File(['content'], 'file.txt', { type: 'text/plain' }))
      return (await json(await call('/recipes/upload', { method: 'POST', body }))).body
    },
    result: { name: 'file.txt', text: 'content', title: 'A file' },
  },
  binary: {
    handlers: [
      http.get(at('image'), () =>
        HttpResponse.arrayBuffer(new Uint8Array([0, 255, 128]).buffer, {
          headers: { 'content-type': 'image/png' },
        }),
      ),
    ],
    play: async (call) => {
      const response = await call('/recipes/image')
      return [response.headers.get('content-type'), ...new Uint8Array(await response.arrayBuffer())]
    },
    result: ['image/png', 0, 255, 128],
  },
  'a network error': {
    handlers: [http.get(at('error'), () => HttpResponse.error())],
    play: (call) =>
      call('/recipes/error').then(
        ({ status }) => status,
        ({ name }) => name,
      ),
    result: 'TypeError',
  },
  'a thrown response': {
    handlers: [
      http.get(at('thrown'), () => {
        throw HttpResponse.json('thrown', { status: 403 })
      }),
    ],
    play: async (call) => json(await call('/recipes/thrown')),
    result: { status: 403, body: 'thrown' },
  },
  'a fetched response with its headers': {
    handlers: [
      http.get(at('copied'), async ({ request }) => {
        const real = await fetch(bypass(new URL('/v1/auth/me', request.url), request))
        const text = await real.text()
        return new HttpResponse(`${text} and more`, { headers: real.headers })
      }),
    ],
    play: async (call) => (await (await call('/recipes/copied')).text()).endsWith('} and more'),
    result: true,
  },
  'GraphQL, batched': {
    handlers: [
      http.post(at('graphql'), async ({ request }) => {
        const payload = await request.clone().json()
        if (!Array.isArray(payload)) return undefined
        const responses = await Promise.all(
          payload.map(async (query) => {
            const each = new Request(request.clone(), { body: JSON.stringify(query) })
            return (await getResponse(graphqlHandlers, each)) || fetch(bypass(each))
          }),
        )
        return HttpResponse.json(
          await Promise.all(responses.map((response) => (response.ok ? response.json() : response.status))),
        )
      }),
      ...graphqlHandlers,
    ],
    play: async (call) => {
      const one = { query: 'query GetUser($id: ID) { user(id: $id) }', variables: { id: '1' } }
      const other = { query: 'query Other { other }' }
      const send = async (body) =>
        json(
          await call('/recipes/graphql', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          }),
        )
      return [(await send([one, other])).body, (await send(one)).body]
    },
    result: [[{ data: { user: '1' } }, 404], { data: { user: '1' } }],
  },
  'server-sent events, with a custom one': {
    handlers: [
      sse(at('events'), ({ client }) => {
        client.send({ data: 'plain' })
        client.send({ id: '1', event: 'custom', data: { json: true } })
        client.send({ retry: 1000 })
        client.close()
      }),
    ],
    play: async (call) => {
      const response = await call('/recipes/events', { headers: { accept: 'text/event-stream' } })
      return [response.headers.get('content-type'), await response.text()]
    },
    result: ['text/event-stream', 'data:plain\n\nid:1\nevent:custom\ndata:{"json":true}\n\nretry:1000\n\n'],
  },
  'server-sent events of the real server': {
    handlers: [
      sse(at('real-events'), ({ client, server }) => {
        const source = server.connect()
        source.addEventListener('error', () => {
          client.send({ data: 'not connected' })
          client.close()
        })
      }),
    ],
    play: async (call) => {
      const response = await call('/recipes/real-events', { headers: { accept: 'text/event-stream' } })
      return response.text()
    },
    result: 'data:not connected\n\n',
  },
  'a WebSocket': {
    handlers: [
      ws.link('*/recipes/chat').addEventListener('connection', ({ client }) => {
        client.addEventListener('message', ({ data }) => client.send(`${data}!`))
      }),
    ],
    play: () =>
      new Promise((resolve) => {
        const socket = new WebSocket('ws://recipes.test/recipes/chat')
        socket.addEventListener('open', () => socket.send('hello'))
        socket.addEventListener('message', ({ data }) => {
          resolve(data)
          socket.close()
        })
        socket.addEventListener('error', () => resolve('an error'))
      }),
    result: 'hello!',
    // A server leaves such handlers out, and says so at its start.
    playServed: async (call) => (await call('/recipes/chat')).status,
    served: 404,
  },
}

export const handlers = Object.values(recipes).flatMap((recipe) => recipe.handlers)
