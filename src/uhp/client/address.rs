//! The server's address: paths are joined below it, and other addresses are told apart from it.

use reqwest::Url;

/// The base address of a server, which may have a path of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address(Url);

impl Address {
    /// Reads an address: http or https, without credentials. One without a scheme gets `http` on this machine, `https`
    /// otherwise. The error is one line.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let whole = if text.contains("://") {
            text.to_owned()
        } else {
            let host = text.split(['/', ':']).next().unwrap_or_default();
            let local = host == "localhost" || host.starts_with("127.") || text.starts_with("[::1]");
            format!("{}://{text}", if local { "http" } else { "https" })
        };
        let mut url = Url::parse(&whole).map_err(|e| format!("{text:?} is not an address: {e}"))?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
            return Err(format!("{text:?} is not an http or https address"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("the address must not hold a key; put it in an environment variable".to_owned());
        }
        url.set_query(None);
        url.set_fragment(None);
        let path = url.path().trim_end_matches('/').to_owned();
        // A pasted address of an endpoint means its server.
        let path = path.strip_suffix("/v1/uhp").or_else(|| path.strip_suffix("/v1")).unwrap_or(&path).to_owned();
        url.set_path(&path);
        Ok(Self(url))
    }

    /// A path below the base, its parts escaped: `["v1", "responses", id]`.
    pub fn join(&self, parts: &[&str]) -> Url {
        let mut url = self.0.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(parts);
        }
        url
    }

    /// An address that a server named: whole, or relative to the base.
    pub fn resolve(&self, named: &str) -> Result<Url, String> {
        let url = if named.starts_with('/') && !named.starts_with("//") {
            let base = self.0.as_str().trim_end_matches('/').to_owned();
            Url::parse(&format!("{base}{named}"))
        } else {
            let mut base = self.0.clone();
            if !base.path().ends_with('/') {
                base.set_path(&format!("{}/", base.path()));
            }
            base.join(named)
        };
        url.map_err(|e| format!("the server named an address that is none: {e}"))
    }

    /// Whether an address is on this server: the same scheme, host and port. Only such an address is shown the key.
    pub fn is_home(&self, url: &Url) -> bool {
        let place = |u: &Url| (u.scheme().to_owned(), u.host_str().map(str::to_owned), u.port_or_known_default());
        place(&self.0) == place(url)
    }
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0.as_str().trim_end_matches('/'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Address {
        Address::parse(text).unwrap()
    }

    #[test]
    fn paths_go_below_the_base() {
        assert_eq!(at("http://h:1/api/harness/").join(&["v1", "uhp"]).as_str(), "http://h:1/api/harness/v1/uhp");
        assert_eq!(
            at("127.0.0.1:8790").join(&["v1", "responses", "a/b"]).as_str(),
            "http://127.0.0.1:8790/v1/responses/a%2Fb"
        );
        assert_eq!(at("example.org").join(&["v1"]).as_str(), "https://example.org/v1");
        assert_eq!(at("http://h/v1/uhp").to_string(), "http://h");
        assert_eq!(at("http://h/base/v1").to_string(), "http://h/base");
        for bad in ["", "ftp://x", "http://", "http://u:p@h/"] {
            assert!(Address::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn named_addresses_resolve_below_the_base_and_foreign_ones_are_told_apart() {
        let base = at("http://h:1/api");
        assert_eq!(base.resolve("/v1/shared/x").unwrap().as_str(), "http://h:1/api/v1/shared/x");
        assert_eq!(base.resolve("v1/x").unwrap().as_str(), "http://h:1/api/v1/x");
        let home = |named: &str| base.is_home(&base.resolve(named).unwrap());
        assert!(home("/v1/x") && home("http://h:1/other"));
        for foreign in ["http://h:2/x", "https://h:1/x", "http://g:1/x", "//g/x", "http://h:1.evil.example/x"] {
            assert!(base.resolve(foreign).map_or(true, |u| !base.is_home(&u)), "{foreign}");
        }
    }
}
