// A module of a project without the DOM library and without Node's types, which declares its own `fetch`.
import { createClient, type Fetch } from 'dashboard-api/client'

const fetch: Fetch = async (url, { method, headers, body, signal }) => ({
  ok: url.length > 0 && !signal?.aborted,
  status: body === undefined ? 200 : 201,
  headers: { get: (name) => headers[name] ?? method },
  json: async () => ({ projects: [] }),
})

export async function names(): Promise<string[]> {
  const result = await createClient({ baseUrl: 'http://api.test', fetch }).projects.list()
  // @ts-expect-error A result has no such field.
  result.statusText
  return result.ok ? result.body.projects.map(({ name }) => name) : [result.body.error]
}
