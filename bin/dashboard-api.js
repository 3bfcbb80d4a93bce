#!/usr/bin/env node
import { existsSync } from 'node:fs'

const main = new URL('../dist/executable/main.js', import.meta.url)
if (existsSync(main)) {
  await (await import(main.href)).main()
} else {
  process.stderr.write('error: dashboard-api is not built yet.\nhint: Run `npm run build` first.\n')
  process.exitCode = 1
}
