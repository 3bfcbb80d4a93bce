import { graphql, HttpResponse, http } from 'msw'

// What the back end will have one day. The mock shows and controls each of them as it does its own operations.

type Comment = { id: number; text: string }

const members = ['Ada Osei', 'Bo Lind', 'Chidi Eze'].map((name, i) => ({ id: i + 1, name }))
const comments: Comment[] = [{ id: 1, text: 'The first draft is ready.' }]
let areNotificationsOn = true

export const handlers = [
  http.get('/api/members', () => HttpResponse.json({ members })),
  http.get('/api/members/:id', ({ params }) => {
    const member = members.find(({ id }) => String(id) === params.id)
    return member
      ? HttpResponse.json({ member })
      : HttpResponse.json({ error: 'No such member.' }, { status: 404 })
  }),
  http.get('/api/projects/:id/comments', () => HttpResponse.json({ comments })),
  http.post<{ id: string }, { text: string }>('/api/projects/:id/comments', async ({ request }) => {
    const comment = { id: comments.length + 1, text: (await request.json()).text }
    comments.push(comment)
    return HttpResponse.json({ comment }, { status: 201 })
  }),
  http.delete('/api/comments/:id', ({ params }) => {
    const index = comments.findIndex(({ id }) => String(id) === params.id)
    if (index >= 0) comments.splice(index, 1)
    return new HttpResponse(null, { status: 204 })
  }),
  http.get('/api/notifications', () => HttpResponse.json({ notifications: [], on: areNotificationsOn })),
  http.put<never, { on: boolean }>('/api/notifications', async ({ request }) => {
    areNotificationsOn = (await request.json()).on
    return HttpResponse.json({ on: areNotificationsOn })
  }),
  http.get('/api/invoices/:id', ({ params }) =>
    HttpResponse.json({ invoice: { id: params.id, total: 120 } }),
  ),
  http.get('/api/report.csv', () =>
    HttpResponse.text('project,hours\nMobile app,12\n', { headers: { 'content-type': 'text/csv' } }),
  ),
  graphql.query('GetUsage', () =>
    HttpResponse.json({ data: { usage: { projects: 4, members: members.length } } }),
  ),
]
