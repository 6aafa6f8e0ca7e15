{
  cargo,
  runCommand,
  rustfmt,
}:
runCommand "slopbench-formatting"
  {
    nativeBuildInputs = [
      cargo
      rustfmt
    ];
  }
  ''
    export CARGO_HOME=$TMPDIR
    cd ${import ./source.nix}
    cargo fmt --all --check
    touch "$out"
  ''
