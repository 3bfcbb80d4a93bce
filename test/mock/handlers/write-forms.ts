import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { emptyFolder } from '../../cli/cli-process.js'
import { withModules } from '../with-modules.js'
import { aliased, type Form, forms } from './handler-forms.js'

const packages = {
  'node_modules/hidden/package.json': '{ "name": "hidden", "main": "main.js" }',
  'node_modules/hidden/main.js': "const all = {}\nall['na' + 'me'] = 'hidden'\nmodule.exports = all",
  'node_modules/hidden/data.json': '{ "name": "data" }',
  'node_modules/dual/package.json':
    '{ "name": "dual", "exports": { "import": "./main.mjs", "require": "./main.cjs" } }',
  'node_modules/dual/main.mjs': "export const name = 'imported'",
  'node_modules/dual/main.cjs': "exports.name = 'required'",
  'node_modules/esm-only/package.json': '{ "name": "esm-only", "type": "module", "exports": "./main.js" }',
  'node_modules/esm-only/main.js': "export const name = 'esm-only'",
}

const common = {
  'tsconfig.json':
    '{ "compilerOptions": { "jsx": "react-jsx", "experimentalDecorators": true, "paths": { "@/*": ["./src/*"] } } }',
  'tsconfig.app.json': '{ "compilerOptions": { "paths": { "@referenced/*": ["./src/*"] } } }',
  '.env': 'VITE_NAME="from the environment"',
  'text.txt': 'text',
  'image.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
}

const write = (folder: string, files: Record<string, string>) => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

/** Writes the files of a form into a folder of its own. @returns the folder, and the file of handlers */
export function writeForm({ files }: Form) {
  const root = join(withModules(emptyFolder()), 'app')
  write(root, { ...packages, ...common, ...files })
  return { root, file: join(root, handlersOf(files)) }
}

const handlersOf = (files: Form['files']) => Object.keys(files)[0] ?? ''

/** The folder of a form in a project of all forms. */
export const folderOf = (form: Form) => `form-${forms.indexOf(form)}`

/** The path of the handlers of a form in a project of all forms. */
export const pathOf = (form: Form) => `${folderOf(form)}/${handlersOf(form.files)}`

/** Writes all forms into one project, each in a folder. @param testOf the test of a form, for a tool that runs tests */
export function writeForms(root: string, testOf = (_: Form) => ''): void {
  write(root, { ...packages, '.env': common['.env'] })
  for (const form of forms) {
    write(join(root, folderOf(form)), { ...common, ...form.files, 'form.test.js': testOf(form) })
  }
}

/** The folder that `#alias` stands for in a project of all forms. */
export const aliasOf = (root: string) => join(root, folderOf(aliased), 'src')

/** A test, for Vitest and Jest, that the handlers of a form answer with a body. */
export const testOf = ({ files }: Form, body: unknown) => `import { setupServer } from 'msw/node'
import { handlers } from './${handlersOf(files)}'

test('the handlers', async () => {
  const server = setupServer(...handlers)
  server.listen()
  try {
    const response = await fetch('http://localhost/form')
    expect(await response.json()).toEqual(${JSON.stringify(body)})
  } finally {
    server.close()
  }
})
`

type Report = {
  testResults: { name: string; message: string; assertionResults: { failureMessages: string[] }[] }[]
}

/** Reads the JSON of Vitest or Jest. @returns the message of the failure of a form, or an empty text */
export function failuresIn(report: string): (form: Form) => string {
  const { testResults } = JSON.parse(report) as Report
  return (form) => {
    const result = testResults.find(({ name }) => name.includes(`/${folderOf(form)}/`))
    if (!result) return `There is no result of ${folderOf(form)}.`
    const failures = result.assertionResults.flatMap(({ failureMessages }) => failureMessages)
    return stripVTControlCharacters([result.message, ...failures].join('\n')).trim()
  }
}
