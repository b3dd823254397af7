//! The tool file that comes with the program, with its settings: what opens without a file.
use super::tasks::read_config;
use super::{Flags, Resolved, SettingsError, resolve};
use std::path::{Path, PathBuf};

/// Its file name.
pub const NAME: &str = "orders.openai.json";
/// Its bytes.
pub const BYTES: &[u8] = include_bytes!("../../examples/orders/orders.openai.json");
/// Its settings.
const TASKS: &str = include_str!("../../examples/orders/tasks.toml");

/// The settings of the example, flags winning. The folder it is named in does not exist.
pub fn resolved(flags: &Flags) -> Result<Resolved, SettingsError> {
    let file = Path::new("(example)").join(NAME);
    let config = read_config(PathBuf::from("(example)/tasks.toml"), TASKS, Some(&file))?;
    Ok(resolve(Some(&file), &config, flags))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_has_its_settings() {
        let resolved = resolved(&Flags::default()).unwrap();
        assert_eq!(resolved.name.value, "orders");
        assert_eq!(resolved.flows.len(), 1);
        assert!(resolved.warnings.is_empty());
    }
}
