#!/bin/sh
# git-annex 10.20261026: the .git file of a worktree becomes a symbolic link, when a command of git checks files out or
# looks at them.
#
# gitrepository-layout(5) says that .git of a worktree is a file with a line `gitdir: PATH`. In a repository with
# git-annex, whose filter git starts, it is a symbolic link to the folder that the line would name, so that the links of
# annexed files, which lead through .git/annex/objects, can be followed. Programs that read the line get "Is a directory".
#
# Seen on 2026-11-27 with git 2.39.5:
#   without git-annex: file
#   with git-annex: link to ../with/.git/worktrees/with-tree
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv tool
tool/bin/pip install --quiet --disable-pip-version-check git-annex==10.20261026
PATH=$work/tool/bin:$PATH
export GIT_AUTHOR_NAME=name GIT_AUTHOR_EMAIL=mail GIT_COMMITTER_NAME=name GIT_COMMITTER_EMAIL=mail

# Makes a repository with a worktree whose .git is looked at after `git status`.
kind() {
  git init --quiet "$1"
  [ "$1" = without ] || git -C "$1" annex init --quiet
  echo text >"$1/file"
  git -C "$1" add file
  git -C "$1" commit --quiet --message first
  git -C "$1" worktree add --quiet --detach "../$1-tree"
  git -C "$1-tree" status --short
  if [ -L "$1-tree/.git" ]; then echo "link to $(readlink "$1-tree/.git")"; else echo file; fi
}
without=$(kind without)
with=$(kind with)
echo "without git-annex: $without"
echo "with git-annex: $with"
[ "$without" = file ]
[ "$with" = 'link to ../with/.git/worktrees/with-tree' ]
