import { bestFirst } from './best-first.js'
import { lineOf } from './command-line.js'
import { begins, call, type Find, has, refuse, refuseMore, type Suggestion } from './suggestion.js'

/** `save NAME`, `load NAME`, or `snapshot` with one of these, which may be cut, or delete. */
export const snapshot: Find = ({ words: [verb = '', name = '', ...more] }, { snapshots }): Suggestion[] => {
  if (more.length > 0) return refuseMore([name, ...more], 'save before-demo, load before-demo')
  const found = bestFirst(
    snapshots.filter((each) => has(each, [name])),
    (each) => each,
    [name.toLowerCase()],
  )
  if (/^(load|delete)$/i.test(verb) && found.length === 0) {
    return snapshots.length > 0
      ? refuse(`There is no snapshot "${name}".`, snapshots.slice(0, 12).join(', '))
      : refuse('There are no snapshots.', `save ${name || 'before-demo'}`)
  }
  return [
    ...(begins('save', verb) && name ? [call('Snapshot', 'saveSnapshot', { name })] : []),
    ...(begins('load', verb) ? found.map((each) => call('Snapshot', 'loadSnapshot', { name: each })) : []),
    ...(verb.length > 1 && begins('delete', verb)
      ? found.map((each) => call('Snapshot', 'deleteSnapshot', { name: each }))
      : []),
  ]
}

/** A file that the page gives to its browser. */
const download =
  (from: 'exportHandlers' | 'exportState', path: string, usual: string, hint: string): Find =>
  ({ words: [name = usual, ...more] }) =>
    more.length > 0
      ? []
      : [
          {
            group: 'File',
            text: `Download ${name}`,
            hint,
            action: { page: 'download', from, name },
            command: lineOf('mock', ...path.split(' '), name),
          },
        ]

export const exportHandlers = download(
  'exportHandlers',
  'handlers export',
  'handlers.ts',
  'the forced outcomes, as handlers of MSW',
)
export const saveState = download('exportState', 'state save', 'state.json', 'the state, a fixture')
