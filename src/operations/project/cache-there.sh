#!/bin/sh
# Looks at frozen copies in the folder of them of this clone at another site, or removes some: FOLDER status|left|remove [NAME...]
folder=$1 order=$2
shift 2
cd -- "$folder" 2>/dev/null || exit 0

# Prints what scripts have left in a copy: NAME. What a preparation has made is older than the file that says that it is done.
left_in() {
  for made in "$1.prepared" "$1.code"; do
    if [ -e "$made" ]; then
      find "./$1" -type f -cnewer "$made" ! -path '*/__pycache__/*' ! -path "./$1/.git"
      return
    fi
  done
  git -C "$1" -c core.hooksPath=/dev/null -c core.quotePath=false status --porcelain --ignored=matching --untracked-files=all |
    grep -v '__pycache__/' | cut -c 4-
}

case $order in
  status)
    for each in *; do
      case $each in *@*) ;; *) continue ;; esac
      if [ -d "$each" ] && ! [ -L "$each" ]; then printf '%s %s\n' "$(du -sk -- "$each" | cut -f 1)" "$each"; fi
    done
    ;;
  left)
    for each; do left_in "$each" | head -n 20 | while IFS= read -r file; do printf '%s %s\n' "$each" "$file"; done; done
    ;;
  remove)
    for each; do
      if [ -e "$each/.git" ]; then git --git-dir=../code.git worktree remove --force --force "$folder/$each" 2>/dev/null; fi
      rm -rf -- "$each" "$each.code" "$each.prepared" "$each.prepared".*
    done
    ;;
esac
