import type { Connection } from './database.js'

/** When each scheduler was last asked, whichever program asked it. */
export class PollTable {
  constructor(private readonly connection: Connection) {}

  /**
   * Takes the turn of asking a runner of a site, within a transaction.
   * @param age milliseconds for which an earlier answer is good enough
   * @returns false where somebody has asked it since
   */
  claim(site: string, runner: string, now: number, age: number): boolean {
    const sql = `INSERT INTO polls VALUES (@site, @runner, @now)
      ON CONFLICT DO UPDATE SET asked = @now WHERE asked <= @now - @age OR asked > @now`
    return this.connection.prepare(sql).run({ site, runner, now, age }).changes > 0
  }
}
