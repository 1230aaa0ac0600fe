#!/bin/sh
# buildah 1.28.2: `manifest inspect` does not know the registries without TLS of registries.conf, and takes no image that is no list.
#
# It is what one would ask whether an image is in its registry: it has the exit code 125 for an image that `buildah pull` takes. It
# has no --tls-verify. With a copy of the image here, podman 4.3.1 says `Treating single images as manifest lists is not implemented`.
# Qanat pulls the image instead.
#
# Seen on 2026-11-28 with Debian's docker-registry 2.8.2:
#   pull: 0
#   manifest inspect: 125, … http: server gave HTTP response to HTTPS client
set -eu
work=$(mktemp -d)
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot CONTAINERS_STORAGE_CONF="$work/storage.conf"
export CONTAINERS_REGISTRIES_CONF="$work/registries.conf"
host=127.0.0.1:15999
printf '[storage]\ndriver = "vfs"\ngraphroot = "%s/graph"\nrunroot = "%s/run"\n' "$work" "$work" >"$CONTAINERS_STORAGE_CONF"
printf '[[registry]]\nlocation = "%s"\ninsecure = true\n' "$host" >"$CONTAINERS_REGISTRIES_CONF"
printf 'version: 0.1\nstorage: {filesystem: {rootdirectory: %s/registry}}\nhttp: {addr: "%s"}\n' "$work" "$host" >"$work/registry.yml"
docker-registry serve "$work/registry.yml" >/dev/null 2>&1 &
registry=$!
trap 'kill "$registry"; rm -rf "$work"' EXIT
until curl -sf "http://$host/v2/" >/dev/null; do sleep 0.1; done

container=$(buildah from scratch)
buildah commit --quiet --rm "$container" "$host/lab/it:1" >/dev/null
buildah push --quiet "$host/lab/it:1"
buildah rmi "$host/lab/it:1" >/dev/null
inspect=0
said=$(buildah manifest inspect "$host/lab/it:1" 2>&1) || inspect=$?
pull=0
buildah pull --quiet "$host/lab/it:1" >/dev/null || pull=$?
echo "pull: $pull"
echo "manifest inspect: $inspect, $said"
[ "$pull" -eq 0 ]
[ "$inspect" -eq 125 ]
