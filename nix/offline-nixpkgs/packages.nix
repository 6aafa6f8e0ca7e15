{ lib, system }:
let
  # What nixpkgs would pin comes from the machine. Pure evaluation hides the environment.
  host =
    variable: fallback:
    let
      value = builtins.getEnv variable;
    in
    if builtins.getEnv "PATH" == "" then
      throw "the stand-in for nixpkgs uses the host's tools: run nix with --impure"
    else if value == "" then
      fallback
    else
      value;

  # Builders whose output goes anywhere but a pipe that is being drained were now and then killed: hence `cat`.
  derive =
    name: attributes: script:
    derivation (
      {
        inherit name system;
        builder = "/bin/bash";
        args = [
          "-c"
          ''
            set -euo pipefail
            export PATH="''${nativePath:-}''${nativePath:+:}$hostPath"
            { ${script}
            } 2>&1 </dev/null | cat
          ''
        ];
        nativePath = lib.makeBinPath (attributes.nativeBuildInputs or [ ]);
        hostPath = host "PATH" "";
        RUSTUP_HOME = host "RUSTUP_HOME" "${host "HOME" ""}/.rustup";
      }
      // builtins.removeAttrs attributes [
        "meta"
        "passthru"
      ]
    )
    // (attributes.passthru or { })
    // {
      meta = attributes.meta or { };
    };

  # `bin/<tool>` for each of the host's tools. Programs of a toolchain that rustup manages stay rustup's proxies.
  hostTools =
    name: tools: passthru:
    derive name { inherit passthru; } ''
      mkdir -p "$out/bin"
      for tool in ${toString tools}; do
        path=$(command -v "$tool") || { echo "$tool is not on this machine's PATH"; exit 1; }
        printf '#!/bin/sh\nexec "%s" "$@"\n' "$path" >"$out/bin/$tool"
        chmod +x "$out/bin/$tool"
      done
    '';

  # What only a developer's shell has. Nothing is built with it, so nothing of it is taken from the host.
  absent = name: derive name { } ''mkdir "$out"'';

  packages = rec {
    inherit lib;
    stdenv = {
      hostPlatform = { inherit system; };
      buildPlatform.canExecute = _: true;
    };

    callPackage =
      path: arguments:
      let
        function = import path;
      in
      function (builtins.intersectAttrs (builtins.functionArgs function) packages // arguments);

    runCommand = derive;

    # A fixed output: Nix itself compares the digest, wherever the bytes come from. Here it is cargo's own cache.
    fetchurl =
      {
        name,
        url,
        sha256,
      }:
      derive name
        {
          cache = "${host "CARGO_HOME" "${host "HOME" ""}/.cargo"}/registry/cache";
          inherit url;
          outputHashMode = "flat";
          outputHashAlgo = "sha256";
          outputHash = sha256;
        }
        ''
          set -- "$cache"/*/"$name"
          cp "$1" "$out" || { echo "$url is not in cargo's cache: run cargo fetch --locked"; exit 1; }
        '';

    closureInfo =
      { rootPaths }:
      derive "closure-info" { } ''
        mkdir "$out"
        printf '%s\n' ${toString rootPaths} >"$out/store-paths"
      '';

    writeShellApplication =
      {
        name,
        runtimeInputs,
        text,
        meta,
      }:
      derive name
        {
          script = ''
            #!/bin/bash
            set -o errexit -o nounset -o pipefail
            export PATH="${lib.makeBinPath runtimeInputs}:$PATH"

            ${text}
          '';
          meta = {
            mainProgram = name;
          }
          // meta;
        }
        ''
          mkdir -p "$out/bin"
          printf '%s' "$script" >"$out/bin/$name"
          chmod +x "$out/bin/$name"
          bash -n "$out/bin/$name"
        '';

    mkShell =
      { packages, ... }@attributes:
      derive "nix-shell" (
        builtins.removeAttrs attributes [ "packages" ]
        // {
          nativeBuildInputs = packages;
          outputs = [ "out" ];
          stdenv = derive "stdenv" { } ''
            mkdir "$out"
            echo 'export PATH="$nativePath:$hostPath"' >"$out/setup"
          '';
        }
      ) ''touch "$out"'';

    rustPlatform = {
      rustLibSrc = absent "rust-lib-src";

      buildRustPackage =
        {
          pname,
          version,
          src,
          cargoDeps,
          cargoBuildFlags,
          nativeBuildInputs,
          postInstall,
          doCheck,
          meta,
        }:
        derive "${pname}-${version}"
          {
            inherit meta src cargoDeps;
            nativeBuildInputs = nativeBuildInputs ++ [
              cargo
              rustc
            ];
            passthru = { inherit pname version; };
          }
          ''
            ${if doCheck then "echo 'the stand-in runs no tests'; exit 1" else ""}
            cp -r "$src" source
            chmod -R u+w source
            cmp source/Cargo.lock "$cargoDeps/Cargo.lock"
            mkdir .cargo
            sed "s|@vendor@|$cargoDeps|" "$cargoDeps/.cargo/config.toml" >.cargo/config.toml

            # An empty cargo home: what is not vendored cannot be found.
            export CARGO_HOME=$PWD/cargo-home CARGO_TARGET_DIR=$PWD/target CARGO_INCREMENTAL=0
            # Nothing here proves anything of speed, and most of the time goes into optimising.
            export CARGO_PROFILE_RELEASE_OPT_LEVEL=1 CARGO_PROFILE_RELEASE_DEBUG=0
            export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16
            cd source
            cargo build --release --frozen ${toString cargoBuildFlags}
            mkdir -p "$out/bin"
            find ../target/release -maxdepth 1 -type f -executable -exec cp -t "$out/bin" {} +
            ${postInstall}
          '';
    };

    # Where the real one puts completions and pages.
    installShellFiles = derive "install-shell-files" { } ''
      mkdir -p "$out/bin"
      cat >"$out/bin/installShellCompletion" <<'SH'
      #!/bin/bash
      set -euo pipefail
      [[ $1 == --cmd ]] && name=$2
      shift 2
      while [[ $# -gt 0 ]]; do
        case $1 in
          --bash) place=bash-completion/completions/$name.bash ;;
          --fish) place=fish/vendor_completions.d/$name.fish ;;
          --zsh) place=zsh/site-functions/_$name ;;
        esac
        mkdir -p "$(dirname "$out/share/$place")"
        cat "$2" >"$out/share/$place"
        shift 2
      done
      SH
      cat >"$out/bin/installManPage" <<'SH'
      #!/bin/sh
      mkdir -p "$out/share/man/man1"
      cp "$@" "$out/share/man/man1"
      SH
      chmod +x "$out/bin"/*
    '';

    # Nix itself asks for this one: `nix develop` starts it.
    bashInteractive = hostTools "bash-interactive" [ "bash" ] { };

    cargo = hostTools "cargo" [ "cargo" ] { };
    rustfmt = hostTools "rustfmt" [
      "rustfmt"
      "cargo-fmt"
    ] { };
    # rust-toolchain.toml's; on a host without rustup a build with another compiler fails at `rust-version`.
    rustc = hostTools "rustc" [ "rustc" ] { version = "1.95.0"; };

    # The system's, at the path the sandbox shows to solutions; a `python3` earlier on PATH may lie in somebody's home.
    python3 = derive "python3" { } ''
      mkdir -p "$out/bin"
      ln -s /usr/bin/python3 "$out/bin/python3"
    '';
  }
  // lib.genAttrs [
    "cargo-deny"
    "cargo-insta"
    "cargo-nextest"
    "clippy"
    "deadnix"
    "git"
    "nixfmt"
    "nixfmt-tree"
    "rust-analyzer"
  ] absent;
in
packages
