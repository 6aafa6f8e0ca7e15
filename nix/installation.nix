# The package as a user gets it: it starts, says its version, and is its own sandbox's worker.
{ runCommand, slopbench }:
runCommand "slopbench-installation" { nativeBuildInputs = [ slopbench ]; } ''
  slopbench --version | tee "$out"
  grep -qF ${slopbench.version} "$out"
  (exec -a slopbench-sandbox slopbench libraries) | grep -q /nix/store/
''
