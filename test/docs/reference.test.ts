import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { settingNames, settingsTable } from '../../src/server/settings/settings-table.js'
import { stateKinds } from '../../src/store/state-file.js'
import { referencePage } from './reference-page.js'

const file = fileURLToPath(new URL('../../docs/reference.md', import.meta.url))

test('docs/reference.md is up to date; UPDATE=1 writes it', async () => {
  if (process.env.UPDATE) writeFileSync(file, await referencePage())
  expect(readFileSync(file, 'utf8')).toBe(await referencePage())
})

test('the reference has every setting, every list of a state file, and subcommands', async () => {
  const page = await referencePage()
  for (const name of settingNames) expect(page).toContain(`| \`${settingsTable[name].env}\``)
  for (const kind of stateKinds) expect(page).toContain(`| \`${kind}\` | list of `)
  for (const command of ['dev', 'serve', 'session list', 'verify [url]', 'openapi']) {
    expect(page).toContain(`| \`${command}\` |`)
  }
})
