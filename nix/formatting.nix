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
    cd ${import ./source.nix}
    cargo fmt --all --check
    touch "$out"
  ''
