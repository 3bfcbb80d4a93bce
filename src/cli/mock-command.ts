import type { Command } from 'commander'
import { addExamples } from './define-command.js'
import { define as defineControls } from './mock/control-groups.js'

const groups: [name: string, summary: string][] = [
  ['persona', 'list, add and remove personas'],
  ['project', 'list, add, change and remove projects'],
  ['data', 'list, add, change and remove records of any kind'],
  ['scenario', 'force responses'],
  ['delay', 'delay responses'],
  ['chaos', 'let requests fail at random'],
  ['clock', 'set the clock'],
  ['handlers', 'list the handlers; export forced responses as MSW handlers'],
  ['snapshot', 'save and load the state under a name'],
  ['space', 'manage separate states for parallel tests'],
  ['changes', 'list the changes that can be undone'],
  ['log', 'show requests, send them again'],
]

export const define = (mock: Command) => {
  addExamples(mock, mock, ['log --follow', 'scenario set createProject 409 --times 1'])
  for (const [name, summary] of groups) {
    const description = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`
    defineControls(mock.command(name).summary(summary).description(description))
  }
}
