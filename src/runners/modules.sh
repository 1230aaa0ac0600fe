# Environment modules are a shell function that login shells define. Other shells have to look for it.
qanat_find_modules() {
  for qanat_file in /etc/profile.d/modules.sh /etc/profile.d/lmod.sh /etc/profile.d/z00_lmod.sh; do
    # shellcheck source=/dev/null
    command -v module >/dev/null 2>&1 || [ ! -r "$qanat_file" ] || . "$qanat_file"
  done
}
