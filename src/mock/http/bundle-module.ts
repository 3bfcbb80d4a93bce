import { randomUUID } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { type Plugin, rolldown } from 'rolldown'

/**
 * Runs the current version of a JavaScript or TypeScript module, with its imports outside node_modules, of either module
 * system. Node caches modules, so the files are bundled into one with a new name.
 * @param texts gets the text of each file that is read, also if the module then fails
 * @throws the fault of the module
 */
export async function runModule(file: string, texts: Map<string, string>): Promise<unknown> {
  // A tsconfig.json may extend a file that does not exist yet. An import that needs it then fails by its own name.
  const code = await bundle(file, texts, true).catch(() => bundle(file, texts, false))
  const made = join(tmpdir(), `dashboard-api-handlers-${randomUUID()}.mjs`)
  try {
    await writeFile(made, code)
    return await import(pathToFileURL(made).href)
  } finally {
    await rm(made, { force: true })
  }
}

async function bundle(file: string, texts: Map<string, string>, tsconfig: boolean): Promise<string> {
  const made = await rolldown({
    input: file,
    cwd: dirname(file),
    platform: 'node',
    tsconfig,
    logLevel: 'silent',
    // As Node resolves packages, not by `module`.
    resolve: { conditionNames: ['node'], mainFields: ['main'] },
    transform: {
      define: {
        'import.meta.url': 'import_meta_url',
        'import.meta.filename': '__filename',
        'import.meta.dirname': '__dirname',
      },
    },
    plugins: [leavePackages, readLocalFiles(texts)],
  })
  try {
    const { output } = await made.generate({ format: 'esm', codeSplitting: false, sourcemap: 'inline' })
    return output[0].code
  } catch (error) {
    throw new Error(faultsOf(error, file))
  } finally {
    await made.close()
  }
}

type Fault = { message: string; code?: string; id?: string; loc?: { file?: string; line: number } }

/** Without the column, which is behind the prefix of `readLocalFiles`. */
function faultsOf(error: unknown, file: string): string {
  const { errors = [error as Fault] } = error as { errors?: Fault[] }
  const texts = errors.map(({ message, code, id, loc }) => {
    const place = loc?.file ?? id
    // The other lines draw the place.
    const text = stripVTControlCharacters(message).replace(`[${code}] `, '').replace(/\n.*/s, '')
    return place === undefined ? text : `${relative(dirname(file), place)}:${loc?.line ?? 1}: ${text}`
  })
  return texts.join('; ')
}

/** Packages stay modules of Node, so that each is loaded once. */
const leavePackages: Plugin = {
  name: 'leave-packages',
  async resolveId(source, importer, { kind }) {
    if (importer === undefined || /^[./]/.test(source)) return null
    const found = await this.resolve(source, importer, { skipSelf: true, kind })
    if (!found || found.external || !found.id.includes(`${sep}node_modules${sep}`)) return found
    return { id: kind === 'require-call' ? found.id : pathToFileURL(found.id).href, external: true }
  },
}

/** Keeps the location of each file in the bundle. */
const readLocalFiles = (texts: Map<string, string>): Plugin => ({
  name: 'read-local-files',
  async load(id) {
    const isCode = /\.([cm]?[jt]s|[jt]sx)$/.test(id)
    if (!isCode && !id.endsWith('.json')) return null
    const text = await readFile(id, 'utf8')
    texts.set(id, text)
    if (!isCode) return text
    const place = { import_meta_url: pathToFileURL(id).href, __filename: id, __dirname: dirname(id) }
    const head = Object.entries(place).map(([name, value]) => `var ${name} = ${JSON.stringify(value)};`)
    return `${head.join(' ')} ${text}`
  },
})
