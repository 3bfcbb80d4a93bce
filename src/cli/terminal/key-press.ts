import type { Key } from 'ink'

const named = {
  upArrow: 'up',
  downArrow: 'down',
  pageUp: 'pageUp',
  pageDown: 'pageDown',
  home: 'home',
  end: 'end',
  return: 'enter',
  escape: 'escape',
  tab: 'tab',
  // Terminals send either for the key above Enter.
  backspace: 'backspace',
  delete: 'backspace',
} as const satisfies Partial<Record<keyof Key, string>>

/** What was pressed: a key by its name, or text that was typed or pasted. */
export type Press =
  | { key: (typeof named)[keyof typeof named] | 'interrupt' }
  | { key?: undefined; text: string }

/** What Ink read, as presses. */
export function toPresses(input: string, key: Key): Press[] {
  if (key.ctrl) return input === 'c' ? [{ key: 'interrupt' }] : []
  const name = (Object.keys(named) as (keyof typeof named)[]).find((candidate) => key[candidate])
  if (name) return [{ key: named[name] }]
  if (key.meta) return []
  return input.split(/(\p{Cc})/u).flatMap((part): Press[] => {
    if (controls[part]) return [{ key: controls[part] }]
    return /^\p{Cc}?$/u.test(part) ? [] : [{ text: part }]
  })
}

/** Keys among text that came at once: what was pasted, or typed faster than it was read. */
const controls: Record<string, 'enter' | 'tab' | 'backspace'> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\x7f': 'backspace',
  '\b': 'backspace',
}
