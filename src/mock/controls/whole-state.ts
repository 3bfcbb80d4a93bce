import type { MockPart } from '../../store/mock-part.js'
import {
  faultsBelow,
  parseState,
  recordsOf,
  type State,
  StateError,
  type StateFault,
} from '../../store/state-file.js'
import type { ChaosSetting } from '../engine/chaos.js'
import type { Scenario } from '../engine/scenarios.js'
import type { LoggedParts } from '../log/log-parts.js'
import { entryFromFile, entryToFile } from '../log/logged-file.js'
import { ControlError } from '../state/control-error.js'
import { checkSnapshotName } from '../state/snapshots.js'

/** What a file has beside the records, checked. */
export type CheckedMock = {
  /** Sets the parts of the mock, in one turn. @param hasLog whether the log is one of them */
  apply(hasLog?: boolean): void
  /** The persona of `session=active`; null for none, undefined to keep it. */
  persona: string | null | undefined
  snapshots: [name: string, state: State][]
}

/** The state of a mock as a whole: its records, and everything else that a report about it needs. */
export function createWholeState(parts: LoggedParts) {
  const { personas, scenarios, delays, chaos, clock, log, state, snapshots } = parts

  /** The parts that differ from the start of a mock. */
  async function readMock(): Promise<MockPart> {
    const forced = scenarios.list().map(({ aborted: _, ...scenario }) => scenario)
    const { all, operations } = delays.get()
    const profiles = chaos.get()
    const { mode, now: at } = clock.read()
    // A snapshot that cannot be read is left out: loading it says why.
    const names = await snapshots.list().catch(() => [])
    const saved = await Promise.all(
      names.map(async (name) => [name, await snapshots.read(name).catch(() => undefined)] as const),
    )
    const entries = log.read()
    const has = (record: object) => Object.keys(record).length > 0
    return {
      persona: personas.current()?.id ?? null,
      ...(forced.length > 0 && { forced }),
      ...((all !== '0' || has(operations)) && {
        delay: { all, operations: operations as Record<string, string> },
      }),
      ...((profiles.all || has(profiles.operations)) && { chaos: profiles as MockPart['chaos'] }),
      ...(mode !== 'real' && { clock: { at, ...(mode === 'ticking' && { ticking: true }) } }),
      ...(names.length > 0 && { snapshots: Object.fromEntries(saved.filter(([, each]) => each)) }),
      ...(entries.length > 0 && { log: entries.map(entryToFile) }),
    }
  }

  return {
    /** The state as a file. */
    read: async (): Promise<State> => ({ ...(await state.export()), mock: await readMock() }),
    /**
     * Checks what a file has beside its records.
     * @returns undefined if it has nothing
     * @throws StateError with the path of each fault, before anything has changed
     */
    check({ mock, sessions }: State): CheckedMock | undefined {
      if (!mock) return undefined
      const faults: StateFault[] = []
      const checked = <Value>(path: string, read: () => Value): Value | undefined => {
        try {
          return read()
        } catch (error) {
          if (!(error instanceof ControlError)) throw error
          faults.push({ path: `mock.${path}`, reason: error.message })
          return undefined
        }
      }
      const persona = (id: string) => {
        if (!sessions.some((session) => session.id === id)) throw new ControlError(`no session "${id}"`)
      }
      const forced = (mock.forced ?? []).flatMap((scenario, i) => {
        const { session } = scenario
        if (typeof session === 'string') checked(`forced[${i}].session`, () => persona(session))
        const valid = checked(`forced[${i}]`, () =>
          scenarios.checked({ times: null, ...scenario } as unknown as Scenario),
        )
        return valid ? [valid] : []
      })
      const { delay: delayed, chaos: profiles, clock: setting } = mock
      const delay = delayed && checked('delay', () => delays.read(delayed))
      const random =
        profiles &&
        checked('chaos', () => chaos.read(profiles as { operations: Record<string, ChaosSetting> }))
      const time = checked('clock', () => clock.valueFor(setting))
      if (typeof mock.persona === 'string') checked('persona', () => persona(mock.persona as string))
      const all = Object.entries(mock.snapshots ?? {})
      for (const [name, snapshot] of all) {
        checked(`snapshots.${name}`, () => checkSnapshotName(name))
        faults.push(...faultsBelow(`mock.snapshots.${name}`, () => parseState(snapshot)))
      }
      if (faults.length > 0) throw new StateError(faults)
      return {
        persona: mock.persona,
        snapshots: all.map(([name, snapshot]) => [name, recordsOf(parseState(snapshot))]),
        apply(hasLog = true) {
          scenarios.part.set(forced)
          if (delay) delays.part.set(delay)
          else delays.reset()
          if (random) chaos.part.set(random)
          else chaos.reset()
          if (time) clock.part.set(time)
          if (!mock.log || !hasLog) return
          log.load(mock.log.map(entryFromFile))
          parts.countShown()
        },
      }
    },
  }
}
