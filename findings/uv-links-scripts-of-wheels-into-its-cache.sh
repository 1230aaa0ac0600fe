#!/bin/sh
# uv 0.13.9: with UV_LINK_MODE=symlink, a script of a wheel that follows links to itself does not find the data of its wheel.
#
# A wheel has a script in NAME.data/scripts and a file in NAME.data/data/share, which pip and uv put into bin/ and share/
# of an environment. Tools of users are reached by links, so that such a script follows links to find ../share. With
# UV_LINK_MODE=symlink, bin/ has a link into uv's cache. There the files have the folders of the wheel: the data are in
# ../data/share. A script that cannot be executed as it is packed is copied.
#
# Seen on 2026-11-27 with Python 3.11:
#   copy: found, the script is a file
#   hardlink: found, the script is a file
#   symlink: lost, the script is a link to cache/.../example-1.data/scripts/example
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv tool
tool/bin/pip install --quiet --disable-pip-version-check uv==0.13.9

cat >example <<'END'
#!/bin/sh
folder=$(dirname "$(readlink -f "$0")")
if [ -e "$folder/../share/example.txt" ]; then echo found; else echo lost; fi
END
python3 - <<'END'
import base64, hashlib, zipfile
files = {
    'example-1.data/scripts/example': open('example').read(),
    'example-1.data/data/share/example.txt': 'data\n',
    'example-1.dist-info/METADATA': 'Metadata-Version: 2.1\nName: example\nVersion: 1\n',
    'example-1.dist-info/WHEEL': 'Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
}
record = ''
with zipfile.ZipFile('example-1-py3-none-any.whl', 'w') as wheel:
    for path, text in files.items():
        entry = zipfile.ZipInfo(path)
        entry.external_attr = 0o100755 << 16
        wheel.writestr(entry, text)
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip('=')
        record += f'{path},sha256={digest},{len(text)}\n'
    wheel.writestr('example-1.dist-info/RECORD', record + 'example-1.dist-info/RECORD,,\n')
END

seen() {
  UV_CACHE_DIR=$work/cache
  UV_LINK_MODE=$1
  export UV_CACHE_DIR UV_LINK_MODE
  tool/bin/uv --quiet venv "$1"
  tool/bin/uv --quiet pip install --offline --python "$1/bin/python" ./example-1-py3-none-any.whl
  kind='file'
  if [ -h "$1/bin/example" ]; then kind="link to $(readlink "$1/bin/example" | sed "s#^$work/##; s#archive-v0/[^/]*#...#")"; fi
  echo "$1: $("$1/bin/example"), the script is a $kind"
}
all=$(for mode in copy hardlink symlink; do seen "$mode"; done)
echo "$all"
[ "$all" = 'copy: found, the script is a file
hardlink: found, the script is a file
symlink: lost, the script is a link to cache/.../example-1.data/scripts/example' ]
