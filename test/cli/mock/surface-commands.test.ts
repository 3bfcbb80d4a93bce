import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { testSurface } from '../../mock/surfaces/surface-suite.js'
import { emptyFolder, run } from '../cli-process.js'

testSurface(
  'the command line',
  async ({ url }) => ({
    async perform(control, input, line) {
      const cwd = emptyFolder()
      const file = join(cwd, 'state.json')
      writeFileSync(file, JSON.stringify(input))
      const words = control === 'loadState' ? ['state', 'load', file] : wordsOf(line)
      const { code, stderr } = await run([...words, '--url', url], { cwd })
      expect({ code, stderr }).toMatchObject({ code: 0 })
      return stderr
    },
  }),
  { sequences: 2 },
)

/** The words of a line as a shell takes them. */
const wordsOf = (line: string) =>
  [...line.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ''))
