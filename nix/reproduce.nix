# `nix run .#reproduce`: recompute every archived result from the flake's own source, and compare it bit for bit.
{
  closureInfo,
  python3,
  writeShellApplication,

  gitRev,
  slopbench,
  source,
}:
writeShellApplication {
  name = "slopbench-reproduce";
  runtimeInputs = [
    slopbench
    python3
  ];
  text = ''
    echo "slopbench ${slopbench.version}, claims of ${
      if gitRev == null then "a tree without a commit" else "commit ${gitRev}"
    }" >&2

    export SLOPBENCH_ROOT=${source}
    # A solution sees Python's closure and not the whole store: the source with the hidden cases is in the store too.
    export SLOPBENCH_SANDBOX_PATHS=${closureInfo { rootPaths = [ python3 ]; }}/store-paths

    exec slopbench verify "$@"
  '';
  meta.description = "Verify slopbench's archived results against its problems";
}
