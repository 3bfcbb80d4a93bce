/** What `dev` tells of a request that the mock has answered. */
export type DevRequest = {
  method: string
  path: string
  status: number
  /** The error code, where one was answered. */
  code?: string
  /** The persona's name, where one was signed in. */
  session?: string
  /** How long it took, in milliseconds. */
  ms: number
}
