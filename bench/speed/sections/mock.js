import { answersIn, each, write } from '../files.js'
import {
  documentFor,
  httpMiddleware,
  jsonServer0,
  jsonServer1,
  mockoon,
  prism,
  resourcesOf,
} from '../peers.js'
import { mock as ours } from '../subjects.js'
import { inTables } from '../tables.js'
import { titles } from '../work.js'
import { readyAnswers, stateOf } from '../world.js'

export const mock = {
  title: 'The mock over HTTP',
  async run({ folder, ...pace }) {
    const answers = readyAnswers()
    const openapi = write(folder, 'openapi', documentFor(answers))
    const tables = await each(Object.keys(titles), (work) => {
      const subjects = [
        ours({ fixtures: write(folder, 'state', stateOf({})) }),
        // These write what they are sent into their file: each kind of work has a new one.
        jsonServer0(write(folder, `json-server-0-${work}`, resourcesOf(answers))),
        jsonServer1(write(folder, `json-server-1-${work}`, resourcesOf(answers))),
        prism(openapi),
        mockoon(openapi),
        httpMiddleware(answersIn(folder)),
      ]
      const kinds = [1, 32, 256].map((connections) => ({ work, connections }))
      return inTables(subjects, kinds, pace)
    })
    return tables.flat()
  },
}
