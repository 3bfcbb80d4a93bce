// The page of the mock as one document, for a page whose mock runs in it. Its policy allows its own script alone; it has
// no connection but the channel to that page. Its styles are set by the script: they need no permission of the page.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const folder = new URL('../workbench/', import.meta.url)
const read = (name) => readFile(new URL(name, folder), 'utf8')

export async function workbenchDocument() {
  const bundled = await rolldown({
    input: fileURLToPath(new URL('workbench.js', folder)),
    platform: 'browser',
  })
  const { output } = await bundled.generate({ format: 'esm', minify: true, codeSplitting: false })
  const css = (await read('workbench.css')).replace(/\/\*.*?\*\//gs, '').replace(/\s+/g, ' ')
  const script = `const sheet=new CSSStyleSheet();sheet.replaceSync(${JSON.stringify(css)});document.adoptedStyleSheets=[sheet];${output[0].code}`
  // A closing tag would end the script.
  const inline = script.replaceAll('</', '<\\/')
  const hash = createHash('sha256').update(inline).digest('base64')
  const policy = `default-src 'none'; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`
  const [before, after] = (await read('index.html')).split(
    /<link rel="icon".*\n<link rel="stylesheet".*\n<script.*\n/,
  )
  return `${before}<meta http-equiv="content-security-policy" content="${policy}">\n<script type="module">${inline}</script>\n${after}`
}
