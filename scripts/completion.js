// Writes the completion scripts. At run time they would take long: every command would have to be loaded.
import { mkdirSync, writeFileSync } from 'node:fs'
import { completionScripts } from '../dist/cli/completion/scripts.js'
import { createProgram } from '../dist/cli/program.js'

const folder = new URL('../dist/executable/completion/', import.meta.url)

mkdirSync(folder, { recursive: true })
for (const [shell, script] of Object.entries(completionScripts(await createProgram()))) {
  writeFileSync(new URL(shell, folder), script)
}
