import { bodyMisbehaviours } from './misbehaviours/bodies.js'
import { callerMisbehaviours } from './misbehaviours/callers.js'
import { concurrencyMisbehaviours } from './misbehaviours/concurrency.js'
import type { Misbehaviour } from './misbehaviours/misbehaviour.js'
import { nameMisbehaviours } from './misbehaviours/names.js'
import { orderMisbehaviours } from './misbehaviours/order-of-checks.js'
import { pathMisbehaviours } from './misbehaviours/paths-and-errors.js'
import { readMisbehaviours } from './misbehaviours/reads.js'
import { signOutMisbehaviours } from './misbehaviours/sign-out.js'
import { updateMisbehaviours } from './misbehaviours/updates.js'
import { waitlistMisbehaviours } from './misbehaviours/waitlist.js'

/** Broken servers that are written by hand: each breaks one rule in a way that no single response shows. */
export const misbehaviours: Misbehaviour[] = [
  ...callerMisbehaviours,
  ...readMisbehaviours,
  ...nameMisbehaviours,
  ...updateMisbehaviours,
  ...bodyMisbehaviours,
  ...orderMisbehaviours,
  ...pathMisbehaviours,
  ...waitlistMisbehaviours,
  ...concurrencyMisbehaviours,
  ...signOutMisbehaviours,
]
