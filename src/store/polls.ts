import type { Connection } from './database.js'

/** When each scheduler was last polled, by whichever program. */
export class PollTable {
  constructor(private readonly connection: Connection) {}

  /**
   * Claims the next poll of a runner of a site. Call within a transaction.
   * @param age milliseconds for which an earlier answer is good enough
   * @returns false if another program has polled it within that time
   */
  claim(site: string, runner: string, now: number, age: number): boolean {
    const sql = `INSERT INTO polls VALUES (@site, @runner, @now)
      ON CONFLICT DO UPDATE SET asked = @now WHERE asked <= @now - @age OR asked > @now`
    return this.connection.prepare(sql).run({ site, runner, now, age }).changes > 0
  }
}
