import { escapeHtml } from '../../src/pages/page.js'

// Converts a terminal screen to SVG. Text stays text, so it is sharp at any size.

const [cellWidth, lineHeight, margin] = [8.4, 18, 16]

/** The eight colours and their bright variants, on a dark background. */
const palette = [
  ...['#1d2027', '#f07178', '#8bd49c', '#f2c572', '#7fa7ff', '#c79bf0', '#6fd3d8', '#d8dce6'],
  ...['#7d8596', '#ff8b92', '#a5e8b4', '#ffd98e', '#9dbcff', '#dab5ff', '#8ee8ec', '#ffffff'],
]

type Style = { colour: string; ground?: string; bold?: boolean; dim?: boolean; inverse?: boolean }
const plain: Style = { colour: palette[7] ?? '' }

/** @param screen the lines of a terminal with escape codes, as `tmux capture-pane -e -p` prints them */
export function terminalSvg(screen: string, columns: number): string {
  const lines = screen.replace(/\n+$/, '').split('\n')
  const [width, height] = [
    Math.round(columns * cellWidth) + 2 * margin,
    lines.length * lineHeight + 2 * margin,
  ]
  let style = plain
  const rendered = lines.map((line, row) => {
    let column = 0
    const parts: string[] = []
    // biome-ignore lint/suspicious/noControlCharactersInRegex: an escape code begins with a control character.
    for (const [, codes, text = ''] of line.matchAll(/(?:\u001b\[([\d;]*)m)|([^\u001b]+)/g)) {
      if (codes !== undefined) style = styled(style, codes.split(';').map(Number))
      else parts.push(run(text, style, column, row))
      column += codes === undefined ? [...text].length : 0
    }
    return parts.join('')
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<title>The mock on a terminal</title>
<rect width="100%" height="100%" rx="10" fill="#16181d"/>
<g font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">
${rendered.join('\n')}
</g>
</svg>
`
}

function run(
  text: string,
  { colour, ground, bold, dim, inverse }: Style,
  column: number,
  row: number,
): string {
  const length = [...text].length * cellWidth
  const [x, y] = [margin + column * cellWidth, margin + row * lineHeight]
  const background = inverse ? colour : ground
  const rect = background
    ? `<rect x="${x}" y="${y}" width="${length}" height="${lineHeight}" fill="${background}"/>`
    : ''
  const attributes = `${bold ? ' font-weight="700"' : ''}${dim ? ' opacity=".65"' : ''}`
  const fill = inverse ? '#16181d' : colour
  // Each word is as wide as in the terminal, whatever the font.
  const words = [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => {
    const at = x + [...text.slice(0, index)].length * cellWidth
    const size = `x="${at}" y="${y + 13.5}" textLength="${[...word].length * cellWidth}"`
    return `<text ${size} lengthAdjust="spacingAndGlyphs" fill="${fill}"${attributes}>${escapeHtml(word)}</text>`
  })
  return rect + words.join('')
}

/** The style after a sequence of SGR codes. */
function styled(style: Style, codes: number[]): Style {
  const [code = 0, ...rest] = codes
  if (codes.length === 0) return style
  if (code === 38 || code === 48) {
    const [kind, a = 0, b = 0, c = 0] = rest
    const colour = kind === 2 ? `rgb(${a},${b},${c})` : (palette[a] ?? plain.colour)
    const next = code === 38 ? { ...style, colour } : { ...style, ground: colour }
    return styled(next, rest.slice(kind === 2 ? 4 : 2))
  }
  return styled(simple(style, code), rest)
}

function simple(style: Style, code: number): Style {
  if (code === 0) return plain
  if (code === 1) return { ...style, bold: true }
  if (code === 2) return { ...style, dim: true }
  if (code === 7) return { ...style, inverse: true }
  if (code === 22) return { ...style, bold: false, dim: false }
  if (code === 27) return { ...style, inverse: false }
  if (code === 39) return { ...style, colour: plain.colour }
  if (code === 49) return { ...style, ground: undefined }
  const colour = code >= 90 ? palette[code - 82] : code >= 30 && code < 38 ? palette[code - 30] : undefined
  const ground = code >= 40 && code < 48 ? palette[code - 40] : undefined
  return { ...style, ...(colour && { colour }), ...(ground && { ground }) }
}
