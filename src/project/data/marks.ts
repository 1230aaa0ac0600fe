import { join } from 'node:path'
import { atomicWrite, exists, isWritable, removeFile } from '../../system/files.js'
import { listFiles } from '../../system/folders/listing.js'
import { readRegular } from '../../system/regular-file.js'
import type { Project } from '../find-project.js'

const everything = { files: Number.POSITIVE_INFINITY, milliseconds: Number.POSITIVE_INFINITY }

/** Something that is left to do. */
interface Mark {
  readonly name: string
  /** Not a number for what a killed program has left half-made. */
  readonly run: number
  readonly text: string
}

/** Remembers runs of whose end something is left to do, if the program that found it is killed: a file for each, with a text. */
export class Marks {
  private readonly folder: string

  /** @param kind the name of their folder among the data of the project */
  constructor({ dataFolder }: Project, kind: 'ends' | 'outputs/waiting') {
    this.folder = join(dataFolder, kind)
  }

  /** The marks that can be removed again once their work is done. */
  all(): Mark[] {
    if (!isWritable(this.folder)) return []
    const files = [...listFiles([{ path: this.folder, deep: false }], everything).files.keys()]
    return files.flatMap(path => {
      const text = readRegular(path)
      const name = path.slice(this.folder.length + 1)
      return text === null ? [] : [{ name, run: Number(name), text }]
    })
  }

  has(run: number): boolean {
    return exists(this.fileOf(run))
  }

  set(run: number, text: string): void {
    atomicWrite(this.fileOf(run), text)
  }

  /** Removes a mark. @param name the id of its run @param text unless it has another text by now */
  remove(name: number | string, text?: string): void {
    if (text === undefined || readRegular(this.fileOf(name)) === text) removeFile(this.fileOf(name))
  }

  private fileOf(name: number | string): string {
    return join(this.folder, String(name))
  }
}
