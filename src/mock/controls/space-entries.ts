import type { Commands, Descriptions, Endpoints, Words } from './control-entry.js'
import type { FieldWords } from './control-fields.js'

export const endpoints = {
  spaces: ['GET /__dev/spaces', 'spaces.list'],
  createSpace: ['POST /__dev/spaces', 'spaces.create', 'name'],
  removeSpace: ['DELETE /__dev/spaces', 'spaces.remove', 'name'],
} as const satisfies Endpoints<{ spaces: SpaceControls }>

// Spaces are those of a server, and no part of the history of a mock.
export const words: Words<typeof endpoints> = {
  createSpace: {
    will: ({ name }) => `Create the space ${name}`,
    did: ({ name }) => `the space ${name} was created`,
    always: true,
  },
  removeSpace: {
    will: ({ name }) => `Remove the space ${name}`,
    did: ({ name }) => `the space ${name} was removed`,
    always: true,
  },
}

export const commands = {
  createSpace: { usages: { 'space create <name>': {} } },
  spaces: { usages: { 'space list': {} } },
  removeSpace: { usages: { 'space remove <name>': {} } },
} as const satisfies Commands<typeof endpoints>

export const describe = ({ nothing, named }: FieldWords) =>
  ({
    spaces: {
      about: 'List the spaces that requests and controls have named.',
      input: nothing,
      tool: { name: 'list_spaces' },
    },
    createSpace: {
      about: 'Create a space from the fixtures, in place of one with that name.',
      input: named,
      tool: { name: 'create_space', effect: 'destroys' },
      help: { 'space create <name>': { examples: ['checkout-test'] } },
    },
    removeSpace: {
      about: 'Remove a space with its state.',
      input: named,
      tool: { name: 'remove_space', effect: 'destroys' },
      help: { 'space remove <name>': { examples: ['checkout-test'] } },
    },
  }) satisfies Descriptions<typeof endpoints, typeof commands>

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
