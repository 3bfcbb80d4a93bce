import type { Locator, Page } from 'playwright-core'

// Locators of the dashboard, by roles, labels and texts only.

export const projectRows = (page: Page): Locator =>
  page.getByRole('list', { name: 'Projects' }).getByRole('listitem')

export const projectRow = (page: Page, name: string): Locator =>
  page.getByRole('list', { name: 'Projects' }).getByRole('listitem', { name, exact: true })

export const projectNames = (page: Page): Promise<string[]> =>
  projectRows(page).getByRole('heading').allTextContents()

export const createForm = (page: Page): Locator => page.getByRole('region', { name: 'New project' })

export const profile = (page: Page): Locator => page.getByRole('complementary', { name: 'Your session' })

export const statusOf = (page: Page, name: string): Locator => page.getByLabel(`Status of ${name}`)

/** Returns the accessible description of a control. */
export const descriptionOf = (control: Locator): Promise<string> =>
  control.evaluate((element) =>
    (element.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' '),
  )

/** Waits until a control has the focus. */
export const getsFocus = (control: Locator): Promise<void> => matches(control, ':focus')

/** Waits until a control matches a CSS selector. */
export const matches = (control: Locator, selector: string): Promise<void> =>
  control.and(control.page().locator(selector)).waitFor()
