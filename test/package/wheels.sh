#!/bin/sh -e
# Run in the folder of box.sh: installs the wheel in /opt/release by uv, pipx and pip, and replaces it by the one in /opt/new
# while runs live. /opt/tools has uv, and wheels of pip and pipx; /mnt/line is the line of the documentation for uv.
export PATH="/mnt/.local/bin:/opt/tools:$PATH" UV_OFFLINE=1 UV_FIND_LINKS=/opt/tools PIP_NO_INDEX=1 PIP_FIND_LINKS=/opt/tools
export GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=ada@example.org GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=ada@example.org
for program in node npm cc; do if command -v $program; then exit 1; fi; done
old=$(echo /opt/release/*.whl) new=$(echo /opt/new/*.whl)

# project NAME: a project in which groups end when .qanat/end is there.
project() {
  mkdir "/mnt/$1"
  cd "/mnt/$1"
  # shellcheck disable=SC2016 # the script expands it
  printf '%s\n' 'touch "$QANAT_PROJECT/.qanat/begun_$QANAT_RUN_ID"' \
    'until [ -e "$QANAT_PROJECT/.qanat/end" ]; do sleep 0.1; done' 'echo "$@"' >it.sh
  printf 'name: it\nexecutable: it.sh\nexecutable_command: sh\n' >it.yaml
  git init --quiet
  git add --all
  git commit --quiet --message 'A script'
  qanat init --yes
  qanat experiment new -f it.yaml
}

# replaced COMMAND...: a run in the background and one in the foreground live while the command replaces the program.
replaced() {
  qanat run --detach --n_threads 1 it -R '--seed 0 2 1'
  qanat run it --seed 2 &
  until [ -e .qanat/begun_1 ] && [ -e .qanat/begun_2 ]; do sleep 0.1; done
  "$@"
  qanat run_show it 1 --json >.qanat/before.json
  touch .qanat/end
  wait $!
  qanat run_wait it 1
  qanat runs --json >.qanat/after.json
}

cd /opt
sh -e /mnt/line
project by-uv
replaced uv tool install "$new"
uv tool list | grep -x 'qanat v0.2.0'
uv tool uninstall qanat

# pipx would fetch a pip for itself. Where there is uv, it would use that.
uv venv --quiet --seed /mnt/environment
export PIPX_SHARED_LIBS=/mnt/environment PIPX_DEFAULT_BACKEND=pip
uv tool install --quiet pipx
pipx install "$old"
project by-pipx
replaced pipx install --force "$new"
pipx list --short | grep -x 'qanat 0.2.0'
pipx uninstall qanat

PATH=/mnt/environment/bin:$PATH
pip install "$old"
project by-pip
replaced pip install "$new"
pip list | grep -E '^qanat +0\.2\.0$'

# No Python starts.
rm /mnt/environment/bin/python*
qanat --version

UV_LINK_MODE=symlink uv tool install "$new"
/mnt/.local/bin/qanat --version
