import { describe, expect, test } from 'vitest'
import { cases } from '../../src/conformance/cases/cases.js'
import { verify } from '../../src/conformance/runner/verify-service.js'
import { emptyTeams } from './empty-teams.js'
import { failedOnce, failures, of, options } from './reports.js'

describe('verify with teams that were made for it', () => {
  test('finds no fault with a team without projects', async () => {
    const { target, options: given } = await emptyTeams()
    try {
      const report = await verify({ ...options, ...given })
      expect(failures(report)).toEqual([])
      expect(of(report, 'passed').length).toBeGreaterThan(40)
    } finally {
      await target.close()
    }
  })

  test('writes to them alone', async () => {
    const { target, options: given, teams } = await emptyTeams()
    try {
      const before = await target.stored()
      const some = cases.filter(({ title }) =>
        /^(The list is newest first|owner: |other-owner: )/.test(title),
      )
      const report = await verify({
        ...options,
        ...given,
        write: true,
        teams,
        groups: [{ name: 'some', cases: some }],
      })
      expect(failures(report)).toEqual([])
      expect(of(report, 'passed').length).toBeGreaterThan(4)
      const after = await target.stored()
      const others = ({ teamId }: { teamId: string }) => !teams.includes(teamId)
      expect(after.projects.filter(others)).toEqual(before.projects)
      expect(after.projects.length).toBeGreaterThan(before.projects.length)
    } finally {
      await target.close()
    }
  })

  test('refuses another team, and two owners of one team', async () => {
    const { target, options: given } = await emptyTeams()
    try {
      await expect(verify({ ...options, ...given, write: true, teams: ['team-other'] })).rejects.toThrow(
        'owner is in the team team-verify-1, which --team does not name.',
      )
      const cookie = given.cookies.get('acme-owner') ?? ''
      const cookies = new Map([
        ['acme-owner', cookie],
        ['globex-owner', cookie],
      ] as const)
      const report = await verify({ ...options, ...given, cookies, write: true })
      expect(failedOnce(report, 'The teams are prepared for the cases that write')).toEqual([
        'owner and other-owner have the same team',
      ])
    } finally {
      await target.close()
    }
  })
})
