// Bundles what is run elsewhere than in this checkout: the mock's entry points, so that a page or a test loads only
// what runs in them, and the executable, so that a command loads only what it needs. What they are made of, and
// under which licences, is written beside them.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { licensesOf } from './licenses.js'
import { replacedInExecutable, replacedInPages, replacing } from './replaced.js'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))

async function bundle(folder, input, output) {
  const dir = join(dist, folder)
  const made = await rolldown({
    ...input,
    // The emptied modules lack names that only what was removed would use.
    shimMissingExports: true,
    onLog: (level, log, report) => log.code === 'SHIMMED_EXPORT' || report(level, log),
  })
  const { output: chunks } = await made.write({
    ...output,
    dir,
    format: 'esm',
    sourcemap: true,
    chunkFileNames: '[name].js',
  })
  writeFileSync(join(dir, 'LICENSES.txt'), licensesOf(chunks))
}

await bundle('entries', {
  input: { msw: 'dist/mock/msw.js', browser: 'dist/mock/browser.js', node: 'dist/mock/node.js' },
  external: [/^msw(\/|$)/, /^node:/],
  platform: 'neutral',
  resolve: { mainFields: ['browser', 'module', 'main'], conditionNames: ['import', 'require', 'default'] },
  plugins: [replacing(replacedInPages)],
})

await bundle(
  'executable',
  {
    input: { main: 'src/cli/main.ts', vite: 'src/mock/vite.ts' },
    // It has a binary of its own.
    external: ['sqlite3'],
    platform: 'node',
    resolve: { extensionAlias: { '.js': ['.ts', '.tsx', '.js'] } },
    plugins: [replacing(replacedInExecutable)],
  },
  // Its maps are for stack traces: they name the sources, and need not have them.
  {
    comments: false,
    sourcemapExcludeSources: true,
    codeSplitting: {
      groups: [
        // All that every command line needs, in one file; and what both modes do.
        { name: 'command-line', test: /src.cli.main/, priority: 2 },
        {
          name: 'interface',
          test: /src.(contract|handlers|pages|store.state-file)|node_modules.(zod|uuid)./,
        },
      ],
    },
  },
)
