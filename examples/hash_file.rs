//! Both hashes of a tool file, with the crate as a library: `cargo run --example hash_file -- FILE`.

use rehearsal::toolfile::{ReadOptions, read};
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let file = std::env::args().nth(1).unwrap_or_else(|| "examples/orders/orders.openai.json".to_owned());
    match std::fs::read(&file).map_err(|error| error.to_string()).and_then(|bytes| hashes(&bytes)) {
        Ok([bytes, contract]) => {
            let done = writeln!(std::io::stdout(), "file hash  {bytes}\ncontract   {contract}");
            if done.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(why) => {
            // Nobody may be listening there either; the exit code says it too.
            let _ = writeln!(std::io::stderr(), "{file}: {why}");
            ExitCode::FAILURE
        }
    }
}

/// The hash of the bytes, and that of what they say; the error says why there is none.
fn hashes(bytes: &[u8]) -> Result<[String; 2], String> {
    let reading = read(bytes, &ReadOptions::default());
    match &reading.contract {
        Some(Ok(contract)) => Ok([reading.file_hash.to_string(), contract.to_string()]),
        Some(Err(refusal)) => Err(format!("no contract hash: {} at {}", refusal.what, refusal.at)),
        None => Err(reading.error.map_or_else(|| "it cannot be read".to_owned(), |error| error.message)),
    }
}

#[cfg(test)]
mod tests {
    use super::hashes;

    const ORDERS: &[u8] = include_bytes!("orders/orders.openai.json");

    #[test]
    fn layout_moves_the_file_hash_alone() {
        let [bytes, contract] = hashes(ORDERS).unwrap();
        assert_eq!(contract, "cf8af7f03f9931e506b7ba9a67ad16386c55be943bc2eb31e1f97e1d0b659157");
        let spread = [ORDERS, b"\n\n"].concat();
        let [other_bytes, same_contract] = hashes(&spread).unwrap();
        assert_ne!(bytes, other_bytes);
        assert_eq!(contract, same_contract);
    }

    #[test]
    fn what_has_no_contract_hash_says_where() {
        let why = hashes(br#"[{"type": "function", "name": "a", "x": NaN}]"#).unwrap_err();
        assert_eq!(why, "no contract hash: NaN at /0/x");
        assert!(hashes(b"\xff").is_err());
    }
}
