import { register } from 'node:module'

// Preloaded with --import: prints on stderr what is imported, one "import <url>" a line.
const hook = `
  import { writeSync } from 'node:fs'
  export async function resolve(specifier, context, next) {
    const resolved = await next(specifier, context)
    writeSync(2, 'import ' + resolved.url + '\\n')
    return resolved
  }`
register(`data:text/javascript,${encodeURIComponent(hook)}`)
