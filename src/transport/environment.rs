//! What ROS 2 reads from environment variables.

use std::net::{IpAddr, Ipv4Addr, ToSocketAddrs};

/// Largest domain: ports of higher ones do not exist.
const LARGEST_DOMAIN: u16 = 232;

/// Why a variable was refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{variable}={value}: {reason}")]
pub struct EnvironmentError {
    /// The variable.
    pub variable: &'static str,
    /// Its value.
    pub value: String,
    /// What is wrong with it.
    pub reason: String,
}

/// How a request is related to its reply on the wire. Each ROS 2 middleware does it differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ServiceMapping {
    /// By the identity of the request's sample, in the header of the reply: Fast DDS and Connext.
    #[default]
    SampleIdentity,
    /// By sixteen bytes in front of the message: Cyclone DDS.
    CycloneHeader,
}

/// Which hosts a node discovers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DiscoveryRange {
    /// The network.
    #[default]
    Subnet,
    /// This machine.
    Localhost,
}

/// The variables of a process, read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Environment {
    /// `ROS_DOMAIN_ID`: nodes of different domains do not see each other.
    pub domain_id: u16,
    /// `RMW_IMPLEMENTATION`: how clients ask.
    pub mapping: ServiceMapping,
    /// `ROS_AUTOMATIC_DISCOVERY_RANGE`, or the older `ROS_LOCALHOST_ONLY`.
    pub range: DiscoveryRange,
    /// `ROS_STATIC_PEERS`: machines that are looked for without multicast.
    pub static_peers: Vec<Ipv4Addr>,
    /// Whether the distribution is older than Iron (`ROS_DISTRO`): identifiers were longer then.
    pub long_identifiers: bool,
    /// Variables that are set and without effect here, with the reason.
    pub ignored: Vec<String>,
}

impl Environment {
    /// Of this process.
    pub fn of_process() -> Result<Self, EnvironmentError> {
        // A value that is not UTF-8 is refused as the wrong value it is, not taken for one that is not set.
        Self::read(|name| Some(std::env::var_os(name)?.to_string_lossy().into_owned()))
    }

    /// With variables from elsewhere. An empty variable is one that is not set.
    pub fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Self, EnvironmentError> {
        let get = |name: &str| variable(name).filter(|value| !value.is_empty());
        let mut environment = Self::default();
        if let Some(value) = get("ROS_DOMAIN_ID") {
            environment.domain_id = domain_id(&value).map_err(refuse("ROS_DOMAIN_ID", &value))?;
        }
        if let Some(value) = get("RMW_IMPLEMENTATION") {
            environment.mapping = mapping(&value).map_err(refuse("RMW_IMPLEMENTATION", &value))?;
        }
        if let Some(value) = get("ROS_AUTOMATIC_DISCOVERY_RANGE") {
            let range = range(&value).map_err(refuse("ROS_AUTOMATIC_DISCOVERY_RANGE", &value))?;
            environment.range = range;
            if value == "OFF" {
                let note = "ROS_AUTOMATIC_DISCOVERY_RANGE=OFF is taken as LOCALHOST: without discovery nobody finds the node";
                environment.ignored.push(note.to_owned());
            }
        }
        // As in rmw: the older variable wins where it is set.
        match get("ROS_LOCALHOST_ONLY").as_deref() {
            None | Some("0") => {}
            Some("1") => environment.range = DiscoveryRange::Localhost,
            Some(value) => {
                return Err(refuse("ROS_LOCALHOST_ONLY", value)("must be 0 or 1".to_owned()));
            }
        }
        if let Some(value) = get("ROS_STATIC_PEERS") {
            environment.static_peers =
                static_peers(&value).map_err(refuse("ROS_STATIC_PEERS", &value))?;
        }
        environment.long_identifiers =
            matches!(get("ROS_DISTRO").as_deref(), Some("foxy" | "galactic" | "humble"));
        Ok(environment)
    }
}

fn refuse(variable: &'static str, value: &str) -> impl FnOnce(String) -> EnvironmentError {
    let value = value.to_owned();
    move |reason| EnvironmentError { variable, value, reason }
}

fn domain_id(value: &str) -> Result<u16, String> {
    match value.parse() {
        Ok(id) if id <= LARGEST_DOMAIN => Ok(id),
        _ => Err(format!("must be an integer from 0 to {LARGEST_DOMAIN}")),
    }
}

fn mapping(value: &str) -> Result<ServiceMapping, String> {
    match value {
        "rmw_fastrtps_cpp" | "rmw_fastrtps_dynamic_cpp" | "rmw_connextdds" => {
            Ok(ServiceMapping::SampleIdentity)
        }
        "rmw_cyclonedds_cpp" => Ok(ServiceMapping::CycloneHeader),
        _ => Err("this build speaks DDS: rmw_fastrtps_cpp, rmw_cyclonedds_cpp or rmw_connextdds; \
                  others need a build with the feature `r2r`"
            .to_owned()),
    }
}

/// Addresses or names of machines, separated by semicolons.
fn static_peers(value: &str) -> Result<Vec<Ipv4Addr>, String> {
    let mut peers = Vec::new();
    for name in value.split(';').map(str::trim).filter(|name| !name.is_empty()) {
        let found = (name, 0).to_socket_addrs().map_err(|error| format!("`{name}`: {error}"))?;
        let before = peers.len();
        peers.extend(found.filter_map(|address| match address.ip() {
            IpAddr::V4(address) => Some(address),
            IpAddr::V6(_) => None,
        }));
        if peers.len() == before {
            return Err(format!("`{name}` has no IPv4 address"));
        }
    }
    Ok(peers)
}

fn range(value: &str) -> Result<DiscoveryRange, String> {
    match value {
        "SUBNET" | "SYSTEM_DEFAULT" => Ok(DiscoveryRange::Subnet),
        "LOCALHOST" | "OFF" => Ok(DiscoveryRange::Localhost),
        _ => Err("must be SUBNET, LOCALHOST, OFF or SYSTEM_DEFAULT".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<Environment, EnvironmentError> {
        let find = |name: &str| variables.iter().find(|(key, _)| *key == name);
        Environment::read(|name| find(name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn nothing_set_means_the_defaults_of_ros() {
        assert_eq!(read(&[]).unwrap(), Environment::default());
        assert_eq!(read(&[("ROS_DOMAIN_ID", "")]).unwrap(), Environment::default());
    }

    #[test]
    fn variables_are_read() {
        let environment = read(&[
            ("ROS_DOMAIN_ID", "42"),
            ("RMW_IMPLEMENTATION", "rmw_cyclonedds_cpp"),
            ("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST"),
            ("ROS_DISTRO", "humble"),
        ])
        .unwrap();
        assert_eq!(environment.domain_id, 42);
        assert_eq!(environment.mapping, ServiceMapping::CycloneHeader);
        assert_eq!(environment.range, DiscoveryRange::Localhost);
        assert!(environment.long_identifiers && environment.ignored.is_empty());
        let older = [("ROS_LOCALHOST_ONLY", "1"), ("ROS_AUTOMATIC_DISCOVERY_RANGE", "SUBNET")];
        assert_eq!(read(&older).unwrap().range, DiscoveryRange::Localhost);
        let peers = read(&[("ROS_STATIC_PEERS", "10.0.0.1; localhost;")]).unwrap().static_peers;
        assert_eq!(peers[0], Ipv4Addr::new(10, 0, 0, 1));
        assert!(peers[1..].iter().all(Ipv4Addr::is_loopback) && peers.len() > 1, "{peers:?}");
    }

    #[test]
    fn bad_values_are_refused_by_name() {
        for (variable, value) in [
            ("ROS_DOMAIN_ID", "233"),
            ("ROS_DOMAIN_ID", "-1"),
            ("ROS_DOMAIN_ID", "one"),
            ("RMW_IMPLEMENTATION", "rmw_zenoh_cpp"),
            ("ROS_AUTOMATIC_DISCOVERY_RANGE", "near"),
            ("ROS_LOCALHOST_ONLY", "yes"),
            ("ROS_STATIC_PEERS", "no such machine"),
        ] {
            let error = read(&[(variable, value)]).unwrap_err().to_string();
            assert!(error.starts_with(&format!("{variable}={value}: ")), "{error}");
        }
    }
}
