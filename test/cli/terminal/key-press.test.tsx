import { type Key, Text } from 'ink'
import { render } from 'ink-testing-library'
import { describe, expect, test } from 'vitest'
import { letters, toKeyPresses } from '../../../src/cli/terminal/key-press.js'
import { Live } from '../../../src/cli/terminal/live.js'

describe('keys', () => {
  test('are read as names and text, also several at once', async () => {
    const presses: unknown[] = []
    const view = render(
      <Live view={() => <Text>shown</Text>} press={(press) => presses.push(press)} width={80} height={24} />,
    )
    await expect.poll(() => view.stdin.listenerCount('readable')).toBeGreaterThan(0)
    for (const typed of [
      'q',
      '\x1b[A',
      '\x1b[B',
      '\r',
      '\t',
      '\x03',
      '\x7f',
      '\x15',
      'ab\x7f\r\x15',
      'q\x03\x03',
    ])
      view.stdin.write(typed)
    expect(presses).toEqual([
      { text: 'q' },
      { key: 'up' },
      { key: 'down' },
      { key: 'enter' },
      { key: 'tab' },
      { key: 'interrupt' },
      { key: 'backspace' },
      { key: 'clear' },
      { text: 'ab' },
      { key: 'backspace' },
      { key: 'enter' },
      { key: 'clear' },
      { text: 'q' },
      { key: 'interrupt' },
      { key: 'interrupt' },
    ])
    view.stdin.write('\x1b')
    await expect.poll(() => presses.at(-1)).toEqual({ key: 'escape' })
    expect(view.lastFrame()).toBe('shown')
  })

  test('without a meaning are not read as text', () => {
    const none = {} as Key
    expect(toKeyPresses('a', { ...none, ctrl: true })).toEqual([])
    expect(toKeyPresses('a', { ...none, meta: true })).toEqual([])
    expect(toKeyPresses('\x01', none)).toEqual([])
  })

  test('read pasted text as a whole, even names of object properties', () => {
    expect(toKeyPresses('constructor\r__proto__', {} as Key)).toEqual([
      { text: 'constructor' },
      { key: 'enter' },
      { text: '__proto__' },
    ])
  })

  test('that are letters are read one by one', () => {
    expect(letters({ text: 'qé💡' })).toEqual([{ text: 'q' }, { text: 'é' }, { text: '💡' }])
    expect(letters({ key: 'enter' })).toEqual([{ key: 'enter' }])
  })
})
