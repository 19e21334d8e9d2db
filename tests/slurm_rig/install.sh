#!/usr/bin/env bash
# install.sh FOLDER: what the suite `slurm` needs, kept from run to run: the distribution's Slurm on this machine, and a second version in FOLDER.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$1
if ! command -v slurmctld >/dev/null || ! command -v slurmrestd >/dev/null || ! command -v munged >/dev/null || ! command -v mariadbd >/dev/null; then
  echo "installing Slurm from the distribution's packages"
  apt-get update -qq
  bash "$here/rig.sh" install
fi
if [ ! -e "$folder/.made" ]; then
  echo "making $folder with the second version of Slurm (about 2 minutes)"
  rm -rf "$folder"
  mkdir -p "$(dirname "$folder")"
  command -v debootstrap >/dev/null || { apt-get update -qq; apt-get install -y -qq --no-install-recommends debootstrap >/dev/null; }
  RIG_CHROOT=$folder bash "$here/rig.sh" trixie-install
  touch "$folder/.made"
fi
echo "both are there"
