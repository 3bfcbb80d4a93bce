import type { Persona } from '../../verify/cases/case.js'
import { DeploymentError } from '../../verify/runner/discover.js'
import { junit } from '../../verify/runner/junit.js'
import { type Report, verify } from '../../verify/runner/verify-service.js'
import { UserError } from '../user-error.js'
import { writeWhole } from './write-whole.js'

export type VerifyOptions = {
  url: string
  cookies: ReadonlyMap<Persona, string>
  write: boolean
  interfaceOnly: boolean
  junit?: string
}

/** Plays the table of cases against a deployment, and writes a JUnit report where one is asked for. */
export async function verifyDeployment({ junit: file, ...options }: VerifyOptions): Promise<Report> {
  try {
    const report = await verify(options)
    if (file !== undefined) await writeWhole(file, [junit(report)])
    return report
  } catch (error) {
    if (error instanceof DeploymentError) throw new UserError(error.message, error.hint)
    throw error
  }
}
