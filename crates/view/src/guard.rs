//! Which connections are allowed. Pages of other sites are refused by their `Origin`, and foreign host names that
//! resolve to this machine (DNS rebinding) by their `Host`.

use axum::http::HeaderMap;
use axum::http::header::{HOST, ORIGIN};
use std::net::IpAddr;

/// Checks the headers of a request; the reason when it is refused.
pub(super) fn check(headers: &HeaderMap, host_names: &[String]) -> Result<(), String> {
    let host = headers.get(HOST).and_then(|value| value.to_str().ok());
    let host = host.ok_or("the request names no host")?;
    let name = name_of(host);
    let is_ours = is_address(name)
        || name.eq_ignore_ascii_case("localhost")
        || host_names.iter().any(|own| own.eq_ignore_ascii_case(name));
    if !is_ours {
        return Err(format!("`{}` is not a name of this machine", cut(name)));
    }
    let Some(origin) = headers.get(ORIGIN) else {
        // Not a browser: those always say where a connection comes from.
        return Ok(());
    };
    let origin = origin.to_str().unwrap_or_default();
    let same = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    if same.is_some_and(|origin| origin.eq_ignore_ascii_case(host)) {
        return Ok(());
    }
    Err(format!("a page of `{}` may not connect here", cut(origin)))
}

/// The host without its port.
fn name_of(host: &str) -> &str {
    if host.starts_with('[') {
        return host.split_inclusive(']').next().unwrap_or(host);
    }
    host.rsplit_once(':').map_or(host, |(name, _)| name)
}

fn is_address(name: &str) -> bool {
    name.trim_matches(['[', ']']).parse::<IpAddr>().is_ok()
}

/// A name from outside, short enough for a message.
fn cut(text: &str) -> String {
    text.chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(host: &str, origin: Option<&str>) -> Result<(), String> {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(ORIGIN, origin.parse().unwrap());
        }
        check(&headers, &["robot.lab".into()])
    }

    #[test]
    fn our_own_page_and_programs_may_connect() {
        for host in ["127.0.0.1:80", "localhost:7", "LOCALHOST", "[::1]:9", "[::1]", "robot.lab:1"]
        {
            assert_eq!(answer(host, None), Ok(()), "{host}");
            assert_eq!(answer(host, Some(&format!("http://{host}"))), Ok(()), "{host}");
        }
    }

    #[test]
    fn other_pages_and_other_names_may_not() {
        for origin in ["http://evil.example", "http://localhost:8", "null", "file://", ""] {
            let refused = answer("localhost:7", Some(origin)).unwrap_err();
            assert!(refused.contains("may not connect here"), "{refused}");
        }
        let refused = answer("evil.example:7", Some("http://evil.example:7")).unwrap_err();
        assert_eq!(refused, "`evil.example` is not a name of this machine");
        assert!(answer("127.0.0.1.evil.example", None).is_err());
    }
}
