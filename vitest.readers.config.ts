import { defineConfig } from 'vitest/config'

/** What we write, read by the programs that people read it with, from PyPI and Debian. */
export default defineConfig({
  test: {
    include: ['test/readers/**/*.test.ts'],
    globalSetup: ['test/build.ts', 'test/readers/tools.ts'],
    // A limit against hanging, not a measure of speed.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
  },
})
