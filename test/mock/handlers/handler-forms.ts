import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { emptyFolder } from '../../cli/cli-process.js'
import { withModules } from '../with-modules.js'

/** Where handlers are loaded. */
export type Place = 'dev' | 'plugin'

/** Something that files of handlers may contain. */
export type Form = {
  name: string
  /** The files, by name. The first has the handlers. */
  files: Record<string, string>
  /** The body of the response to `GET /form`. */
  body?: unknown
  /** The message by which a place refuses it. */
  refused?: Partial<Record<Place, RegExp>>
}

/** A file of handlers that answers with the value of an expression. */
const answering = (value: string, before = '') =>
  `import { http, HttpResponse } from 'msw'\n${before}\nexport const handlers = [http.get('*/form', () => HttpResponse.json(${value}))]\n`

const oneFile = (name: string, value: string, before: string, body: unknown): Form => ({
  name,
  files: { 'handlers.ts': answering(value, before) },
  body,
})

const needsVite = (what: string) => ({
  dev: new RegExp(`^handlers\\.ts:2: ${what} needs Vite\\. Its plugin`),
})

export const forms: Form[] = [
  oneFile('a name that Node does not see', 'name', "import { name } from 'hidden'", 'hidden'),
  oneFile('such a name, of a namespace', 'all.name', "import * as all from 'hidden'", 'hidden'),
  oneFile('a default import of CommonJS', 'all.name', "import all from 'hidden'", 'hidden'),
  oneFile('a package of both module systems', 'name', "import { name } from 'dual'", 'imported'),
  oneFile('a package of ES modules', 'name', "import { name } from 'esm-only'", 'esm-only'),
  oneFile('JSON of a package', 'data.name', "import data from 'hidden/data.json'", 'data'),
  {
    name: 'JSON of its own',
    files: {
      'handlers.ts': answering('data.name', "import data from './data.json'"),
      'data.json': '{"name":"own"}',
    },
    body: 'own',
  },
  {
    name: 'paths of a tsconfig.json',
    files: {
      'handlers.ts': answering('name', "import { name } from '@/part'"),
      'src/part.ts': "export const name: string = 'path'",
    },
    body: 'path',
  },
  {
    name: 'paths of a project that tsconfig.json references',
    files: {
      'handlers.ts': answering('name', "import { name } from '@referenced/part'"),
      'tsconfig.json': '{ "references": [{ "path": "./tsconfig.app.json" }], "files": [] }',
      'src/part.ts': "export const name: string = 'path'",
    },
    body: 'path',
  },
  {
    name: 'an alias of Vite',
    files: {
      'handlers.ts': answering('name', "import { name } from '#alias/part'"),
      'src/part.ts': "export const name: string = 'alias'",
    },
    body: 'alias',
    refused: { dev: /^handlers\.ts:2: Cannot find module '#alias\/part'/ },
  },
  oneFile('import.meta.env', 'import.meta.env.VITE_NAME', '', 'from the environment'),
  oneFile(
    'import.meta.hot',
    "import.meta.hot === null ? 1 : 'loaded'",
    'if (import.meta.hot) import.meta.hot.accept()',
    'loaded',
  ),
  {
    ...oneFile('import.meta.glob', 'Object.keys(files)', "const files = import.meta.glob('./*.txt')", [
      './text.txt',
    ]),
    refused: needsVite('import\\.meta\\.glob'),
  },
  {
    ...oneFile('?raw', 'text', "import text from './text.txt?raw'", 'text'),
    refused: needsVite("the import of '\\./text\\.txt\\?raw'"),
  },
  {
    ...oneFile('an image', 'typeof image', "import image from './image.svg'", 'string'),
    refused: needsVite("the import of '\\./image\\.svg'"),
  },
  {
    name: 'JSX',
    files: { 'handlers.tsx': answering('(<b>bold</b>).type') },
    body: 'b',
  },
  oneFile(
    'decorators',
    'new Decorated().name()',
    "const named = (_: object, __: string, of: PropertyDescriptor) => ({ ...of, value: () => 'decorated' })\nclass Decorated { @named name() { return '' } }",
    'decorated',
  ),
  oneFile('top-level await', 'name', "const { name } = await import('esm-only')", 'esm-only'),
  {
    name: 'CommonJS in TypeScript',
    files: {
      'handlers.cts':
        "import msw = require('msw')\nconst { name } = require('hidden')\nexport = { handlers: [msw.http.get('*/form', () => msw.HttpResponse.json(name))] }",
    },
    body: 'hidden',
    refused: { plugin: /^handlers\.cts:/ },
  },
  {
    name: 'an ES module that an ES module requires',
    files: {
      'handlers.ts': answering('name', "const { name } = require('./part')"),
      'part.ts': "export const name = 'required'",
    },
    refused: {
      dev: /^handlers\.ts:2: '\.\/part' is an ES module/,
      plugin: /^handlers\.ts:\d+: require is not defined/,
    },
  },
  {
    name: 'a fault of syntax',
    files: {
      'handlers.ts': answering('name', "import { name } from './part'"),
      'part.ts': 'export const other = 1\n\nexport const name = = 2\n',
    },
    refused: { dev: /part\.ts:3:/, plugin: /part\.ts:3:/ },
  },
  {
    name: 'a fault of JSON',
    files: {
      'handlers.ts': answering('data', "import data from './data.json'"),
      'data.json': '{\n  "a": 1,\n}\n',
    },
    refused: { dev: /data\.json:3:/, plugin: /data\.json:3:/ },
  },
  {
    name: 'an import of a file that is missing',
    files: { 'handlers.ts': answering('name', "\nimport { name } from './missing'") },
    refused: {
      dev: /^handlers\.ts:3: .*'\.\/missing'/,
      plugin: /^handlers\.ts:3: .*\.\/missing/,
    },
  },
  {
    name: 'an import of a package that is missing',
    files: { 'handlers.ts': answering('name', "\nimport { name } from 'not-installed'") },
    refused: {
      dev: /^handlers\.ts:3: .*'not-installed'/,
      plugin: /^handlers\.ts:3: .*not-installed/,
    },
  },
  {
    name: 'an error when it is loaded',
    files: {
      'handlers.ts': answering('1', "import './part'"),
      'part.ts': 'type A = {\n  a: string\n}\n\nexport const a: A = JSON.parse("}")\n',
    },
    refused: { dev: /^part\.ts:5: .*JSON/, plugin: /^part\.ts:5: .*JSON/ },
  },
]

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

/** Writes the files of a form into a folder of its own. @returns the folder, and the file of handlers */
export function writeForm({ files }: Form) {
  const root = join(withModules(emptyFolder()), 'app')
  for (const [name, text] of Object.entries({ ...packages, ...common, ...files })) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  return { root, file: join(root, Object.keys(files)[0] ?? '') }
}
