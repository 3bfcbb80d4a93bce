import type { List, Screen } from '../dev/screens.js'

/** A key, and what it does. */
export type Hint = [key: string, does: string]

/** What is asked over a list. */
export function titleOf(list: List): string {
  switch (list.of) {
    case 'persona':
      return 'Who shall session=active be?'
    case 'target':
      return 'What shall be forced?'
    case 'outcome':
      return `What shall ${list.target} answer, ${list.once ? 'once' : 'until it is ended'}?`
    case 'delayed':
      return 'What shall wait?'
    case 'snapshot':
      return 'Which snapshot shall be loaded?'
    case 'reset':
      return 'Return to how the mock began?'
  }
}

const choose: Hint[] = [
  ['↑↓', 'move'],
  ['Enter', 'choose'],
  ['letters', 'filter'],
  ['Esc', 'back'],
]

/** The keys of a screen; the first stay where there is not room for all. */
export function hintOf(screen: Screen): Hint[] {
  switch (screen.is) {
    case 'log':
      return [
        ['q', 'quit'],
        ['?', 'help'],
        ['p', 'persona'],
        ['f', 'force'],
        ['d', 'delay'],
        ['r', 'reset'],
        ['s', 'save'],
        ['Enter', 'details'],
        ['l', 'load'],
        ['o', 'open page'],
      ]
    case 'details':
      return [
        ['↑↓', 'newer, older'],
        ['Esc', 'back'],
        ['q', 'quit'],
      ]
    case 'list':
      return screen.list.of === 'outcome'
        ? [...choose, ['Tab', screen.list.once ? 'until it is ended' : 'once only']]
        : choose
    case 'question':
      return [
        ['Enter', screen.question.of === 'name' ? 'save' : 'set'],
        ['Esc', 'back'],
      ]
    case 'help':
      return [
        ['any key', 'back'],
        ['q', 'quit'],
      ]
  }
}
