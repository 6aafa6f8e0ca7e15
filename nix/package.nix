{
  lib,
  callPackage,
  installShellFiles,
  rustPlatform,
  stdenv,
}:
let
  inherit (builtins.fromTOML (builtins.readFile ../Cargo.toml)) workspace;
in
rustPlatform.buildRustPackage {
  pname = "slopbench";
  inherit (workspace.package) version;

  src = import ./source.nix;
  cargoDeps = callPackage ./vendor.nix { lockFile = ../Cargo.lock; };

  cargoBuildFlags = [ "--package=slopbench-cli" ];

  nativeBuildInputs = [ installShellFiles ];

  postInstall = lib.optionalString (stdenv.buildPlatform.canExecute stdenv.hostPlatform) ''
    installShellCompletion --cmd slopbench \
      --bash <("$out/bin/slopbench" completions bash) \
      --fish <("$out/bin/slopbench" completions fish) \
      --zsh <("$out/bin/slopbench" completions zsh)
    "$out/bin/slopbench" man --out manual
    installManPage manual/*
  '';

  # The tests start namespaces and read problems/, neither of which is there during a build.
  doCheck = false;

  meta = {
    description = "Measures how the code of coding agents erodes over long work";
    license = [
      lib.licenses.asl20
      lib.licenses.mit
    ];
    mainProgram = "slopbench";
    platforms = lib.platforms.linux;
  };
}
