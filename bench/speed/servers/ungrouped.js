// Production, with a store that commits each write by itself. The writer of the store is replaced as it is loaded, so
// that nothing else differs and production has no switch for it.
import { register } from 'node:module'

const dist = new URL('../../../dist/', import.meta.url).href
const writer = `${dist}store/sqlite/writer.js`
const replacement = new URL('ungrouped-writer.js', import.meta.url).href
const hooks = `export async function resolve(specifier, context, next) {
  const found = await next(specifier, context)
  const isWanted = found.url === '${writer}' && context.parentURL !== '${replacement}'
  return isWanted ? { ...found, url: '${replacement}' } : found
}`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)

const { readSettings } = await import(`${dist}server/settings/settings.js`)
const { startServer } = await import(`${dist}server/start-server.js`)
const { wasUsed } = await import(replacement)

const [port, database] = process.argv.slice(2)
await startServer(readSettings(process.env, { port, database }))
if (!wasUsed()) throw new Error('The store did not take the writer without grouping')
