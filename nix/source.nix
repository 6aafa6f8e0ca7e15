# What cargo needs, and nothing else: a new problem or artifact rebuilds no Rust, and no hidden case becomes a build input.
builtins.path {
  name = "slopbench-source";
  path = ../.;
  filter =
    path: _type:
    let
      root = toString ../.;
      relative = builtins.substring (builtins.stringLength root + 1) (-1) path;
      topLevel = builtins.head (builtins.split "/" relative);
    in
    builtins.elem topLevel [
      "Cargo.lock"
      "Cargo.toml"
      "crates"
      "rust-toolchain.toml"
      "rustfmt.toml"
      "xtask"
    ];
}
