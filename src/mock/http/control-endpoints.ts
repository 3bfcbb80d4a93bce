type Endpoint = `${'GET' | 'PUT' | 'POST' | 'DELETE'} /__dev/${string}`

/** The method and the path of each control. Apart from the table, so that clients load no schemas. */
export const controlEndpoints = {
  sessions: 'GET /__dev/sessions',
  useSession: 'PUT /__dev/sessions/active',
  addSession: 'POST /__dev/sessions',
  removeSession: 'DELETE /__dev/sessions',

  data: 'GET /__dev/data',
  addRecord: 'POST /__dev/data',
  setRecord: 'PUT /__dev/data',
  removeRecord: 'DELETE /__dev/data',

  targets: 'GET /__dev/targets',
  exportHandlers: 'GET /__dev/targets/handlers',

  scenarios: 'GET /__dev/scenarios',
  possibleScenarios: 'GET /__dev/scenarios/possible',
  setScenario: 'PUT /__dev/scenarios',
  clearScenarios: 'DELETE /__dev/scenarios',

  delay: 'GET /__dev/delay',
  setDelay: 'PUT /__dev/delay',
  chaos: 'GET /__dev/chaos',
  setChaos: 'PUT /__dev/chaos',
  clearChaos: 'DELETE /__dev/chaos',
  clock: 'GET /__dev/clock',
  setClock: 'PUT /__dev/clock',
  reset: 'POST /__dev/reset',

  exportState: 'GET /__dev/state',
  loadState: 'PUT /__dev/state',
  snapshots: 'GET /__dev/snapshots',
  saveSnapshot: 'POST /__dev/snapshots/save',
  loadSnapshot: 'POST /__dev/snapshots/load',
  deleteSnapshot: 'DELETE /__dev/snapshots',

  undo: 'POST /__dev/undo',
  redo: 'POST /__dev/redo',
  history: 'GET /__dev/history',

  log: 'GET /__dev/log',
  logEntry: 'GET /__dev/log/entry',
  sendAgain: 'POST /__dev/log/send',
  rewind: 'POST /__dev/log/rewind',
  har: 'GET /__dev/log/har',
  logSize: 'GET /__dev/log/size',
  resizeLog: 'PUT /__dev/log/size',
  clearLog: 'DELETE /__dev/log',

  spaces: 'GET /__dev/spaces',
  createSpace: 'POST /__dev/spaces',
  removeSpace: 'DELETE /__dev/spaces',
} as const satisfies Record<string, Endpoint>

export type ControlName = keyof typeof controlEndpoints

/** Streams the log as server-sent events: `request` for an entry, `change` for a changed control. */
export const followPath = '/__dev/log/follow'

/** The header or cookie that names the space of a request. */
export const spaceHeader = 'x-mock-space'

/** The header of every response of the control plane. It tells a mock from other services at the same address. */
export const controlHeader = 'x-mock-control'
