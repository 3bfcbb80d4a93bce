import { en, Faker } from '@faker-js/faker'

/** The words of names and descriptions. */
export type Words = ReturnType<typeof createWords>

/** Creates the words once; combining them is much faster than calling faker for a million records. */
export function createWords(seed: number) {
  const faker = new Faker({ locale: en, seed })
  const singleWords = (create: () => string, count: number) =>
    faker.helpers.uniqueArray(create, count).filter((word) => !word.includes(' '))
  return {
    adjectives: capitalized([
      ...singleWords(faker.company.buzzAdjective, 60),
      ...singleWords(faker.color.human, 30),
    ]),
    nouns: capitalized([...singleWords(faker.company.buzzNoun, 40), ...singleWords(faker.hacker.noun, 20)]),
    descriptions: faker.helpers.uniqueArray(() => `${faker.company.catchPhrase()}.`, 300),
    givenNames: singleWords(faker.person.firstName, 400),
    familyNames: singleWords(faker.person.lastName, 400),
    companies: faker.helpers.uniqueArray(faker.company.name, 500),
  }
}

const capitalized = (words: string[]) => [
  ...new Set(words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))),
]
