import { compareWorkloads } from '../compare-workloads.js'
import { fixedResponses, stateOf } from '../dataset.js'
import { mapInSeries, writeJson, writeResponses } from '../files.js'
import {
  httpMiddleware,
  jsonServer0,
  jsonServer1,
  jsonServerData,
  mockoon,
  openApiWith,
  prism,
} from '../peers.js'
import { mock as ours } from '../subjects.js'
import { labels } from '../workloads.js'

export const mock = {
  title: 'Mock: over HTTP',
  async run({ folder, ...timing }) {
    const responses = fixedResponses()
    const openapi = writeJson(folder, 'openapi', openApiWith(responses))
    const tables = await mapInSeries(Object.keys(labels), (workload) => {
      const subjects = [
        ours({ fixtures: writeJson(folder, 'state', stateOf({ teams: 50 })), teams: 50 }),
        // json-server writes changes to its file, so each workload has a new one.
        jsonServer0(writeJson(folder, `json-server-0-${workload}`, jsonServerData(responses))),
        jsonServer1(writeJson(folder, `json-server-1-${workload}`, jsonServerData(responses))),
        prism(openapi),
        mockoon(openapi),
        httpMiddleware(writeResponses(folder)),
      ]
      const kinds = [1, 32, 256].map((connections) => ({ workload, connections }))
      return compareWorkloads(subjects, kinds, timing)
    })
    return tables.flat()
  },
}
