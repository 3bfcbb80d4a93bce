import type { Prompt, Screen } from './screens.js'

/**
 * The keys of a screen with their functions, the most important first.
 * @param position the visible part of a page that scrolls
 */
export function keyHints(screen: Screen, position?: string): Record<string, string> {
  switch (screen.type) {
    case 'log':
      return {
        q: 'quit',
        '?': 'help',
        p: 'persona',
        f: 'force',
        d: 'delay',
        c: 'clock',
        r: 'reset',
        s: 'save',
        l: 'load',
        e: 'data',
        o: 'page',
        x: 'chaos',
        '↑↓': 'select',
        Enter: 'details',
        'u y': 'undo, redo',
        w: 'rewind',
        a: 'send again',
        'PgUp PgDn Home End': 'move',
      }
    case 'details':
      return {
        ...(position && { Space: `scroll ${position}` }),
        '↑↓': 'newer, older',
        Esc: 'back',
        q: 'quit',
        w: 'rewind',
        a: 'send again',
        ...(position && { b: 'up' }),
        'Home End': 'newest, oldest',
      }
    case 'list': {
      const { list, filter } = screen
      return {
        '↑↓': 'move',
        Enter: 'select',
        letters: 'filter',
        ...(filter ? { 'Esc Ctrl+U': 'clear filter' } : { Esc: 'back' }),
        ...(list.type === 'outcome' && { Tab: list.once ? 'until cleared' : 'once' }),
        'Ctrl+C': 'quit',
        'PgUp PgDn Home End': 'move',
      }
    }
    case 'data':
      return screen.isSearching
        ? { letters: 'search', Enter: 'keep', Esc: 'clear', 'Ctrl+U': 'clear', 'Ctrl+C': 'quit' }
        : {
            '↑↓←→': 'move',
            Enter: 'edit',
            Tab: 'kind',
            '/': 'search',
            s: 'sort',
            '+': 'add',
            '-': 'remove',
            'u y': 'undo, redo',
            Esc: screen.search ? 'clear search' : 'back',
            D: 'remove with dependants',
            q: 'quit',
          }
    case 'prompt':
      return {
        Enter: enterHints[screen.prompt.type] ?? 'set',
        Esc: 'back',
        ...tabHint(screen.prompt),
        'Ctrl+U': 'clear',
        'Ctrl+C': 'quit',
      }
    case 'help':
      return position
        ? { '↑↓ Space b': `scroll ${position}`, 'other keys': 'back', q: 'quit', 'Home End': 'move' }
        : { 'any key': 'back', q: 'quit' }
  }
}

const enterHints: Partial<Record<Prompt['type'], string>> = { snapshot: 'save', record: 'add' }

function tabHint(prompt: Prompt): Record<string, string> {
  if (prompt.type === 'clock') return { Tab: prompt.ticking ? 'stop it there' : 'let it run' }
  if (prompt.type === 'response') return { Tab: prompt.unchecked ? 'check it' : 'do not check it' }
  return {}
}
