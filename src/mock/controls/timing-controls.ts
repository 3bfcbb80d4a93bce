import type { ChaosSetting } from '../engine/chaos.js'
import type { TargetName } from '../engine/target-name.js'
import type { ClockSetting } from '../state/clock.js'
import type { Recorder } from './recorder.js'

export function createTimingControls({ parts: { delays, chaos, clock }, named, set }: Recorder) {
  return {
    delay: {
      get: async () => delays.get(),
      /** Sets milliseconds, as `300` or `'200-800'`, for all targets or one. `null` removes the setting. */
      async set(ms: string | number | null, given?: TargetName) {
        const target = named(given)
        return set('setDelay', { ms, target }, () => delays.set(ms, target), delays.get)
      },
    },
    chaos: {
      /** The active profiles. */
      get: async () => chaos.get(),
      /**
       * Lets requests fail at random, or delays them, for all targets or one. Replaces an earlier profile. Equal seeds repeat
       * the results of the first request of a target from now on, of the second, and so on.
       */
      async set({ target: given, ...setting }: ChaosSetting & { target?: TargetName }) {
        const target = named(given)
        return set('setChaos', { target, ...setting }, () => chaos.set(setting, target), chaos.get)
      },
      /** Ends chaos for all targets or one. */
      async clear(given?: TargetName) {
        const target = named(given)
        return set('clearChaos', { target }, () => chaos.clear(target), chaos.get)
      },
    },
    clock: {
      get: async () => clock.read(),
      /** Stops the clock at a time or lets it tick from there; without a setting, restores the real time. */
      set: async (setting?: ClockSetting) => set('setClock', setting, () => clock.set(setting), clock.read),
    },
  }
}
