/** A file of handlers cannot be loaded, or does not export a list of handlers. */
export class HandlersError extends Error {
  override name = 'HandlersError'
}
