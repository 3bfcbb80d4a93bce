import type { Misbehaviour } from '../misbehaviours/misbehaviour.js'
import { addresses } from './addresses.js'
import { bodyAndTimeMutants } from './bodies-and-time.js'
import { callerAndPathMutants } from './callers-and-paths.js'
import { collationsAndValidators } from './collations-and-validators.js'
import { fieldsAndSequences } from './fields-and-sequences.js'
import { laterFaults } from './later-faults.js'
import { outsideFaults } from './outside-faults.js'
import { parsersAndErrorHandlers } from './parsers-and-error-handlers.js'
import { permissionMutants } from './permissions.js'
import { queryAndHeaderMutants } from './query-and-headers.js'
import { refusals } from './refusals.js'
import { routersAndGateways } from './routers-and-gateways.js'
import { sessionsAndOrigins } from './sessions-and-origins.js'
import { singleFaults } from './single-faults.js'
import { storesAndCaches } from './stores-and-caches.js'
import { strangersFaults } from './strangers-faults.js'
import { textMutants } from './texts.js'
import { unseenFaults } from './unseen-faults.js'

/** Broken servers that answer as they should, except where a request meets a condition. */
export const requestMutants: Misbehaviour[] = [
  ...queryAndHeaderMutants,
  ...textMutants,
  ...permissionMutants,
  ...callerAndPathMutants,
  ...bodyAndTimeMutants,
  ...singleFaults,
  ...strangersFaults,
  ...outsideFaults,
  ...laterFaults,
  ...unseenFaults,
  ...collationsAndValidators,
  ...parsersAndErrorHandlers,
  ...routersAndGateways,
  ...sessionsAndOrigins,
  ...storesAndCaches,
  ...fieldsAndSequences,
  ...refusals,
  ...addresses,
]
