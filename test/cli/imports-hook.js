import { register } from 'node:module'

// Preloaded with --import: prints a line "import <url>" on stderr for each imported module.
const hook = `
  import { writeSync } from 'node:fs'
  export async function resolve(specifier, context, next) {
    const resolved = await next(specifier, context)
    writeSync(2, 'import ' + resolved.url + '\\n')
    return resolved
  }`
register(`data:text/javascript,${encodeURIComponent(hook)}`)
