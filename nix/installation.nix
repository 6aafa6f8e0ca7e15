# The package as a user gets it: it starts, says its version, is its own sandbox's worker, and shells and man know it.
{ runCommand, slopbench }:
runCommand "slopbench-installation" { nativeBuildInputs = [ slopbench ]; } ''
  slopbench --version | tee "$out"
  grep -qF ${slopbench.version} "$out"
  (exec -a slopbench-sandbox slopbench libraries) | grep -q 'libc\.so'
  bash -n ${slopbench}/share/bash-completion/completions/slopbench.bash
  test -s ${slopbench}/share/fish/vendor_completions.d/slopbench.fish
  test -s ${slopbench}/share/zsh/site-functions/_slopbench
  test -s "$(echo ${slopbench}/share/man/man1/slopbench-measure.1*)"
''
