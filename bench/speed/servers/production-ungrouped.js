// Production without group commit. A module hook replaces the write queue of the store, so that nothing else differs and
// production needs no setting for it.
import { register } from 'node:module'

const dist = new URL('../../../dist/', import.meta.url).href
const queue = `${dist}store/sql/write-queue.js`
const replacement = new URL('ungrouped-queue.js', import.meta.url).href
const hooks = `export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context)
  const isReplaced = resolved.url === '${queue}' && context.parentURL !== '${replacement}'
  return isReplaced ? { ...resolved, url: '${replacement}' } : resolved
}`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)

const { readSettings } = await import(`${dist}server/settings/settings.js`)
const { startServer } = await import(`${dist}server/start-server.js`)
const { wasUsed } = await import(replacement)

const [port, database] = process.argv.slice(2)
await startServer(readSettings(process.env, { port, database }))
if (!wasUsed()) throw new Error('The store did not use the queue without group commit')
