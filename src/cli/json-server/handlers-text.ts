import type { Db } from './read-db.js'

/**
 * The text of a module of MSW handlers: plain REST over collections, as json-server has it, and over single objects. It is
 * the user's to change.
 */
export const handlersText = (
  db: Db,
): string => `// Made from a db.json of json-server: plain REST over each collection, yours to change.
import { http, HttpResponse } from 'msw'

const initial = ${JSON.stringify(db, undefined, 2)}

/** A function, so that each mock, space and isolated test has data of its own. */
export const handlers = () => {
  const db = structuredClone(initial)
  return Object.entries(db).flatMap(([name, value]) =>
    Array.isArray(value) ? collection(name, value) : single(name, db),
  )
}

const missing = () => HttpResponse.json({}, { status: 404 })

function collection(name, rows) {
  const indexOf = ({ id }) => rows.findIndex((row) => String(row.id) === id)
  const path = \`*/\${name}\`
  const change = (merge) => async ({ params, request }) => {
    const index = indexOf(params)
    if (index < 0) return missing()
    rows[index] = { ...merge(rows[index], await request.json()), id: rows[index].id }
    return HttpResponse.json(rows[index])
  }
  return [
    http.get(path, () => HttpResponse.json(rows)),
    http.post(path, async ({ request }) => {
      const row = { id: crypto.randomUUID(), ...(await request.json()) }
      rows.push(row)
      return HttpResponse.json(row, { status: 201 })
    }),
    http.get(\`\${path}/:id\`, ({ params }) => {
      const index = indexOf(params)
      return index < 0 ? missing() : HttpResponse.json(rows[index])
    }),
    http.put(\`\${path}/:id\`, change((_, next) => next)),
    http.patch(\`\${path}/:id\`, change((row, next) => ({ ...row, ...next }))),
    http.delete(\`\${path}/:id\`, ({ params }) => {
      const index = indexOf(params)
      return index < 0 ? missing() : HttpResponse.json(rows.splice(index, 1)[0])
    }),
  ]
}

function single(name, db) {
  const change = (merge) => async ({ request }) => {
    db[name] = merge(db[name], await request.json())
    return HttpResponse.json(db[name])
  }
  return [
    http.get(\`*/\${name}\`, () => HttpResponse.json(db[name])),
    http.put(\`*/\${name}\`, change((_, next) => next)),
    http.patch(\`*/\${name}\`, change((value, next) => ({ ...value, ...next }))),
  ]
}
`
