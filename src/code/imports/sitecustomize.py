# -*- coding: utf-8 -*-
# Python imports this file at its start, since PYTHONPATH of the groups names its folder. It makes the code of the project
# come from the frozen copy wherever an environment, a variable or a script leads to the live tree: packages that are
# installed editable in any form, and those that were installed as a copy. What is imported from the live tree all the
# same is told at the end. Four names are set above: LIVE is the root of the repository, COPY that of the frozen copy,
# OTHERS has the roots of other worktrees of the repository, and INSTALLED the sources in the copy of modules that were
# installed as a copy.
import os
import sys

_live = os.path.realpath(LIVE)
_copies = os.path.realpath(os.path.dirname(COPY))
_own = os.path.realpath(os.path.dirname(os.path.dirname(COPY))) + os.sep


def _below(path, roots):
    """The place that stands for a path below one of these roots; None for any other path."""
    if not isinstance(path, str) or not path:
        return None
    real = os.path.realpath(path)
    for root, target in roots.items():
        if real == root or real.startswith(root + os.sep):
            return target + real[len(root):]
    return None


def _moved(path):
    """The place in the copy of live code; None for any other path, also for one to which the copy has a link."""
    other = _in_other_copy(path) or _in_other_worktree(path)
    if other is not None:
        return other
    place = _below(path, {_live: COPY})
    if place is None:
        return None
    real = os.path.realpath(path)
    return None if real.startswith(_own) or os.path.realpath(place) == real else place


def _in_other_copy(path):
    """The place in this copy of what is in another one, into which something was installed there; None for other paths."""
    inside = _below(path, {_copies: ''})
    name, _, rest = (inside or '').lstrip(os.sep).partition(os.sep)
    is_copy = len(name) > 11 and not name[:12].strip('0123456789abcdef') and name != os.path.basename(COPY)
    return os.path.join(COPY, rest) if is_copy else None


def _in_other_worktree(path):
    """The place in the copy of code in another worktree, whose environment may be used; None for all else that is there."""
    place = _below(path, OTHERS) if OTHERS else None
    is_code = place is not None and os.path.exists(place) and _below(path, {os.path.realpath(sys.prefix): COPY}) is None
    return place if is_code else None


def _all_moved(paths):
    return [_moved(path) or path for path in paths]


def _move_paths():
    sys.path[:] = _all_moved(sys.path)
    for path in list(sys.path_importer_cache):
        if _moved(path):
            del sys.path_importer_cache[path]

    # For paths that are added later.
    def hook(path):
        place = _moved(path)
        for other in sys.path_hooks if place else []:
            if other is not hook:
                try:
                    return other(place)
                except ImportError:
                    continue
        raise ImportError(path)

    sys.path_hooks.insert(0, hook)


def _build_nothing(finder):
    """Keeps a finder of scikit-build-core or meson-python from building in the live tree."""
    if hasattr(finder, 'rebuild_flag'):
        finder.rebuild_flag = False
    if not hasattr(finder, '_rebuild') or not hasattr(finder, '_build_path'):
        return
    found = []

    def tree():
        if not found:
            import io
            import json

            with io.open(os.path.join(finder._build_path, 'meson-info', 'intro-install_plan.json'), encoding='utf8') as file:
                plan = json.load(file)
            sources = {kind: {_in_copy(path): plan[kind][path] for path in plan[kind]} for kind in plan}
            found.append(sys.modules[type(finder).__module__].collect(sources))
        return found[0]

    finder._rebuild = tree


def _in_copy(path):
    """The same path in the copy, if it is there: what is built may be in the live tree only."""
    place = _moved(path)
    return place if place and os.path.exists(place) else path


class _Moving(object):
    """A finder whose modules come from the copy."""

    def __init__(self, finder):
        self._finder = finder

    def __getattr__(self, name):
        return getattr(self._finder, name)

    def __eq__(self, other):
        return self is other or self._finder == other

    def __hash__(self):
        return hash(self._finder)

    def find_spec(self, name, path=None, target=None):
        spec = self._finder.find_spec(name, path, target)
        if spec is None:
            return None
        folders = spec.submodule_search_locations
        if not spec.has_location:
            # That of a namespace may look for its folders itself.
            if type(folders) is list:
                spec.submodule_search_locations = _all_moved(folders)
            return spec
        source = _below(spec.origin, INSTALLED) if INSTALLED else None
        place = source or self._place(spec.origin)
        if place is None:
            return spec
        if not os.path.exists(place):
            from importlib.machinery import EXTENSION_SUFFIXES

            # No commit has what is compiled. Other sources that the copy lacks are those of another commit.
            return spec if source or spec.origin.endswith(tuple(EXTENSION_SUFFIXES)) else None
        if folders is not None:
            # Files that are made when a package is installed are only there.
            folders = [os.path.dirname(place)] + list(folders) if source else _all_moved(folders)
        from importlib.util import spec_from_file_location

        return spec_from_file_location(name, place, submodule_search_locations=folders)

    def _place(self, origin):
        # Where setuptools makes a folder of links to sources, the copy has a clone of it.
        if origin.startswith(COPY + os.sep):
            return _moved(os.path.realpath(origin))
        # The paths of this one have been moved.
        return None if _is_path_finder(self._finder) else _moved(origin)


def _is_path_finder(finder):
    return getattr(finder, '__name__', '') == 'PathFinder'


def _move_finders():
    for at, finder in enumerate(sys.meta_path):
        is_of_python = str(getattr(finder, '__module__', '')).startswith(('_frozen_importlib', 'importlib.'))
        if hasattr(finder, 'find_spec') and (not is_of_python or _is_path_finder(finder)):
            _build_nothing(finder)
            sys.meta_path[at] = _Moving(finder)


def _live_modules():
    """A file of each package that was imported from the live tree, by name."""
    root = _live + os.sep
    found, are_live = {}, {}
    for name in sorted(sys.modules):
        path = getattr(sys.modules[name], '__file__', None)
        if not isinstance(path, str) or not path.startswith(root) or path.startswith(_own):
            continue
        if os.path.islink(os.path.join(COPY, path[len(root):].split(os.sep)[0])):
            continue
        folder = os.path.dirname(path)
        if folder not in are_live:
            are_live[folder] = _moved(folder) is not None
        if are_live[folder]:
            found.setdefault(name.split('.')[0], path)
    return found


def _tell():
    found = ['%s (%s)' % item for item in sorted(_live_modules().items())]
    folder = os.environ.get('QANAT_STORAGE_PATH', '')
    run = [path for path in (folder, os.path.dirname(folder)) if os.path.isdir(os.path.join(path, '.run'))]
    if not found or not run:
        return
    import io

    more = ' and %d more' % (len(found) - 5) if len(found) > 5 else ''
    line = u'imports live code: %s%s\n' % (', '.join(found[:5]), more)
    with io.open(os.path.join(run[0], '.run', 'warnings.txt'), 'a+', encoding='utf-8') as file:
        file.seek(0)
        if line not in file.read():
            file.write(line)


def _use_other():
    """Runs the file of this name that would be imported without this one."""
    here = os.path.dirname(os.path.abspath(__file__))
    others = [path for path in sys.path if os.path.abspath(path) != here]
    spec = next(filter(_is_path_finder, sys.meta_path)).find_spec('sitecustomize', others)
    if spec is not None and spec.loader is not None:
        from importlib.util import module_from_spec

        sys.modules['sitecustomize'] = module_from_spec(spec)
        spec.loader.exec_module(sys.modules['sitecustomize'])


if sys.version_info >= (3, 5):
    import atexit

    _move_paths()
    _move_finders()
    atexit.register(_tell)
    _use_other()
