//! Tells cargo that the embedded files are an input: one that is added or removed changes no Rust source.

fn main() {
    println!("cargo:rerun-if-changed=rules");
    println!("cargo:rerun-if-changed=measures");
}
