// The page of the mock as one document, for a server and for a page whose mock runs in it. Its policy allows its own script
// alone; its styles are set by the script: they need no permission of the page. It has no connection but to the server it
// comes from, or the channel to that page.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const folder = new URL('../workbench/', import.meta.url)
const read = (name) => readFile(new URL(name, folder), 'utf8')

async function styles() {
  const names = (await readdir(new URL('styles/', folder))).sort()
  const texts = await Promise.all(names.map((name) => read(`styles/${name}`)))
  return texts
    .join('\n')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replaceAll(';}', '}')
}

export async function workbenchDocument() {
  const bundled = await rolldown({
    input: fileURLToPath(new URL('main.tsx', folder)),
    platform: 'browser',
    tsconfig: fileURLToPath(new URL('tsconfig.json', folder)),
    resolve: {
      extensionAlias: { '.js': ['.ts', '.tsx', '.js'] },
    },
  })
  const { output } = await bundled.generate({
    format: 'esm',
    minify: true,
    comments: false,
    codeSplitting: false,
  })
  const css = await styles()
  const script = `const sheet=new CSSStyleSheet();sheet.replaceSync(${JSON.stringify(css)});document.adoptedStyleSheets=[sheet];${output[0].code}`
  // A closing tag would end the script.
  const inline = script.replaceAll('</', '<\\/')
  const hash = createHash('sha256').update(inline).digest('base64')
  const policy = `default-src 'none'; script-src 'sha256-${hash}'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'`
  const [before, after] = (await read('index.html')).split('</head>')
  return `${before}<meta http-equiv="content-security-policy" content="${policy}">\n<script type="module">${inline}</script>\n</head>${after}`
}
