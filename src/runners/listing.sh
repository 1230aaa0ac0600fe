#!/bin/sh
# Lists the packages in places: the third part of environment.sh. A value is a version, followed by what tells packages of one
# version apart that were not installed from an index: a commit, a hash, or where an editable package is.

list_places() {
  while read -r kind place; do
    case $kind in
      conda) list_conda "$place" ;;
      site) list_site "$place" ;;
      npm) list_npm "$place" ;;
      r) list_r "$place" ;;
    esac
  done
}

# Those that conda has installed, by the names of its records: FOLDER
list_conda() {
  set +f
  for file in "$1"/*.json; do
    package=${file##*/}
    package=${package%.json}
    case $package in
      [!*]*-*-*)
        build=${package##*-} package=${package%-*}
        fact conda "${package%-*}" "${package##*-} $build"
        ;;
    esac
  done
  set -f
}

# Those of Python, by the names of the folders about them: FOLDER
list_site() {
  set +f
  for file in "$1"/*.dist-info "$1"/*.egg-info "$1"/*.egg "$1"/*.egg-link; do
    package=${file##*/} source='' version=''
    package=${package%.*}
    case $file in
      # The last one is what pip leaves if it is interrupted while it removes a package.
      */\** | */-* | */'~'*) continue ;;
      *.egg-link)
        IFS= read -r line <"$file"
        editable_source "$line" "$package"
        fact package "$package" "$source"
        continue
        ;;
    esac
    case $package in
      *-*)
        version=${package#*-} package=${package%%-*}
        version=${version%%-*}
        ;;
      *) version=$(version_inside "$file") ;;
    esac
    [ ! -f "$file/direct_url.json" ] || direct_source "$file" "$package"
    case $version,$source in ?*,?*) source=" $source" ;; esac
    fact package "$package" "$version$source"
  done
  set -f
}

# The version of a package whose folder or file is named without it: FILE
version_inside() {
  [ ! -d "$1" ] || set -- "$1/PKG-INFO"
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in
      '') return ;;
      'Version: '*) printf '%s' "${line#Version: }" && return ;;
    esac
  done <"$1"
}

# Sets `source` to where a package was installed from: FOLDER PACKAGE
direct_source() {
  text=$(cat "$1/direct_url.json")
  case $text in
    *'"editable"'*true*)
      url=${text#*'"url"'*'"'}
      editable_source "$(decoded "${url%%'"'*}")" "$2"
      ;;
    *'"commit_id"'*)
      source=${text#*'"commit_id"'*'"'}
      source="commit ${source%%'"'*}"
      ;;
    *'"archive_info"'*sha256[\"=]*)
      text=${text#*'"archive_info"'*sha256}
      source=$(printf '%s' "$text" | tr -d ' :="')
      source="sha256 ${source%%[!0-9a-f]*}"
      ;;
    *)
      source=''
      [ -f "$1/RECORD" ] || fact unknown "$2" 'installed from a folder or a file, without a record of its content'
      # Without those files that differ between environments.
      [ ! -f "$1/RECORD" ] || source="content $(grep -v -e '^\.\.' -e '\.dist-info/' -e ',$' "$1/RECORD" | sort | sha256)"
      ;;
  esac
}

sha256() {
  hash=$(sha256sum || shasum -a 256)
  printf '%s' "${hash%% *}"
}

# The path in a URL of a file: URL
decoded() {
  rest=${1#file://}
  while case $rest in *%[0-9A-Fa-f][0-9A-Fa-f]*) ;; *) false ;; esac do
    printf '%s' "${rest%%\%*}"
    rest=${rest#*%}
    code=${rest%"${rest#??}"} rest=${rest#??}
    # shellcheck disable=SC2059 # it is an escape
    printf "\\$(printf %03o "0x$code")"
  done
  printf '%s' "$rest"
}

# Sets `source` to the state of a folder whose code is used as it is there: FOLDER PACKAGE. The code of this repository is
# recorded with the run. Of others the commit, and a hash of what is not committed.
editable_source() {
  source="editable $1"
  top=$(repository_of "$1")
  : "${own_top:=$(repository_of "${QANAT_PROJECT:-.}")}"
  if [ -z "$top" ]; then
    fact unknown "$2" "editable in $1, which is in no repository of git"
    return
  fi
  if [ "$top" = "$own_top" ]; then
    source="editable .${1#"$top"}"
    return
  fi
  source="$source commit $(own_git "$1" rev-parse HEAD)"
  changes=$(uncommitted "$1" | sha256)
  [ "$changes" = e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 ] || source="$source + changes $changes"
}

own_git() {
  (
    unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
    GIT_OPTIONAL_LOCKS=0 git -c core.fsmonitor=false -C "$@"
  )
}

repository_of() { own_git "$1" rev-parse --show-toplevel; }

uncommitted() {
  own_git "$1" diff --no-ext-diff --no-textconv HEAD -- .
  # shellcheck disable=SC2016 # the inner sh expands it
  own_git "$1" ls-files --others --exclude-standard -z -- '*.py' |
    (cd -- "$1" && xargs -0 sh -c '[ "$#" = 0 ] || cksum -- "$@"' sh)
}

# Those of Node, from what npm has written about its folder: FOLDER
list_npm() {
  if [ ! -f "$1/.package-lock.json" ] || ! command -v awk >/dev/null; then
    fact unknown npm "in $1, which npm has not made"
    return
  fi
  awk -F '"' '
    function tell() { if (name != "") print name "|" version "|" source; name = "" }
    /^    "/ || /^  }/ { tell() }
    /^    "(.*\/)?node_modules\// { name = $2; sub(/^node_modules\//, "", name); version = source = ""; next }
    name == "" { next }
    /^      "version":/ { version = $4 }
    /^      "resolved": "git/ { source = $4; sub(/^.*#/, "commit ", source) }
    /^      "resolved": "file:/ { source = "file" }
    /^      "integrity":/ && source == "file" { source = $4 }
    /^      "resolved":/ { path = $4 }
    /^      "link": true/ { source = "link " path }
  ' "$1/.package-lock.json" | while IFS='|' read -r package version source; do
    case $source in
      'link '*) editable_source "$(cd -P -- "$1/../${source#link }" && pwd)" "$package" ;;
    esac
    case $version,$source in ?*,?*) source=" $source" ;; esac
    fact npm "$package" "$version$source"
  done
}

# Those of R: LIBRARY. Of those from no repository, the code is hashed.
list_r() {
  command -v awk >/dev/null || fact unknown r "in $1"
  set +f
  awk '
    function tell() { if (package != "") print package "|" version "|" (sha != "" ? "commit " sha : known ? "" : "content") }
    FNR == 1 { tell(); package = FILENAME; sub(/\/DESCRIPTION$/, "", package); version = sha = known = "" }
    /^Version: / { version = $2 }
    /^Repository: |^biocViews:|^Priority: base/ { known = 1 }
    /^RemoteSha: [0-9a-f]+$/ && length($2) == 40 { sha = $2 }
    END { tell() }
  ' "$1"/*/DESCRIPTION | while IFS='|' read -r folder version source; do
    [ "$source" != content ] || source="content $(cat "$folder"/R/*.rdb "$folder"/libs/*.so | sha256)"
    fact r "${folder##*/}" "$version${source:+ $source}"
  done
  set -f
}
