import type { Key } from 'ink'

const keyNames = {
  ...{ upArrow: 'up', downArrow: 'down', leftArrow: 'left', rightArrow: 'right' },
  ...{ pageUp: 'pageUp', pageDown: 'pageDown', home: 'home', end: 'end' },
  ...{ return: 'enter', escape: 'escape', tab: 'tab' },
  // The key above Enter sends either, depending on the terminal.
  ...{ backspace: 'backspace', delete: 'backspace' },
} as const satisfies Partial<Record<keyof Key, string>>

/** A named key, or text that was typed or pasted. */
export type KeyPress =
  | { key: (typeof keyNames)[keyof typeof keyNames] | 'interrupt' | 'clear'; text?: undefined }
  | { key?: undefined; text: string }

/** Converts Ink's input. */
export function toKeyPresses(input: string, key: Key): KeyPress[] {
  if (key.ctrl) return input === 'c' ? [{ key: 'interrupt' }] : input === 'u' ? [{ key: 'clear' }] : []
  const name = (Object.keys(keyNames) as (keyof typeof keyNames)[]).find((candidate) => key[candidate])
  if (name) return [{ key: keyNames[name] }]
  if (key.meta) return []
  return input.split(/(\p{Cc})/u).flatMap((part): KeyPress[] => {
    const control = controlCharacters.get(part)
    if (control) return [{ key: control }]
    return /^\p{Cc}?$/u.test(part) ? [] : [{ text: part }]
  })
}

/** Keys within text that arrives in one read, after pasting or fast typing. */
const controlCharacters = new Map<string, 'enter' | 'tab' | 'backspace' | 'clear' | 'interrupt'>([
  ['\x03', 'interrupt'],
  ['\r', 'enter'],
  ['\n', 'enter'],
  ['\x7f', 'backspace'],
  ['\b', 'backspace'],
  ['\t', 'tab'],
  ['\x15', 'clear'],
])

/** Splits a text into presses of single letters: several keys can arrive in one read. */
export const letters = (press: KeyPress): KeyPress[] =>
  press.text === undefined ? [press] : [...press.text].map((text) => ({ text }))
