#!/usr/bin/env bash
# Exercise the flake where nixpkgs cannot be reached: offline-nixpkgs/ stands in for it, and says what that leaves unproved.
# Needs root, Nix, cargo, git and /usr/bin/python3. Arguments go to `slopbench verify`.
set -euo pipefail

skip() {
  echo "nix/test.sh: skipped: $1"
  exit 0
}
command -v nix >/dev/null || skip "nix is not installed"
[[ $(id -u) == 0 ]] || skip "the stand-in builds without build users, which takes root"

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Builders run as whoever runs this, outside Nix's sandbox, to find the host's cargo; nothing is downloaded.
export NIX_CONFIG="
extra-experimental-features = nix-command flakes
build-users-group =
sandbox = false
substituters =
warn-dirty = false
"
# Nix asks git which files are tracked, also in a checkout that belongs to somebody else.
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*'

standin=(--print-build-logs --offline --no-write-lock-file --override-input nixpkgs "path:$root/nix/offline-nixpkgs")
offline() {
  local command=("$1")
  shift
  if [[ ${command[0]} == flake ]]; then
    command+=("$1")
    shift
  fi
  nix "${command[@]}" --impure "${standin[@]}" "$@"
}

quiet() {
  "$@" >"$scratch/log" 2>&1 </dev/null
}

passes() {
  local title=$1
  shift
  if quiet "$@"; then
    echo "ok      $title"
  else
    cat "$scratch/log"
    echo "FAILED  $title"
    exit 1
  fi
}

# The status must be the one given, and the output must say why.
stops() {
  local title=$1 wanted=$2 reason=$3 status=0
  shift 3
  quiet "$@" || status=$?
  if [[ $status == "$wanted" ]] && grep -qF -- "$reason" "$scratch/log"; then
    echo "ok      $title"
  else
    cat "$scratch/log"
    echo "FAILED  $title: status $status, wanted $wanted with \"$reason\""
    exit 1
  fi
}

# A copy of the tracked files, to be broken.
copy() {
  rm -rf "$scratch/copy"
  mkdir "$scratch/copy"
  git -C "$root" ls-files -z | tar -C "$root" --null --files-from=- -c | tar -C "$scratch/copy" -x
  cd "$scratch/copy"
  git init --quiet
  git add --all
}

cd "$root"
system=$(nix eval --impure --raw --expr builtins.currentSystem)
cargo fetch --locked --quiet

passes "flake.lock agrees with flake.nix" nix flake lock --no-update-lock-file --offline .
passes "every output evaluates" offline flake show
stops "pure evaluation is told what to do" 1 "run nix with --impure" \
  nix build --no-link "${standin[@]}" .

copy
sed -i 's/^channel = .*/channel = "1.0.0"/' rust-toolchain.toml
stops "another compiler than rust-toolchain.toml's stops the evaluation" 1 "asks for Rust 1.0.0" \
  offline build --no-link .

copy
sed -i '0,/^checksum = "/s/^checksum = ".*/checksum = "'"$(printf '0%.0s' {1..64})"'"/' Cargo.lock
stops "a crate with another checksum than Cargo.lock's is refused" 1 "hash mismatch" offline build --no-link .

copy
echo 'fn  badly_formatted( ) { }' >>xtask/src/main.rs
stops "a broken check fails" 1 "badly_formatted" offline build --no-link ".#checks.$system.formatting"

# Arguments, environment and status of `nix run .#reproduce`, seen by a program in slopbench's place.
copy
cat >nix/package.nix <<'NIX'
{ runCommand }:
runCommand "probe" { meta.mainProgram = "slopbench"; passthru.version = "0"; } ''
  mkdir -p $out/bin
  cp ${./probe.sh} $out/bin/slopbench
  chmod +x $out/bin/slopbench
''
NIX
cat >nix/probe.sh <<'SH'
#!/bin/sh
[ "$1 $2" = "verify --status" ] || exit 101
[ -f "$SLOPBENCH_ROOT/flake.nix" ] || exit 102
[ -f "$SLOPBENCH_ROOT/problems/README.md" ] || exit 103
[ ! -e "$SLOPBENCH_ROOT/untracked" ] || exit 104
[ -s "$SLOPBENCH_SANDBOX_PATHS" ] || exit 105
! grep -qxF "$SLOPBENCH_ROOT" "$SLOPBENCH_SANDBOX_PATHS" || exit 106
! grep -qxF /nix/store "$SLOPBENCH_SANDBOX_PATHS" || exit 107
grep -qxF "$(dirname "$(dirname "$(command -v python3)")")" "$SLOPBENCH_SANDBOX_PATHS" || exit 108
exit "$3"
SH
git add nix
touch untracked
for status in 0 1 2 3; do
  stops "reproduce passes arguments, and status $status" "$status" "slopbench 0, claims of" \
    offline run .#reproduce -- --status "$status"
done
# An overridden input makes any tree a dirty one, so here the stand-in goes into flake.lock.
quiet nix flake lock --offline --override-input nixpkgs "path:$root/nix/offline-nixpkgs"
git add flake.lock
git -c user.name=test -c user.email=test@localhost commit --quiet --message=test
stops "reproduce names the commit" 0 "claims of commit $(git rev-parse HEAD)" \
  nix run --offline --impure .#reproduce -- --status 0

cd "$root"
passes "the package builds from the vendored crates" offline build --no-link .
passes "flake check" offline flake check
passes "the default app is slopbench" offline run . -- --version
passes "the development shell starts" offline develop --command true

echo
echo "nix run .#reproduce $*"
offline run .#reproduce -- "$@"
