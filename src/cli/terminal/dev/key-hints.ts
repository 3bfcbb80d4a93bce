import type { Screen } from './screens.js'

const listKeys = { '↑↓': 'move', Enter: 'select', letters: 'filter', Esc: 'back' }

/** The keys of a screen with their functions, the most important first. */
export function keyHints(screen: Screen): Record<string, string> {
  switch (screen.type) {
    case 'log':
      return {
        q: 'quit',
        '?': 'help',
        p: 'persona',
        f: 'force',
        d: 'delay',
        r: 'reset',
        s: 'save',
        Enter: 'details',
        l: 'load',
        o: 'open page',
      }
    case 'details':
      return { '↑↓': 'newer, older', Esc: 'back', q: 'quit' }
    case 'list': {
      const { list } = screen
      return list.type === 'outcome' ? { ...listKeys, Tab: list.once ? 'until cleared' : 'once' } : listKeys
    }
    case 'prompt':
      return { Enter: screen.prompt.type === 'snapshot' ? 'save' : 'set', Esc: 'back' }
    case 'help':
      return { 'any key': 'back', q: 'quit' }
  }
}
