{
  description = "slopbench: measures how the code of coding agents erodes";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-26.05";

  outputs =
    { self, nixpkgs }:
    let
      inherit (nixpkgs) lib;

      # A result names the tree it came from. A dirty tree has no `rev`, an unpacked archive has neither.
      gitRev = self.rev or self.dirtyRev or null;

      # rust-toolchain.toml names the compiler, for rustup and for Nix: nixpkgs either has that one or nothing is built.
      toolchain = (builtins.fromTOML (builtins.readFile ./rust-toolchain.toml)).toolchain.channel;
      withToolchain =
        pkgs:
        assert lib.assertMsg (pkgs.rustc.version == toolchain) ''
          rust-toolchain.toml asks for Rust ${toolchain}, but the locked nixpkgs has ${pkgs.rustc.version}.
          Change `channel` in rust-toolchain.toml, or lock a nixpkgs that has Rust ${toolchain}.
        '';
        pkgs;

      forAllSystems =
        f:
        lib.genAttrs [ "x86_64-linux" "aarch64-linux" ] (
          system: f (withToolchain nixpkgs.legacyPackages.${system})
        );
      packagesFor = pkgs: self.packages.${pkgs.stdenv.hostPlatform.system};
    in
    {
      packages = forAllSystems (pkgs: rec {
        default = slopbench;
        slopbench = pkgs.callPackage ./nix/package.nix { };
        reproduce = pkgs.callPackage ./nix/reproduce.nix {
          inherit gitRev slopbench;
          source = self;
        };
      });

      apps = forAllSystems (
        pkgs:
        let
          app = package: {
            type = "app";
            program = lib.getExe package;
            meta = { inherit (package.meta) description; };
          };
        in
        {
          default = app (packagesFor pkgs).slopbench;
          reproduce = app (packagesFor pkgs).reproduce;
        }
      );

      # What needs no more than a build. Clippy and the tests are `cargo xtask lint` and `cargo xtask test`: the tests
      # start namespaces of their own, which a build sandbox does not promise.
      checks = forAllSystems (pkgs: {
        inherit (packagesFor pkgs) slopbench reproduce;
        formatting = pkgs.callPackage ./nix/formatting.nix { };
        installation = pkgs.callPackage ./nix/installation.nix {
          inherit (packagesFor pkgs) slopbench;
        };
      });

      devShells = forAllSystems (pkgs: {
        default = pkgs.mkShell {
          packages = [
            pkgs.cargo
            pkgs.clippy
            pkgs.rustc
            pkgs.rustfmt
            pkgs.rust-analyzer

            pkgs.cargo-deny
            pkgs.cargo-insta
            pkgs.cargo-nextest

            pkgs.git
            pkgs.python3

            pkgs.deadnix
            pkgs.nixfmt
          ];
          # rust-analyzer looks for the standard library's source here.
          RUST_SRC_PATH = "${pkgs.rustPlatform.rustLibSrc}";
        };
      });

      formatter = forAllSystems (pkgs: pkgs.nixfmt-tree);
    };
}
