import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanEnv } from '../../cli/cli-process.js'
import { withModules } from '../with-modules.js'
import { type Form, forms } from './handler-forms.js'
import { aliasOf, failuresIn, testOf, writeForms } from './write-forms.js'

const vitest = fileURLToPath(new URL('../../../node_modules/vitest/vitest.mjs', import.meta.url))

describe('handlers in Vitest, with', () => {
  let folder: string
  let failureOf: (form: Form) => string

  beforeAll(async () => {
    folder = withModules(mkdtempSync(join(tmpdir(), 'dashboard-api-')))
    const root = join(folder, 'app')
    writeForms(root, (form) => testOf(form, form.body))
    const options = {
      resolve: { alias: { '#alias': aliasOf(root) }, tsconfigPaths: true },
      test: { globals: true, isolate: false, reporters: ['json'], outputFile: 'report.json' },
    }
    writeFileSync(join(root, 'vitest.config.mjs'), `export default ${JSON.stringify(options)}`)
    // Without the variables of the Vitest that runs this test.
    const env = Object.fromEntries(Object.entries(cleanEnv()).filter(([name]) => !/VITE/.test(name)))
    // It fails, since some of the forms are refused.
    await promisify(execFile)(process.execPath, [vitest, 'run'], { cwd: root, env }).catch(() => {})
    failureOf = failuresIn(readFileSync(join(root, 'report.json'), 'utf8'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each(forms)('$name', (form) => {
    if (form.refused?.vitest) expect(failureOf(form)).toMatch(form.refused.vitest)
    else expect(failureOf(form)).toBe('')
  })
})
