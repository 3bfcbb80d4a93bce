import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanEnv } from '../cli/cli-process.js'
import { type Form, forms } from '../mock/handlers/handler-forms.js'
import { failuresIn, testOf, writeForms } from '../mock/handlers/write-forms.js'

const run = promisify(execFile)

const packages = [
  ...['jest@30', 'jest-environment-jsdom@30', 'jest-fixed-jsdom', 'msw@2', 'react@19', '@babel/preset-env@7'],
  ...['@babel/preset-react@7', '@babel/preset-typescript@7', '@babel/plugin-proposal-decorators@7'],
]

const babel = {
  presets: [
    ['@babel/preset-env', { targets: { node: 'current' } }],
    ['@babel/preset-react', { runtime: 'automatic' }],
    '@babel/preset-typescript',
  ],
  plugins: [['@babel/plugin-proposal-decorators', { version: 'legacy' }]],
}

describe('handlers in Jest with the preset of the package and Babel, with', () => {
  let folder: string
  let failureOf: (form: Form) => string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dashboard-api-'))
    writeFileSync(join(folder, 'package.json'), '{}')
    const options = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
    await run('npm', ['install', ...packages, ...options], { cwd: folder })
    writeForms(folder, (form) => testOf(form, 'bodyInJest' in form ? form.bodyInJest : form.body))
    writeFileSync(join(folder, 'babel.config.json'), JSON.stringify(babel))
    cpSync('jest-preset.json', join(folder, 'jest.config.json'))
    const jest = ['node_modules/jest/bin/jest.js', '--json', '--outputFile=report.json', '--watchman=false']
    // It fails, since Jest refuses some of the forms.
    await run(process.execPath, jest, { cwd: folder, env: cleanEnv() }).catch(() => {})
    failureOf = failuresIn(readFileSync(join(folder, 'report.json'), 'utf8'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each(forms)('$name', (form) => {
    if (form.refused?.jest) expect(failureOf(form)).toMatch(form.refused.jest)
    else expect(failureOf(form)).toBe('')
  })
})
