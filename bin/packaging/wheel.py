"""wheel.py FOLDER TAG RELEASE: makes the wheel of FOLDER, the archive unpacked. The same files give the same bytes.

It has no Python: pip, pipx and uv put bin/ and share/ of the archive into those of an environment.
"""

import base64
import hashlib
import json
import sys
import zipfile
from pathlib import Path

folder, tag, release = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
package = json.loads((folder / 'share/qanat/package.json').read_text())
name = f'{package["name"]}-{package["version"]}'
info = f'{name}.dist-info'

introduction = (folder / 'README.md').read_text().split('\n## ')[0].splitlines()
metadata = '\n'.join([
    'Metadata-Version: 2.4',
    f'Name: {package["name"]}',
    f'Version: {package["version"]}',
    f'Summary: {package["description"]}',
    f'Keywords: {",".join(package["keywords"])}',
    f'License-Expression: {package["license"]}',
    'License-File: LICENSE',
    f'Project-URL: Homepage, {package["homepage"]}',
    f'Project-URL: Repository, {package["repository"]["url"].removeprefix("git+")}',
    f'Project-URL: Issues, {package["bugs"]}',
    'Description-Content-Type: text/markdown',
    '',
    # Pictures are elsewhere, and comments are for our tests.
    *[line for line in introduction if not line.startswith(('<!--', '!['))],
])
about = f'Wheel-Version: 1.0\nGenerator: qanat\nRoot-Is-Purelib: false\nTag: {tag}\n'


def files():
    """The place of each file, its bytes, and whether it can be executed."""
    for top, kind in [('bin', 'scripts'), ('share', 'data/share')]:
        for path in sorted((folder / top).rglob('*')):
            if path.is_file():
                place = f'{name}.data/{kind}/{path.relative_to(folder / top)}'
                yield place, path.read_bytes(), path.stat().st_mode & 0o100 != 0
    yield f'{info}/licenses/LICENSE', (folder / 'LICENSE').read_bytes(), False
    yield f'{info}/METADATA', metadata.encode(), False
    yield f'{info}/WHEEL', about.encode(), False


def add(wheel, place, contents, executable):
    entry = zipfile.ZipInfo(place)
    entry.external_attr = (0o100755 if executable else 0o100644) << 16
    wheel.writestr(entry, contents, zipfile.ZIP_DEFLATED)


path = release / f'{name}-{tag}.whl'
record = ''
with zipfile.ZipFile(path, 'w') as wheel:
    for place, contents, executable in files():
        add(wheel, place, contents, executable)
        digest = base64.urlsafe_b64encode(hashlib.sha256(contents).digest()).decode().rstrip('=')
        record += f'{place},sha256={digest},{len(contents)}\n'
    add(wheel, f'{info}/RECORD', f'{record}{info}/RECORD,,\n'.encode(), False)
print(path)
