/** Where handlers are loaded: by `dev`, Vite's plugin, a page of Vite's, Vitest, or Jest with Babel. */
export type Place = 'dev' | 'plugin' | 'page' | 'vitest' | 'jest'

/** Something that files of handlers may contain. */
export type Form = {
  name: string
  /** The files, by name. The first has the handlers. */
  files: Record<string, string>
  /** The body of the response to `GET /form`. */
  body?: unknown
  /** The same in Jest, if it differs. */
  bodyInJest?: unknown
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

const needsVite = (what: string) => new RegExp(`^handlers\\.ts:2: ${what} needs Vite\\. Its plugin`)

// Babel leaves `import.meta` as it is, so that Jest takes the file for an ES module.
const importMeta = /Must use import to load ES Module: .*handlers\.ts/

export const aliased: Form = {
  name: 'an alias of Vite',
  files: {
    'handlers.ts': answering('name', "import { name } from '#alias/part'"),
    'src/part.ts': "export const name: string = 'alias'",
  },
  body: 'alias',
  refused: {
    dev: /^handlers\.ts:2: Cannot find module '#alias\/part'/,
    jest: /Cannot find module '#alias\/part'/,
  },
}

export const forms: Form[] = [
  oneFile('a name that Node does not see', 'name', "import { name } from 'hidden'", 'hidden'),
  oneFile('such a name, of a namespace', 'all.name', "import * as all from 'hidden'", 'hidden'),
  oneFile('a default import of CommonJS', 'all.name', "import all from 'hidden'", 'hidden'),
  {
    ...oneFile('a package of both module systems', 'name', "import { name } from 'dual'", 'imported'),
    bodyInJest: 'required',
  },
  {
    ...oneFile('a package of ES modules', 'name', "import { name } from 'esm-only'", 'esm-only'),
    refused: { jest: /Must use import to load ES Module: .*esm-only/ },
  },
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
    refused: { jest: /Cannot find module '@\/part' from 'form-\d+\/handlers\.ts'/ },
  },
  {
    name: 'paths of a project that tsconfig.json references',
    files: {
      'handlers.ts': answering('name', "import { name } from '@referenced/part'"),
      'tsconfig.json': '{ "references": [{ "path": "./tsconfig.app.json" }], "files": [] }',
      'src/part.ts': "export const name: string = 'path'",
    },
    body: 'path',
    refused: { jest: /Cannot find module '@referenced\/part' from 'form-\d+\/handlers\.ts'/ },
  },
  aliased,
  {
    ...oneFile('import.meta.env', 'import.meta.env.VITE_NAME', '', 'from the environment'),
    refused: { jest: importMeta },
  },
  {
    ...oneFile(
      'import.meta.hot',
      "import.meta.hot === null ? 1 : 'loaded'",
      'if (import.meta.hot) import.meta.hot.accept()',
      'loaded',
    ),
    refused: { jest: importMeta },
  },
  {
    ...oneFile('import.meta.glob', 'Object.keys(files)', "const files = import.meta.glob('./*.txt')", [
      './text.txt',
    ]),
    refused: { dev: needsVite('import\\.meta\\.glob'), jest: importMeta },
  },
  {
    ...oneFile('?raw', 'text', "import text from './text.txt?raw'", 'text'),
    refused: {
      dev: needsVite("the import of '\\./text\\.txt\\?raw'"),
      jest: /no such file .*text\.txt\?raw'/,
    },
  },
  {
    ...oneFile('an image', 'typeof image', "import image from './image.svg'", 'string'),
    refused: { dev: needsVite("the import of '\\./image\\.svg'"), jest: /image\.svg:1\s*<svg/ },
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
  {
    ...oneFile('top-level await', 'name', "const { name } = await import('esm-only')", 'esm-only'),
    refused: { jest: /handlers\.ts:.*await is only valid in async functions/s },
  },
  {
    name: 'CommonJS in TypeScript',
    files: {
      'handlers.cts':
        "import msw = require('msw')\nconst { name } = require('hidden')\nexport = { handlers: [msw.http.get('*/form', () => msw.HttpResponse.json(name))] }",
    },
    body: 'hidden',
    refused: {
      plugin: /^handlers\.cts:1:/,
      page: /handlers\.cts:1:/,
      vitest: /Failed to parse source .* the \.cts file format/,
      jest: /handlers\.cts/,
    },
  },
  {
    name: 'an ES module that an ES module requires',
    files: {
      'handlers.ts': answering('name', "const { name } = require('./part')"),
      'part.ts': "export const name = 'required'",
    },
    bodyInJest: 'required',
    refused: {
      dev: /^handlers\.ts:2: '\.\/part' is an ES module/,
      // The stack has the line of the user in a process of Vite alone. Vitest's workers do not map it.
      plugin: /^handlers\.ts:\d+: require is not defined/,
      page: /require is not defined\n.*handlers\.ts\?import:2:/,
      vitest: /Cannot find module '\.\/part'\nRequire stack:\n.*handlers\.ts/,
    },
  },
  {
    name: 'a fault of syntax',
    files: {
      'handlers.ts': answering('name', "import { name } from './part'"),
      'part.ts': 'export const other = 1\n\nexport const name = = 2\n',
    },
    refused: {
      dev: /part\.ts:3:/,
      plugin: /part\.ts:3:/,
      page: /part\.ts:3:/,
      vitest: /part\.ts:3:/,
      jest: /part\.ts: Unexpected token \(3:/,
    },
  },
  {
    name: 'a fault of JSON',
    files: {
      'handlers.ts': answering('data', "import data from './data.json'"),
      'data.json': '{\n  "a": 1,\n}\n',
    },
    refused: {
      dev: /data\.json:3:/,
      plugin: /data\.json:3:/,
      page: /trailing comma at line 3/,
      vitest: /trailing comma at line 3/,
      jest: /double-quoted property name in JSON/,
    },
  },
  {
    name: 'an import of a file that is missing',
    files: { 'handlers.ts': answering('name', "\nimport { name } from './missing'") },
    refused: {
      dev: /^handlers\.ts:3: .*'\.\/missing'/,
      plugin: /^handlers\.ts:3: .*\.\/missing/,
      page: /"\.\/missing" from.*handlers\.ts:3:/s,
      vitest: /Cannot find module '\.\/missing' imported from .*handlers\.ts/,
      jest: /Cannot find module '\.\/missing' from 'form-\d+\/handlers\.ts'/,
    },
  },
  {
    name: 'an import of a package that is missing',
    files: { 'handlers.ts': answering('name', "\nimport { name } from 'not-installed'") },
    refused: {
      dev: /^handlers\.ts:3: .*'not-installed'/,
      plugin: /^handlers\.ts:3: .*not-installed/,
      page: /"not-installed" from.*handlers\.ts:3:/s,
      vitest: /Cannot find package 'not-installed' imported from .*handlers\.ts/,
      jest: /Cannot find module 'not-installed' from 'form-\d+\/handlers\.ts'/,
    },
  },
  {
    name: 'an error when it is loaded',
    files: {
      'handlers.ts': answering('1', "import './part'"),
      'part.ts': 'type A = {\n  a: string\n}\n\nexport const a: A = JSON.parse("}")\n',
    },
    refused: {
      dev: /^part\.ts:5: .*JSON/,
      plugin: /^part\.ts:5: .*JSON/,
      page: /is not valid JSON.*part\.ts/s,
      vitest: /is not valid JSON/,
      jest: /is not valid JSON.*part\.ts:5:/s,
    },
  },
]
