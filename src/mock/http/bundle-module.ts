import { randomUUID } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, extname, join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BuildFailure, build, type Loader, type Message, type Plugin } from 'esbuild'

/**
 * Runs a JavaScript or TypeScript module as its files are now, with what it imports outside node_modules, in the ways of both
 * module systems. Node itself keeps a module as it was first loaded, so that the files are bundled into one of a new name.
 * @param texts gets the text of each file as it is read, also if the module then fails
 * @throws what is wrong with the module
 */
export async function runModule(file: string, texts: Map<string, string>): Promise<unknown> {
  const { outputFiles } = await build({
    entryPoints: [file],
    absWorkingDir: dirname(file),
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: `node${process.versions.node}`,
    // Not `module`, which Node does not know.
    conditions: [],
    jsx: 'automatic',
    sourcemap: 'inline',
    logLevel: 'silent',
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire(${urlOf(file)});`,
    },
    define: {
      'import.meta.url': 'import_meta_url',
      'import.meta.filename': '__filename',
      'import.meta.dirname': '__dirname',
    },
    plugins: [leavePackages, readLocalFiles(texts)],
  }).catch((error: BuildFailure) => {
    throw new Error(error.errors.map(faultOf).join('; '))
  })
  const made = join(tmpdir(), `dashboard-api-handlers-${randomUUID()}.mjs`)
  try {
    await writeFile(made, outputFiles[0]?.contents ?? '')
    return await import(pathToFileURL(made).href)
  } finally {
    await rm(made, { force: true })
  }
}

/** Without the column, which is behind what `readLocalFiles` puts first. */
const faultOf = ({ text, location }: Message): string =>
  location ? `${location.file}:${location.line}: ${text}` : text

const urlOf = (file: string) => JSON.stringify(pathToFileURL(file).href)

/** Packages stay modules of Node, of which there is one. */
const leavePackages: Plugin = {
  name: 'leave-packages',
  setup({ onResolve, resolve }) {
    const isResolving = Symbol('resolving')
    onResolve({ filter: /^[^./]/ }, async ({ path, pluginData, ...from }) => {
      if (from.kind === 'entry-point' || pluginData === isResolving) return undefined
      const found = await resolve(path, { ...from, pluginData: isResolving })
      if (found.errors.length > 0 || !found.path.includes(`${sep}node_modules${sep}`)) return found
      const isRequired = from.kind === 'require-call' || from.kind === 'require-resolve'
      return { path: isRequired ? found.path : pathToFileURL(found.path).href, external: true }
    })
  },
}

const loaders: Record<string, Loader> = {
  '.js': 'js',
  '.mjs': 'js',
  '.cjs': 'js',
  '.jsx': 'jsx',
  '.ts': 'ts',
  '.mts': 'ts',
  '.cts': 'ts',
  '.tsx': 'tsx',
  '.json': 'json',
}

/** Each file has its own place, whichever file it is bundled into. */
const readLocalFiles = (texts: Map<string, string>): Plugin => ({
  name: 'read-local-files',
  setup({ onLoad }) {
    onLoad({ filter: /\.([cm]?[jt]s|[jt]sx|json)$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      texts.set(path, text)
      const loader = loaders[extname(path)]
      if (loader === 'json') return { contents: text, loader }
      const place = { import_meta_url: pathToFileURL(path).href, __filename: path, __dirname: dirname(path) }
      const head = Object.entries(place).map(([name, value]) => `var ${name} = ${JSON.stringify(value)};`)
      return { contents: `${head.join(' ')} ${text}`, loader }
    })
  },
})
