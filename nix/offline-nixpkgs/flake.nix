# A stand-in for nixpkgs on a machine that cannot reach one: the attributes slopbench's flake uses, over
# `builtins.derivation` and the host's own shell, cargo and Python. See nix/test.sh, which drives it.
#
# It shows that the flake evaluates, that its parts fit, that the vendored crates are the locked ones and enough to build
# from, and that checks and exit codes mean what they say. It does not show what only nixpkgs can: the real
# buildRustPackage, its compiler, downloads, and builds inside Nix's sandbox. Needs --impure, to find the host's tools.
{
  description = "The few attributes of nixpkgs that slopbench's flake uses, from the host's tools";

  outputs =
    { self }:
    {
      lib = import ./lib.nix;
      legacyPackages = self.lib.genAttrs [ "x86_64-linux" "aarch64-linux" ] (
        system:
        import ./packages.nix {
          inherit (self) lib;
          inherit system;
        }
      );
    };
}
