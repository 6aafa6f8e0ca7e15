# The crates of Cargo.lock as a vendor directory, each one pinned by the checksum that Cargo.lock has of it.
#
# nixpkgs has two ways to the same directory. `cargoHash` adds a second pin of the same bytes, which every change of
# Cargo.lock makes stale and which only a machine with nixpkgs can compute. `cargoLock.lockFile` needs no second pin, but
# fetches from crates.io's API, which has refused it since 2026 (nixpkgs issues 512735, 524979, 558620). This one asks the
# host that cargo itself downloads from. Being plain `fetchurl`, it can also be tried without nixpkgs: see
# offline-nixpkgs/.
{
  lib,
  fetchurl,
  runCommand,
  lockFile,
}:
let
  crates =
    builtins.filter (package: package ? source)
      (builtins.fromTOML (builtins.readFile lockFile)).package;

  fetchCrate =
    {
      name,
      version,
      source,
      checksum ? null,
      ...
    }:
    assert lib.assertMsg (
      source == "registry+https://github.com/rust-lang/crates.io-index" && checksum != null
    ) "${name} ${version} comes from ${source}: only crates from crates.io can be fetched";
    fetchurl {
      name = "${name}-${version}.crate";
      url = "https://static.crates.io/crates/${name}/${version}/download";
      sha256 = checksum;
    };

  unpackCrate = crate: ''
    tar -xzf ${fetchCrate crate} -C "$out"
    echo '{"files":{},"package":"${crate.checksum}"}' >"$out/${crate.name}-${crate.version}/.cargo-checksum.json"
  '';
in
runCommand "cargo-vendor-dir" { } ''
  mkdir -p "$out/.cargo"
  ${lib.concatMapStrings unpackCrate crates}
  cp ${lockFile} "$out/Cargo.lock"
  # buildRustPackage puts the directory's path in place of @vendor@.
  cat >"$out/.cargo/config.toml" <<'TOML'
  [source.crates-io]
  replace-with = "vendored-sources"

  [source.vendored-sources]
  directory = "@vendor@"
  TOML
''
