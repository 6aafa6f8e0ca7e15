//! Prints a word as it is, and of a number its double.

fn double(word: &str) -> String {
    match word.parse::<u64>() {
        Ok(number) => (2 * number).to_string(),
        Err(_) => word.to_owned(),
    }
}

fn main() {
    let word = std::env::args().nth(1).unwrap_or_default();
    println!("{}", double(&word));
}
