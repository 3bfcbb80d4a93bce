// JSON for people: a tree that can be folded, of a text that may be cut.

import { useRef, useState } from 'preact/hooks'

type Node =
  | { kind: 'value'; text: string }
  | { kind: 'list' | 'object'; items: { key?: string; node: Node }[]; isCut: boolean }

const space = /\s*/y
const string = /"(?:\\.|[^"\\])*("|$)/y
const other = /[^\s,\]}]+/y

/** Reads a JSON text as far as it goes; undefined for a text that is none. */
export function readJson(text: string): Node | undefined {
  let at = 0
  let isBroken = false
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0] ?? ''
    at += found.length
    return found
  }
  const peek = () => {
    take(space)
    return text[at]
  }
  const value = (): Node | undefined => {
    const next = peek()
    if (next === '{' || next === '[') return group(next)
    const found = take(next === '"' ? string : other)
    // The last one of a text that is cut may be a part of a value.
    const rest = at < text.length ? '' : '…'
    return found === '' ? undefined : { kind: 'value', text: found + rest }
  }
  const group = (opening: string): Node => {
    at += 1
    const closing = opening === '{' ? '}' : ']'
    const items: { key?: string; node: Node }[] = []
    while (peek() !== undefined) {
      if (text[at] === closing) {
        at += 1
        return { kind: opening === '{' ? 'object' : 'list', items, isCut: false }
      }
      if (text[at] === ',') {
        at += 1
        continue
      }
      let key: string | undefined
      if (opening === '{') {
        if (text[at] !== '"') {
          isBroken = true
          break
        }
        key = take(string)
        if (peek() === ':') at += 1
        else break
      }
      const node = value()
      if (!node) {
        isBroken ||= at < text.length
        break
      }
      items.push({ key, node })
    }
    return { kind: opening === '{' ? 'object' : 'list', items, isCut: true }
  }
  if (!/^\s*[[{]/.test(text)) return undefined
  const node = value()
  return isBroken || peek() !== undefined ? undefined : node
}

/** So many items of a level are shown at first. */
const maxItems = 50

type TreeProps = {
  node: Node
  /** How much of the text there is, if it is cut: e.g. `64 KiB`. */
  limit: string
  name?: string
  /** How many levels are open at first. */
  open: number
  mark?: (name: string | undefined, text: string) => string | undefined
}

const linesOf = (node: Node): number =>
  node.kind === 'value' ? 1 : node.items.reduce((sum, { node }) => sum + linesOf(node), 2)

/** A tree of fewer lines is open as a whole. */
const maxOpenLines = 60

/** A body as a tree, with one tab stop: there, the right arrow opens all, and the left one closes all. */
export function JsonBody(props: Omit<TreeProps, 'open' | 'name'>) {
  const element = useRef<HTMLDivElement>(null)
  const setAll = (isOpen: boolean) => {
    for (const each of element.current?.querySelectorAll('details') ?? []) each.open = isOpen
  }
  return (
    <div
      ref={element}
      class="code"
      tabIndex={0}
      role="group"
      aria-label="Body"
      onKeyDown={({ key }) => {
        if (key === 'ArrowRight') setAll(true)
        if (key === 'ArrowLeft') setAll(false)
      }}
    >
      <JsonTree {...props} open={linesOf(props.node) < maxOpenLines ? 99 : 3} />
    </div>
  )
}

function JsonTree({ node, limit, name, open, mark }: TreeProps) {
  const [isWhole, setWhole] = useState(false)
  const key = name !== undefined && (
    <>
      <span class="json-key">{name}</span>
      {': '}
    </>
  )
  if (node.kind === 'value')
    return (
      <div class="json-line">
        {key}
        <span class={mark?.(name, node.text)}>{node.text}</span>
      </div>
    )
  const [opening, closing] = node.kind === 'list' ? '[]' : '{}'
  const { items, isCut } = node
  if (items.length === 0 && !isCut)
    return (
      <div class="json-line">
        {key}
        {opening}
        {closing}
      </div>
    )
  const shown = isWhole ? items : items.slice(0, maxItems)
  return (
    <details open={open > 0}>
      <summary class="json-line" tabIndex={-1}>
        {key}
        {opening}
        <small class="quiet">
          {isCut ? ' first ' : ' '}
          {items.length.toLocaleString('en')}
          {isCut && `, cut after ${limit}`}
        </small>
      </summary>
      <div class="json-items">
        {shown.map((item, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the items never move
          <JsonTree key={i} node={item.node} name={item.key} open={open - 1} limit={limit} mark={mark} />
        ))}
        {shown.length < items.length && (
          <button type="button" class="ghost" onClick={() => setWhole(true)}>
            Show all {items.length.toLocaleString('en')}
          </button>
        )}
        {isCut && <em class="quiet">… cut after {limit}</em>}
      </div>
      {!isCut && <div class="json-line">{closing}</div>}
    </details>
  )
}

/** Returns a JSON text indented; any other text as it is. */
export function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
