import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'

/** The declarations that an entry imports, directly or indirectly, by their path in dist. */
function declarationsOf(entry: string): string[] {
  const types = 'dist'
  const reached = new Set([join(types, entry)])
  for (const file of reached) {
    const text = readFileSync(file, 'utf8')
    for (const [, name] of text.matchAll(/\b(?:from|import)[ (]['"](\.[^'"]+)\.js['"]/g)) {
      reached.add(join(file, '..', `${name}.d.ts`))
    }
  }
  return [...reached].map((file) => relative(types, file)).sort()
}

test('the types of dashboard-api/server contain only public declarations', () => {
  expect(declarationsOf('server/server.d.ts').filter((file) => !file.startsWith('contract/'))).toEqual([
    'server/plugin-options.d.ts',
    'server/plugin.d.ts',
    'server/server.d.ts',
    'server/sessions/host-caller.d.ts',
    'store/audit-log.d.ts',
    'store/state-file.d.ts',
    'store/store.d.ts',
  ])
})
