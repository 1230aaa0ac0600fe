import { defineConfig } from 'vitest/config'

/** The tests of what is handed out, which take minutes: the native module is compiled twice. */
export default defineConfig({
  test: {
    include: ['test/package/**/*.test.ts'],
    globalSetup: ['test/build.ts', 'test/environments/tools.ts'],
    // A limit against hanging, not a measure of speed.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
  },
})
