# The package as a user gets it: it starts, says its version, and finds the sandbox's helper beside it.
{ runCommand, slopbench }:
runCommand "slopbench-installation" { nativeBuildInputs = [ slopbench ]; } ''
  slopbench --version | tee "$out"
  grep -qF ${slopbench.version} "$out"
  test -x ${slopbench}/bin/slopbench-sandbox
''
