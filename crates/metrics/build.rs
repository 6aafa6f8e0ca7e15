//! Tells cargo that the embedded rules are an input: a rule file that is added or removed changes no Rust source.

fn main() {
    println!("cargo:rerun-if-changed=rules/python");
}
