/** A file of handlers cannot be loaded, or exports no list of them. */
export class HandlersError extends Error {
  override name = 'HandlersError'
}
