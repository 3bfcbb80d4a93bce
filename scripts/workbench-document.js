// The page of the mock as one document, for a server and for a page whose mock runs in it. Its policy allows its own script
// alone; its styles are set by the script: they need no permission of the page. It has no connection but to the server it
// comes from, or the channel to that page.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { transform } from 'lightningcss'

const folder = new URL('../workbench/', import.meta.url)
const read = (name) => readFileSync(new URL(name, folder))

function styles() {
  const names = readdirSync(new URL('styles/', folder)).sort()
  const code = Buffer.concat(names.map((name) => read(`styles/${name}`)))
  return transform({ filename: 'workbench.css', code, minify: true }).code.toString()
}

function documentWith(code) {
  const script = `const sheet=new CSSStyleSheet();sheet.replaceSync(${JSON.stringify(styles())});document.adoptedStyleSheets=[sheet];${code}`
  // A closing tag would end the script.
  const inline = script.replaceAll('</', '<\\/')
  const hash = createHash('sha256').update(inline).digest('base64')
  const policy = `default-src 'none'; script-src 'sha256-${hash}'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'`
  const [before, after] = read('index.html').toString().split('</head>')
  return `${before}<meta http-equiv="content-security-policy" content="${policy}">\n<script type="module">${inline}</script>\n</head>${after}`
}

/** A plugin that makes a bundled script a module that exports the document. */
export const workbenchDocument = {
  name: 'workbench-document',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      chunk.code = `export default ${JSON.stringify(documentWith(chunk.code))}\n`
    }
  },
}
