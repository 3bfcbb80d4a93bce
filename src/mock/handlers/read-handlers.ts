import { dirname, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { areHandlers, type GivenHandlers } from '../engine/user-handlers.js'
import { provideEventSource } from './event-source.js'
import { HandlersError } from './handlers-error.js'

/** Called after each reload; with the error if the file cannot be used and the last handlers stay. */
export type OnReload = (error?: Error) => void

/** A file of handlers that is reloaded when it, or one of its imports, is saved. */
export type OpenedHandlers = {
  /** The handlers of the last valid version. */
  handlers(): GivenHandlers
  /** Stops watching. */
  close(): void
}

/** A place in a file, lines from 1. */
export type Place = { file: string; line: number }

/**
 * Finds the handlers in a module, which exports them as its default or as `handlers`.
 * @param load loads the module
 * @param locate finds the place of an error that has none in its stack or its fields
 * @throws HandlersError, with the place if it is known
 */
export async function readHandlers(
  file: string,
  load: () => Promise<unknown>,
  files: Iterable<string>,
  locate: () => Place | undefined = () => undefined,
): Promise<GivenHandlers> {
  const release = provideEventSource()
  try {
    return handlersIn(await load())
  } catch (error) {
    if (error instanceof HandlersError) throw error
    const place = placeOf(error, [...files]) ?? locate()
    const prefix = place ? `${relative(dirname(file), place.file)}:${place.line}: ` : ''
    throw new HandlersError(prefix + textOf(error), { cause: error })
  } finally {
    release()
  }
}

/** The fields of errors of compilers. */
type Fault = { message?: string; text?: string; loc?: Partial<Place>; requireStack?: string[] }
const faultIn = (error: unknown): Fault => {
  const { errors = [] } = Object(error) as { errors?: Fault[] }
  return errors[0] ?? Object(error)
}

function textOf(error: unknown): string {
  const { text, message = String(error), loc, requireStack } = faultIn(error)
  const [first = '', ...lines] = stripVTControlCharacters(text ?? message)
    .trim()
    .split(/\s*\n\s*/)
  // With a place, a compiler draws it in the other lines; Node lists the files that led to a missing module.
  return loc || requireStack ? first : [first, ...lines].join(' ')
}

/** The place that an error names in its fields, or its innermost call in the files. */
function placeOf(error: unknown, files: readonly string[]): Place | undefined {
  const { loc = Object(error).loc as Fault['loc'] } = faultIn(error)
  if (loc?.file && loc.line) return { file: loc.file, line: loc.line }
  const calls = String(Object(error).stack)
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
  for (const call of calls) {
    const [, path = '', line] = /([^()\s]+):(\d+):\d+\)?$/.exec(call) ?? []
    const file = files.find((name) => path.endsWith(name))
    if (file) return { file, line: Number(line) }
  }
}

function makeHandlers<Handlers>(make: () => Handlers): Handlers {
  const release = provideEventSource()
  try {
    return make()
  } finally {
    release()
  }
}

function handlersIn(module: unknown): GivenHandlers {
  const exported = module as { default?: unknown; handlers?: unknown }
  // The exports of a CommonJS module are its default.
  const { handlers } = Object(exported.default)
  const given = [exported.handlers, exported.default, handlers].find(areHandlers)
  if (typeof given === 'function') return () => makeHandlers(given)
  if (given) return given
  throw new HandlersError('it exports no list of MSW handlers, and no function that returns one')
}
