/** The controls of all spaces. Each returns the names of the existing ones. */
export type SpaceControls = {
  list(): Promise<string[]>
  /**
   * Creates a space from the fixtures, or replaces the one with this name. A request also creates the space that it names.
   */
  create(name: string): Promise<string[]>
  /** Removes a space with its state. @throws ControlError if there is none with that name */
  remove(name: string): Promise<string[]>
}
