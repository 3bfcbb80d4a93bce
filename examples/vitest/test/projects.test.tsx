import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, configure, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { mock } from '../src/mock'
import { Projects } from '../src/projects'
import { createQueryClient } from '../src/query-client'

configure({ asyncUtilTimeout: 10_000 })
afterEach(cleanup)

/** Each test has a cache of its own. */
const show = () =>
  render(
    <QueryClientProvider client={createQueryClient()}>
      <Projects />
    </QueryClientProvider>,
  )

test('shows the projects, and one that is created', async () => {
  show()
  await screen.findByText('Mobile app')
  fireEvent.click(screen.getByText('Create'))
  await screen.findByText('Roadmap')
})

test('shows why a project is not created', async () => {
  await mock.scenarios.set({ target: 'createProject', outcome: 'PROJECT_NAME_TAKEN' })
  show()
  fireEvent.click(await screen.findByText('Create'))
  expect((await screen.findByRole('alert')).textContent).toContain('name')
  expect(screen.queryByText('Roadmap')).toBeNull()
})

test('shows that nobody is signed in, without repeating the request', async () => {
  mock.session.signOut()
  await mock.log.clear()
  show()
  await screen.findByRole('alert')
  expect((await mock.log.read()).map(({ status }) => status)).toEqual([401])
})

test('repeats a query that the service was too busy for', async () => {
  await mock.scenarios.set({ target: 'listProjects', outcome: 'RATE_LIMITED', times: 1 })
  show()
  await screen.findByText('Mobile app')
})
