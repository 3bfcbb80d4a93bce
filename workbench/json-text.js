// JSON for people: indented, and in colours.

import { element } from './dom.js'

/** Longer texts are shown without colours, which would make them slow. */
const maxColoured = 30_000

/** Returns a JSON text indented; any other text as it is. */
export function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const token = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\b\d[\d.eE+-]*/g

/** Returns a text with its keys, strings and other values as elements of their own. */
export function coloured(text) {
  if (text.length > maxColoured || !/^\s*[[{]/.test(text)) return [text]
  const nodes = []
  let end = 0
  for (const { 0: value, 1: string, 2: colon = '', index } of text.matchAll(token)) {
    nodes.push(text.slice(end, index))
    const className = string === undefined ? 'json-value' : colon ? 'json-key' : 'json-string'
    nodes.push(element('span', { className }, string ?? value), colon)
    end = index + value.length
  }
  return [...nodes, text.slice(end)]
}
