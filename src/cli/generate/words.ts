import { en, Faker } from '@faker-js/faker'

/** What names and descriptions are made of. */
export type Words = {
  adjectives: string[]
  nouns: string[]
  descriptions: string[]
  givenNames: string[]
  familyNames: string[]
  companies: string[]
}

/** Makes the words once: a million records are combined of them, which takes a fraction of the time. */
export function wordsOf(seed: number): Words {
  const faker = new Faker({ locale: en, seed })
  const some = (make: () => string, count: number) =>
    faker.helpers.uniqueArray(make, count).filter((word) => !word.includes(' '))
  return {
    adjectives: unique([...some(faker.company.buzzAdjective, 60), ...some(faker.color.human, 30)]),
    nouns: unique([...some(faker.company.buzzNoun, 40), ...some(faker.hacker.noun, 20)]),
    descriptions: faker.helpers.uniqueArray(() => `${faker.company.catchPhrase()}.`, 300),
    givenNames: some(faker.person.firstName, 400),
    familyNames: some(faker.person.lastName, 400),
    companies: faker.helpers.uniqueArray(faker.company.name, 500),
  }
}

const unique = (words: string[]) => [
  ...new Set(words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))),
]
