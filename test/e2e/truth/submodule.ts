import { madeOnce } from '../made-once.js'
import { Folder, shellProject } from '../project.js'

/** A project with a submodule `lib`, in which there is another one; both have a script that prints `recorded`. */
export const withSubmodule = madeOnce(async () => {
  const [inner, library, project] = [new Folder(), new Folder(), await shellProject()]
  const submodule = (folder: Folder, ...args: string[]) =>
    folder.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', ...args)
  for (const folder of [inner, library]) {
    folder.git('init', '--quiet')
    folder.write('lib.sh', 'echo recorded\n')
    folder.commit()
  }
  submodule(library, 'add', inner.path, 'in')
  library.commit()
  submodule(project, 'add', library.path, 'lib')
  submodule(project, 'update', '--init', '--recursive')
  project.commit()
  return project
})
